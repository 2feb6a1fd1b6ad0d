"""A model of the Agent Development Kit that follows a script."""

from collections.abc import AsyncGenerator
from typing import Any

from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.genai import types

from .run import Script


def model(script: Script) -> BaseLlm:
    return Scripted(model="scripted", script=script)


class Scripted(BaseLlm):
    script: Any

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        for tool in llm_request.config.tools or []:
            for made in tool.function_declarations:
                self.script.give(made.name, made.description, made.parameters_json_schema)
        last = llm_request.contents[-1].parts[-1]
        if last.function_response:
            ((kind, text),) = last.function_response.response.items()
            self.script.heard = (kind, text)
            part = types.Part(text="done")
        else:
            part = types.Part.from_function_call(name=self.script.name, args=self.script.arguments)
        yield LlmResponse(content=types.Content(role="model", parts=[part]))
