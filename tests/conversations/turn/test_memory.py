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

from strategybot.conversations.schemas import ToolCallView
from strategybot.conversations.turn.memory import LONGEST_HISTORY, MOST_MESSAGES, history_of, remember

ADDRESS = "So11111111111111111111111111111111111111112"
SMALL = history_of("hello", [], "Hi.")


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
    turns = [history_of(f"question {number}", [], "answer") for number in range(100)]
    messages = remember(turns[::-1])
    assert len(messages) == MOST_MESSAGES
    assert isinstance(messages[0], ModelRequest)
    assert [part.content for part in _parts(messages[-2:], UserPromptPart | TextPart)] == ["question 99", "answer"]
    assert remember(["not JSON", turns[0]]) == remember([turns[0]])
    assert len(remember([turns[0], history_of("x" * 90_000, [], "y"), turns[1]])) == 2


def test_a_turn_that_fits_is_kept_unchanged() -> None:
    turn = _turn(_bots(10))
    assert remember([turn]) == ModelMessagesTypeAdapter.validate_json(turn)


@pytest.mark.parametrize("calls", [1, 3, 8])
def test_fifty_bots_are_remembered_by_name_with_what_was_said_before(calls: int) -> None:
    turn = _turn(*[_bots(50, letters=1500)] * calls)
    assert len(turn) > LONGEST_HISTORY
    messages = remember([turn, SMALL])
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


def test_an_older_long_turn_has_one_line_in_place_of_each_result() -> None:
    messages = remember([SMALL, _turn(_bots(50), {"error": "no"}, _bots(1)), SMALL])
    assert [part.content for part in _parts(messages, UserPromptPart)] == ["hello", "show my bots", "hello"]
    first, failed, last = (part.content for part in _parts(messages, ToolReturnPart))
    assert first.startswith("(shortened) 50 bots: Bot 0, Bot 1, ")
    assert failed == "(shortened) list bots: done."
    assert last == "(shortened) 1 bot: Bot 0"
    assert all(len(line) < 450 for line in (first, failed, last))


def test_a_conversation_of_weeks_is_remembered_line_by_line() -> None:
    turns = [_turn(_bots(20), answer=f"answer {number}") for number in range(30)]
    messages = remember(turns[::-1])
    told = [part.content for part in _parts(messages, TextPart)]
    assert told[-1] == "answer 29"
    assert len(told) >= 25
    assert [isinstance(part.content, str) for part in _parts(messages, ToolReturnPart)] == [True] * (len(told) - 1) + [
        False
    ]


def test_a_turn_that_no_model_completed_keeps_every_call_and_what_it_found() -> None:
    made = [
        ToolCallView(name="create_bot", arguments={"name": "Dip"}, result={"summary": "Buy."}),
        ToolCallView(name="run_backtest", arguments={}, result={"error": "No token."}),
    ]
    messages = remember([history_of("go", made, "I stop here.")])
    asked, found = _parts(messages, ToolCallPart), _parts(messages, ToolReturnPart)
    assert [part.tool_call_id for part in asked] == [part.tool_call_id for part in found]
    assert [(part.content, part.outcome) for part in found] == [
        ({"summary": "Buy."}, "success"),
        ("No token.", "failed"),
    ]
    assert [part.content for part in _parts(messages, TextPart)] == ["I stop here."]


@pytest.mark.parametrize(
    "turn",
    [
        _turn(_bots(1), arguments=json.dumps({"query": "x" * 85_000})),
        _turn({f"key {number}": {"a": {"b": "x" * 60}} for number in range(50)}, "x", arguments='{"a": 1}' + " " * 85_000),
    ],
    ids=["long arguments", "long arguments and a wide result"],
)  # fmt: skip
def test_only_the_texts_are_kept_of_a_turn_that_cannot_be_shortened(turn: str) -> None:
    messages = remember([turn, SMALL])
    assert [part.content for part in _parts(messages, object)] == ["hello", "Hi.", "show my bots", "These are yours."]
    assert isinstance(messages[-1], ModelResponse)
    assert (messages[-1].model_name, messages[-1].metadata) == ("real", {"offline": {"topic": "bots"}})


def test_thoughts_are_removed_before_tool_results() -> None:
    messages = remember([_turn(_bots(2), thought="x" * 85_000)])
    assert _parts(messages, ThinkingPart) == []
    assert [row["name"] for row in _parts(messages, ToolReturnPart)[0].content["bots"]] == ["Bot 0", "Bot 1"]
