"""The earlier turns that a language model reads, within a limit on messages and size.

A turn is kept whole, every call with its result, if it fits. A longer one is shortened: first the tool results, and if
that is not enough, everything but the words of the user and the answer. The last turn is always kept.
"""

import json
from collections.abc import Sequence
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
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_core import to_jsonable_python

from strategybot.conversations.hygiene import clean
from strategybot.conversations.turn.turns import OFFLINE

MOST_MESSAGES = 60
LONGEST_HISTORY = 40_000
LONGEST_RESULTS = 16_000
# Each shortens more: the characters of a text, at least as many as an address has, and the entries of a list.
CUTS = ((300, 50), (100, 50), (60, 50), (60, 20), (60, 5))


def remembered(histories: Sequence[str]) -> list[ModelMessage]:
    """Return the messages, oldest first. `histories` are those of the turns, newest first."""
    turns: list[list[ModelMessage]] = []
    messages, room = 0, LONGEST_HISTORY
    for text in histories:
        try:
            turn = ModelMessagesTypeAdapter.validate_json(text)
        except ValidationError:  # written by another version
            continue
        size = len(text)
        if size > room:
            turn, size = _shorter(turn, room)
        messages, room = messages + len(turn), room - size
        if messages > MOST_MESSAGES or room < 0:
            break
        turns.append(turn)
    return [message for turn in reversed(turns) for message in turn]


def last_turn(messages: Sequence[ModelMessage]) -> list[ModelMessage]:
    """Return the messages from the last user prompt on."""
    prompts = [number for number, message in enumerate(messages) if _is_prompt(message)]
    return list(messages[prompts[-1] :]) if prompts else []


def _is_prompt(message: ModelMessage) -> bool:
    return any(isinstance(part, UserPromptPart) for part in message.parts)


def plain_history(asked: str, answered: str) -> str:
    """Return the history of a turn without its tool calls, because a call without a result would be invalid."""
    messages: list[ModelMessage] = [
        ModelRequest([UserPromptPart(asked)]),
        ModelResponse([TextPart(answered)], model_name=OFFLINE),
    ]
    return ModelMessagesTypeAdapter.dump_json(messages).decode()


def _shorter(turn: list[ModelMessage], room: int) -> tuple[list[ModelMessage], int]:
    """Return the turn with shorter tool results, or with its texts only; and its size."""
    found = sum(isinstance(part, ToolReturnPart) for message in turn for part in message.parts)
    if room > LONGEST_RESULTS:
        shortened = [_shortened(message, LONGEST_RESULTS // max(1, found)) for message in turn]
        if (size := _size(shortened)) <= room:
            return shortened, size
    said = _said(turn)
    return said, _size(said)


def _size(turn: list[ModelMessage]) -> int:
    return len(ModelMessagesTypeAdapter.dump_json(turn))


def _shortened(message: ModelMessage, longest: int) -> ModelMessage:
    if isinstance(message, ModelResponse):
        told = [part for part in message.parts if not isinstance(part, ThinkingPart)]
        return replace(message, parts=told or message.parts)
    return replace(
        message,
        parts=[
            replace(part, content=_cut(to_jsonable_python(part.content), longest))
            if isinstance(part, ToolReturnPart)
            else part
            for part in message.parts
        ],
    )


def _cut(found: Any, longest: int) -> Any:
    for letters, entries in CUTS:
        cut = clean(found, letters, entries)
        if len(json.dumps(cut)) <= longest:
            return cut
    return json.dumps(found)[:longest]


def _said(turn: list[ModelMessage]) -> list[ModelMessage]:
    prompts = [part for message in turn for part in message.parts if isinstance(part, UserPromptPart)]
    words = [part for message in turn for part in message.parts if isinstance(part, TextPart)]
    last = next((message for message in reversed(turn) if isinstance(message, ModelResponse)), ModelResponse([]))
    return [ModelRequest(prompts), replace(last, parts=words)]
