"""A model of Pydantic AI that follows a script."""

from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    RetryPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from .run import Script


def model(script: Script) -> FunctionModel:
    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        for tool in info.function_tools:
            script.give(tool.name, tool.description or "", tool.parameters_json_schema)
        match messages[-1].parts[-1]:
            case RetryPromptPart() as part:
                script.heard = ("retry", part.model_response())
            case ToolReturnPart() as part:
                script.heard = (part.outcome, part.model_response_str())
            case _:
                return ModelResponse([ToolCallPart(script.name, script.arguments)])
        return ModelResponse([TextPart("done")])

    return FunctionModel(answer)
