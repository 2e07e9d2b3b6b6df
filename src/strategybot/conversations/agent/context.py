"""What a language model is sent of a conversation: as much as its context can hold.

Tokens are counted as four characters of JSON. A provider counts its own; if those are more, room is left for them.
"""

import json
import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.exceptions import ModelAPIError, ModelContextWindowExceededError, ModelHTTPError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from pydantic_core import to_jsonable_python
from typing_extensions import override

from strategybot.conversations.agent.slim import slim
from strategybot.conversations.turn.memory import cut, is_prompt, one_line, shorten_turn, with_results

CHARACTERS_A_TOKEN = 4
CHARACTERS_A_PART = 120  # the names and marks around a part
LENGTHS_OF_THE_NEWEST = (16_000, 8000, 4000, 2000, 1000, 400)  # characters; what is shorter says nothing
MOST_TOKENS_A_COUNTED_ONE = 2.0
CONTEXT_TOKENS = 16_000
_LENGTH = re.compile(r"context (?:size|length|window)|too (?:long|large|many tokens)|exceed", re.IGNORECASE)


class ContextTooSmall(ModelAPIError):
    """The tools, the instructions and the message alone need more tokens than the context has."""

    def __init__(self, model_name: str, needed: int, limit: int) -> None:
        self.sentence = (
            "The language model's context is too small for this message: with the tools it needs about "
            f"{needed:,} tokens, and {limit:,} are set (STRATEGYBOT_CONTEXT_TOKENS)."
        )
        super().__init__(model_name, self.sentence)


class ContextRefused(ModelAPIError):
    """The provider refused the shortest request as too long, although it is within the limit of the settings."""

    def __init__(self, model_name: str, sent: int, limit: int) -> None:
        self.sentence = (
            f"The language model refused about {sent:,} tokens as too long for its context, although {limit:,} are "
            "set (STRATEGYBOT_CONTEXT_TOKENS). The operator of this service should give it a longer context."
        )
        super().__init__(model_name, self.sentence)


class InContext(WrapperModel):
    """A language model that is sent only what its context can hold."""

    def __init__(self, wrapped: Model, tokens: int = CONTEXT_TOKENS) -> None:
        super().__init__(wrapped)
        self._tokens = tokens
        self._tokens_a_counted_one = 1.0

    @override
    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        limit = round(self._tokens / self._tokens_a_counted_one)
        fixed = tokens_of_definitions(messages, model_request_parameters)
        for is_last, room in ((False, limit - fixed), (True, 0)):
            sent, counted = fit(messages, room)
            if not is_last and counted > room:
                raise ContextTooSmall(self.model_name, fixed + counted, self._tokens)
            opened = False
            try:
                async with self.wrapped.request_stream(
                    sent, model_settings, model_request_parameters, run_context
                ) as response:
                    opened = True
                    yield response
                    self._learn(fixed + counted, response.usage.input_tokens)
                    return
            except ModelAPIError as error:
                if opened or not is_too_long(error):
                    raise
                if is_last:
                    raise ContextRefused(self.model_name, fixed + counted, self._tokens) from None

    def _learn(self, counted: int, reported: int) -> None:
        """Remember how many tokens of this model a counted one is. Figures that cannot be true are ignored."""
        ratio = reported / counted
        if self._tokens_a_counted_one < ratio <= 2 * MOST_TOKENS_A_COUNTED_ONE:
            self._tokens_a_counted_one = min(ratio, MOST_TOKENS_A_COUNTED_ONE)


def is_too_long(error: ModelAPIError) -> bool:
    """Return whether the provider refused the request for its length. Own servers say so in many words."""
    if isinstance(error, ModelContextWindowExceededError):
        return True
    refused = isinstance(error, ModelHTTPError) and error.status_code in (400, 413, 422)
    return refused and _LENGTH.search(str(error.body)) is not None


def tokens_of_definitions(messages: list[ModelMessage], parameters: ModelRequestParameters) -> int:
    """Return the tokens of the tools and the instructions."""
    tools = [
        {"name": tool.name, "description": tool.description, "parameters": tool.parameters_json_schema}
        for tool in parameters.function_tools
    ]
    requests = (message for message in reversed(messages) if isinstance(message, ModelRequest))
    instructions = next((request.instructions for request in requests if request.instructions), "")
    around = CHARACTERS_A_PART * (len(tools) + 3)  # and around the whole request
    return _tokens(len(_json(tools)) + len(_json(instructions)) + around)


def fit(messages: list[ModelMessage], room: int) -> tuple[list[ModelMessage], int]:
    """Return the messages, shortened step by step until they have at most so many tokens, and how many they have.

    Older results become one line first, then those of this turn, except the newest; then the oldest turns go, and at
    last the newest results are cut. If that is not enough, the shortest form is returned.
    """
    lengths: dict[int, tuple[ModelMessage, int]] = {}  # with the message, so that its id stays its own

    def length(message: ModelMessage) -> int:
        if id(message) not in lengths:
            lengths[id(message)] = message, sum(len(_text_of(part)) + CHARACTERS_A_PART for part in message.parts)
        return lengths[id(message)][1]

    view: list[ModelMessage] = []
    counted = 0
    for view in _views(messages):
        counted = _tokens(sum(map(length, view)))
        if counted <= room:
            break
    return view, counted


def _views(messages: list[ModelMessage]) -> Iterator[list[ModelMessage]]:
    begins = [number for number, message in enumerate(messages) if is_prompt(message)]
    current = begins[-1] if begins else 0
    view: list[ModelMessage] = shorten_turn(messages[:current], _slim)  # earlier thoughts are of no use any more
    view += [with_results(each, _slim) if isinstance(each, ModelRequest) else each for each in messages[current:]]
    yield view
    found = [number for number, message in enumerate(view) if _has_results(message)]
    for number in found[:-1]:
        view = [*view[:number], *shorten_turn(view[number : number + 1], one_line), *view[number + 1 :]]
        yield view
    for begin in [*begins[1:-1], current]:
        yield view[begin:]
    newest = found[-1] if found else current
    for longest in LENGTHS_OF_THE_NEWEST:
        shorter = shorten_turn(view[newest : newest + 1], partial(_cut, longest=longest))
        yield [*view[current:newest], *shorter, *view[newest + 1 :]]


def _cut(part: ToolReturnPart, longest: int) -> Any:
    return cut(part.content, longest)


def _has_results(message: ModelMessage) -> bool:
    return any(isinstance(part, ToolReturnPart) for part in message.parts)


def _slim(part: ToolReturnPart) -> Any:
    return slim(to_jsonable_python(part.content))


def _text_of(part: Any) -> str:
    """Return a part as it is sent: results and arguments are JSON inside of JSON."""
    if isinstance(part, ToolReturnPart):
        return _json([part.tool_name, part.tool_call_id, part.model_response_str()])
    if isinstance(part, ToolCallPart):
        return _json([part.tool_name, part.tool_call_id, part.args_as_json_str()])
    content = getattr(part, "content", "")
    return _json(content if isinstance(content, str) else to_jsonable_python(content))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _tokens(characters: int) -> int:
    return -(-characters // CHARACTERS_A_TOKEN)
