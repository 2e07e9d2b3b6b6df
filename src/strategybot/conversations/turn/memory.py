"""The earlier turns of a conversation, as a language model remembers them.

Each keeps the words of the user, the calls and the answer. The results of tools are whole in the newest turns only, and
one line each in all others, so that a conversation can go on for weeks. The last turn is always kept.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pydantic import ValidationError
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_core import to_jsonable_python

from strategybot.conversations.agent.telling import in_one_line
from strategybot.conversations.hygiene import clean
from strategybot.conversations.schemas import ToolCallView
from strategybot.conversations.turn.calls import is_failure
from strategybot.conversations.turn.turns import OFFLINE

MOST_MESSAGES = 120
LONGEST_HISTORY = 80_000  # characters of JSON, of which a part is never sent
LONGEST_RESULTS = 12_000  # of those that are kept whole
# Each shortens more: the characters of a text, at least as many as an address has, and the entries of a list.
CUTS = ((300, 50), (100, 50), (60, 50), (60, 20), (60, 5))
Shorten = Callable[[ToolReturnPart], Any]


def remember(histories: Sequence[str]) -> list[ModelMessage]:
    """Return the messages, oldest first. `histories` are those of the turns, newest first."""
    turns: list[list[ModelMessage]] = []
    messages, room, room_for_results = 0, LONGEST_HISTORY, LONGEST_RESULTS
    for text in histories:
        try:
            turn = ModelMessagesTypeAdapter.validate_json(text)
        except ValidationError:  # written by another version
            continue
        length = _length_of_results(turn)
        if length > room_for_results:
            turn = shorten_turn(turn, one_line) if turns else _with_cut_results(turn)
        turn = _fit(turn, room)
        room_for_results -= min(length, room_for_results)
        messages, room = messages + len(turn), room - _size(turn)
        if messages > MOST_MESSAGES or room < 0:
            break
        turns.append(turn)
    return [message for turn in reversed(turns) for message in turn]


def last_turn(messages: Sequence[ModelMessage]) -> list[ModelMessage]:
    """Return the messages from the last user prompt on."""
    prompts = [number for number, message in enumerate(messages) if is_prompt(message)]
    return list(messages[prompts[-1] :]) if prompts else []


def is_prompt(message: ModelMessage) -> bool:
    return any(isinstance(part, UserPromptPart) for part in message.parts)


def history_of(asked: str, calls: Sequence[ToolCallView], answered: str) -> str:
    """Return the history of a turn that no model completed, with every call and what it found."""
    made, returned = [], []
    for number, call in enumerate(calls):
        made.append(ToolCallPart(call.name, call.arguments, tool_call_id=f"call_{number}"))
        failed = is_failure(call.result)
        content = call.result["error"] if failed else call.result
        returned.append(
            ToolReturnPart(call.name, content, tool_call_id=f"call_{number}", outcome="failed" if failed else "success")
        )
    messages: list[ModelMessage] = [ModelRequest([UserPromptPart(asked)])]
    if made:
        messages += [ModelResponse(made, model_name=OFFLINE), ModelRequest(returned)]
    messages.append(ModelResponse([TextPart(answered)], model_name=OFFLINE))
    return ModelMessagesTypeAdapter.dump_json(messages).decode()


def shorten_turn(turn: Sequence[ModelMessage], shorten: Shorten) -> list[ModelMessage]:
    """Return the turn with other contents of its tool results, and without thoughts."""
    return [
        _without_thoughts(message) if isinstance(message, ModelResponse) else with_results(message, shorten)
        for message in turn
    ]


def with_results(request: ModelRequest, shorten: Shorten) -> ModelRequest:
    """Return the request with other contents of its tool results."""
    parts = [
        replace(part, content=shorten(part)) if isinstance(part, ToolReturnPart) else part for part in request.parts
    ]
    return replace(request, parts=parts)


def one_line(part: ToolReturnPart) -> str:
    return in_one_line(part.tool_name, to_jsonable_python(part.content))


def cut(found: Any, longest: int) -> Any:
    """Return a tool's result with shorter texts and lists, until it has at most so many characters."""
    found = to_jsonable_python(found)
    for letters, entries in CUTS:
        shorter = clean(found, letters, entries)
        if len(_text_of(shorter)) <= longest:
            return shorter
    return _text_of(found)[:longest]


def _without_thoughts(response: ModelResponse) -> ModelResponse:
    told = [part for part in response.parts if not isinstance(part, ThinkingPart)]
    return replace(response, parts=told or response.parts)


def _with_cut_results(turn: list[ModelMessage]) -> list[ModelMessage]:
    found = sum(isinstance(part, ToolReturnPart) for message in turn for part in message.parts)
    return shorten_turn(turn, lambda part: cut(part.content, LONGEST_RESULTS // found))


def _length_of_results(turn: list[ModelMessage]) -> int:
    results = [part.content for message in turn for part in message.parts if isinstance(part, ToolReturnPart)]
    return sum(len(_text_of(result)) for result in results)


def _fit(turn: list[ModelMessage], room: int) -> list[ModelMessage]:
    """Return the turn; if it is too long, without thoughts; if it still is, only what was said."""
    if _size(turn) > room:
        turn = shorten_turn(turn, lambda part: part.content)
    return turn if _size(turn) <= room else _words_alone(turn)


def _text_of(content: Any) -> str:
    return json.dumps(to_jsonable_python(content), ensure_ascii=False)


def _size(turn: list[ModelMessage]) -> int:
    return len(ModelMessagesTypeAdapter.dump_json(turn))


def _words_alone(turn: list[ModelMessage]) -> list[ModelMessage]:
    """Return only the words of the user and of the answer."""
    prompts = [part for message in turn for part in message.parts if isinstance(part, UserPromptPart)]
    words = [part for message in turn for part in message.parts if isinstance(part, TextPart)]
    last = next((message for message in reversed(turn) if isinstance(message, ModelResponse)), ModelResponse([]))
    return [ModelRequest(prompts), replace(last, parts=words)]
