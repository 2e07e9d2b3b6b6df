"""The model that needs no key and no network: rules in place of weights, in the very loop of a real provider."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models import CompletedStreamedResponse, Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.settings import ModelSettings
from typing_extensions import override

from strategybot.conversations.offline.history import NAME, Call, turn_of
from strategybot.conversations.offline.plans import next_step


class OfflineModel(Model[None]):
    """Stateless: each step is worked out anew from the history."""

    @override
    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        return _answer(messages, model_request_parameters)

    @override
    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        yield CompletedStreamedResponse(
            _answer(messages, model_request_parameters),
            model_request_parameters=model_request_parameters,
            replay_events=True,
        )

    @property
    def model_name(self) -> str:
        return NAME

    @property
    def system(self) -> str:
        return NAME


def _answer(messages: list[ModelMessage], parameters: ModelRequestParameters) -> ModelResponse:
    tools = {
        tool.name: frozenset(tool.parameters_json_schema.get("properties", {})) for tool in parameters.function_tools
    }
    step = next_step(turn_of(messages, tools))
    if isinstance(step, Call):
        return ModelResponse([ToolCallPart(step.name, step.arguments)], model_name=NAME)
    return ModelResponse([TextPart(step.text)], model_name=NAME, metadata={NAME: step.memory})
