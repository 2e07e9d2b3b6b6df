"""Counts the requests and tokens of a language model."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from typing_extensions import override


@dataclass(frozen=True, slots=True)
class Usage:
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.requests + other.requests,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )


class CountedModel(WrapperModel):
    """A model that counts what it is asked and answers since `take` was called last."""

    def __init__(self, wrapped: Model) -> None:
        super().__init__(wrapped)
        self._usage = Usage()

    def take(self) -> Usage:
        usage, self._usage = self._usage, Usage()
        return usage

    @override
    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        async with super().request_stream(messages, model_settings, model_request_parameters, run_context) as response:
            yield response
            used = response.usage
            self._usage += Usage(1, used.input_tokens, used.output_tokens)
