"""A model of LangChain that follows a script."""

from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool

import mcplock

from .run import Script


def model(script: Script) -> BaseChatModel:
    return Scripted(script=script)


class Scripted(BaseChatModel):
    script: Any

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        for tool in tools:
            assert tool.args_schema == mcplock.load()[tool.name].input_schema
            made = convert_to_openai_tool(tool)["function"]
            self.script.give(made["name"], made["description"], made["parameters"])
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        last = messages[-1]
        if isinstance(last, ToolMessage):
            self.script.heard = (last.status, last.text)
            return answer(AIMessage("done"))
        call = {"name": self.script.name, "args": self.script.arguments, "id": "1"}
        return answer(AIMessage("", tool_calls=[call]))


def answer(message: AIMessage) -> ChatResult:
    return ChatResult(generations=[ChatGeneration(message=message)])
