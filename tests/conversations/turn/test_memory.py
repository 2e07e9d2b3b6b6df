"""The memory of a language model: whole turns as long as they fit, and always the last one."""

import json
from typing import Any

import pytest
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

from strategybot.conversations.turn.memory import LONGEST_HISTORY, MOST_MESSAGES, plain_history, remembered

ADDRESS = "So11111111111111111111111111111111111111112"
SMALL = plain_history("hello", "Hi.")


def _bots(count: int, letters: int = 700) -> dict[str, Any]:
    rows = [
        {
            "id": f"01900000-0000-7000-8000-{number:012}",
            "name": f"Bot {number}",
            "token": ADDRESS,
            "chain": "solana",
            "summary": "Buy when the price falls. ".ljust(letters, "x"),
            "linked": False,
        }
        for number in range(count)
    ]
    return {"bots": rows, "total_bots": count}


def _turn(*results: Any, arguments: str = "{}", thought: str = "", answer: str = "These are yours.") -> str:
    calls = [ToolCallPart("list_bots", arguments, tool_call_id=f"call_{number}") for number in range(len(results))]
    thoughts = [ThinkingPart(thought)] if thought else []
    returns = [
        ToolReturnPart("list_bots", result, tool_call_id=f"call_{number}") for number, result in enumerate(results)
    ]
    messages: list[ModelMessage] = [
        ModelRequest([UserPromptPart("show my bots")]),
        ModelResponse([*thoughts, *calls], model_name="real"),
        ModelRequest(returns),
        ModelResponse([TextPart(answer)], model_name="real", metadata={"offline": {"topic": "bots"}}),
    ]
    return ModelMessagesTypeAdapter.dump_json(messages).decode()


def _parts(messages: list[ModelMessage], kind: Any) -> list[Any]:
    return [part for message in messages for part in message.parts if isinstance(part, kind)]


def test_memory_consists_of_whole_turns_within_its_limits() -> None:
    turns = [plain_history(f"question {number}", "answer") for number in range(40)]
    messages = remembered(turns[::-1])
    assert len(messages) == MOST_MESSAGES
    assert isinstance(messages[0], ModelRequest)
    assert [part.content for part in _parts(messages[-2:], UserPromptPart | TextPart)] == ["question 39", "answer"]
    assert remembered(["not JSON", turns[0]]) == remembered([turns[0]])
    assert len(remembered([turns[0], plain_history("x" * 50_000, "y"), turns[1]])) == 2


def test_a_turn_that_fits_is_kept_unchanged() -> None:
    turn = _turn(_bots(20))
    assert remembered([turn]) == ModelMessagesTypeAdapter.validate_json(turn)


@pytest.mark.parametrize("calls", [1, 3, 8])
def test_fifty_bots_are_remembered_by_name_with_what_was_said_before(calls: int) -> None:
    turn = _turn(*[_bots(50)] * calls)
    assert len(turn) > LONGEST_HISTORY
    messages = remembered([turn, SMALL])
    assert len(ModelMessagesTypeAdapter.dump_json(messages)) <= LONGEST_HISTORY
    assert [part.content for part in _parts(messages, UserPromptPart)] == ["hello", "show my bots"]
    found = _parts(messages, ToolReturnPart)
    assert [part.tool_call_id for part in _parts(messages, ToolCallPart)] == [part.tool_call_id for part in found]
    assert len(found) == calls
    for part in found:
        assert part.content["total_bots"] == 50
        assert [row["name"] for row in part.content["bots"][:2]] == ["Bot 0", "Bot 1"]
        assert {row["token"] for row in part.content["bots"]} == {ADDRESS}
    if calls == 1:
        assert [row["name"] for row in found[0].content["bots"]] == [f"Bot {number}" for number in range(50)]


def test_an_older_long_turn_is_shortened_too() -> None:
    messages = remembered([SMALL, _turn(_bots(50)), SMALL])
    assert [part.content for part in _parts(messages, UserPromptPart)] == ["hello", "show my bots", "hello"]


@pytest.mark.parametrize(
    "turn",
    [
        _turn(_bots(1), arguments=json.dumps({"query": "x" * 45_000})),
        _turn({f"key {number}": {"a": {"b": "x" * 60}} for number in range(50)}, "x", arguments='{"a": 1}' + " " * 45_000),
    ],
    ids=["long arguments", "long arguments and a wide result"],
)  # fmt: skip
def test_only_the_texts_are_kept_of_a_turn_that_cannot_be_shortened(turn: str) -> None:
    messages = remembered([turn, SMALL])
    assert [part.content for part in _parts(messages, object)] == ["hello", "Hi.", "show my bots", "These are yours."]
    assert isinstance(messages[-1], ModelResponse)
    assert (messages[-1].model_name, messages[-1].metadata) == ("real", {"offline": {"topic": "bots"}})


def test_thoughts_are_removed_before_tool_results() -> None:
    messages = remembered([_turn(_bots(2), thought="x" * 45_000)])
    assert _parts(messages, ThinkingPart) == []
    assert [row["name"] for row in _parts(messages, ToolReturnPart)[0].content["bots"]] == ["Bot 0", "Bot 1"]
