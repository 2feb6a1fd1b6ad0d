"""A model of the OpenAI Agents SDK that follows a script."""

import json
from typing import Any

from agents import Model, ModelResponse, Tool, Usage
from agents.models.openai_responses import Converter
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from .run import Script


def model(script: Script) -> Model:
    return Scripted(script)


class Scripted(Model):
    def __init__(self, script: Script) -> None:
        self.script = script

    async def get_response(self, *, tools: list[Tool], **given: Any) -> ModelResponse:
        for tool in Converter.convert_tools(tools, []).tools:
            self.script.give(tool["name"], tool["description"], tool["parameters"])
            assert tool["strict"] is False
        last = given["input"][-1]
        if last.get("type") == "function_call_output":
            self.script.heard = ("output", last["output"])
            return answer(said("done"))
        arguments = json.dumps(self.script.arguments)
        return answer(
            ResponseFunctionToolCall(
                call_id="1", name=self.script.name, arguments=arguments, type="function_call"
            )
        )

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


def said(text: str) -> ResponseOutputMessage:
    content = ResponseOutputText(text=text, type="output_text", annotations=[])
    return ResponseOutputMessage(
        id="1", content=[content], role="assistant", status="completed", type="message"
    )


def answer(item: Any) -> ModelResponse:
    return ModelResponse(output=[item], usage=Usage(), response_id=None)
