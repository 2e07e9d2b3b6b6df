"""The offline model as a model of Pydantic AI, so that it runs in the same loop as a language model."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import CompletedStreamedResponse, Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.settings import ModelSettings
from typing_extensions import override

from strategybot.conversations.turn.turns import OFFLINE
from strategybot.kit.threads import run_blocking

if TYPE_CHECKING:
    from strategybot.conversations.offline.grammar import Grammar


class OfflineModel(Model[None]):
    """It keeps no state. `prepare` or the first message loads the tables, so a language model never waits for them."""

    def __init__(self, grammar: "Grammar | None" = None) -> None:
        super().__init__()
        self._grammar = grammar

    async def prepare(self) -> None:
        """Load the tables now, in a worker thread, so that the first message does not wait for them."""
        await run_blocking(self._respond, [], ModelRequestParameters())

    def _respond(self, messages: list[ModelMessage], parameters: ModelRequestParameters) -> ModelResponse:
        from strategybot.conversations.offline.responding import respond  # noqa: PLC0415

        return respond(messages, {tool.name for tool in parameters.function_tools}, self._grammar)

    @override
    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        return await run_blocking(self._respond, messages, model_request_parameters)

    @override
    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        response = await self.request(messages, model_settings, model_request_parameters)
        yield CompletedStreamedResponse(response, model_request_parameters=model_request_parameters, replay_events=True)

    @property
    def model_name(self) -> str:
        return OFFLINE

    @property
    def system(self) -> str:
        return OFFLINE
