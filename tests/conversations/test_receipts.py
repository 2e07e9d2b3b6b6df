"""Receipts: a number about a run that no tool found is marked; rounding, signs and separators are forgiven."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from strategybot.conversations.receipts import check
from strategybot.settings import Settings
from tests.conversations.talking import Headers, begin, call, say, scripted, stream, text
from tests.support import STRATEGY, create_bot

RUN: dict[str, Any] = {
    "run_id": "01900000-0000-7000-8000-000000000042",
    "initial_cash": 10_000.0,
    "metrics": {
        "total_return": -12.3456,
        "win_rate": 42.857142857,
        "max_drawdown": 18.04,
        "sharpe_ratio": 1.2345,
        "total_trades": 7,
        "final_equity": 8765.44,
        "buy_and_hold_return": 3.1,
        "fees_paid": 140.5,
    },
}
SUMMARY = "Sell at a 3 % loss (stop loss), or at a 10 % gain (take profit)."


@pytest.mark.parametrize(
    ("answer", "unverified"),
    [
        ("It returned -12.35 %.", []),
        ("It returned −12.3 %.", []),
        ("It lost 12.3 % in the backtest.", []),
        ("It lost about 12 %.", []),
        ("It lost 12.34 %.", ["12.34 %"]),
        ("It gained 12.3 %.", ["12.3 %"]),
        ("It returned 12.3 %.", ["12.3 %"]),
        ("The total return was 45%.", ["45%"]),
        ("The win rate is 43 % over 7 trades.", []),
        ("The win rate is 42.9 percent.", []),
        ("The win rate is 44 %.", ["44 %"]),
        ("It made 7 trades and won 3 of them.", []),
        ("It lost 4 trades.", []),
        ("It made 8 trades.", ["8"]),
        ("Deepest drawdown: -18.04 %.", []),
        ("The drawdown was 18%.", []),
        ("The Sharpe ratio is 1.23.", []),
        ("The Sharpe ratio is 1.24.", ["1.24"]),
        ("You ended with an equity of $8,765.44.", []),
        ("You ended with an equity of 8.8k.", []),
        ("You ended with an equity of 9.8k.", ["9.8k"]),
        ("Of your 10,000 in cash 8,765 is left.", []),
        ("That is a loss of 1,234.56.", []),
        ("Buy and hold would have returned 3.1 %, your strategy 31 %.", ["31 %"]),
        ("Roughly 140 in fees.", []),
        ("The return was 55 %, the return was 55 %.", ["55 %"]),
    ],
)
def test_a_number_about_a_run_is_looked_up(answer: str, unverified: list[str]) -> None:
    receipts = check(answer, [RUN])
    assert receipts.unverified == unverified
    assert receipts.checked > 0


@pytest.mark.parametrize(
    "answer",
    [
        "Should I set the stop loss to 4 %?",
        "I suggest a stop loss of 4 %.",
        "A token with 12,345 holders.",
        "The backtest ran from 2026-01-01 to 2026-02-01 at 12:30.",
        "I tested the last 90 days on 15m candles.",
        "You can run 2 backtests at once, with 10 bots.",
        "The result is in `run 42`.",
        "1. Look at the trades\n2. Change the strategy",
        "Nothing to say.",
        "",
    ],
)
def test_what_claims_nothing_about_a_run_is_left_alone(answer: str) -> None:
    assert check(answer, [RUN]).unverified == []


def test_numbers_of_the_user_and_in_sentences_of_the_tools_are_known() -> None:
    assert check("It sells at a 3 % loss or a 10 % gain.", [{"summary": SUMMARY}]).unverified == []
    assert check("You lose 7 % at the most.", ["a stop at 7%, please"]).unverified == []
    assert check("You lose 7 % at the most.", []).unverified == ["7 %"]


def test_what_only_the_assistant_said_is_no_receipt() -> None:
    assert check("As I said, it returned 45 %.", [[{"name": "x", "arguments": {}, "result": RUN}]]).unverified


@given(st.text(max_size=300), st.recursive(st.none() | st.floats() | st.text(max_size=20), st.lists, max_leaves=8))
def test_whatever_is_written_is_checked_without_a_fault(answer: str, known: Any) -> None:
    receipts = check(f"return {answer} trades", [known])
    assert len(receipts.unverified) <= receipts.checked


@given(st.floats(min_value=-1e9, max_value=1e9), st.integers(min_value=0, max_value=4))
def test_every_rounding_of_a_found_number_is_verified(value: float, digits: int) -> None:
    for written in (f"{value:.{digits}f}", f"{value:,.{digits}f}", f"{value:+.{digits}f} %"):
        assert check(f"It returned {written}", [{"x": value}]).unverified == [], written


def test_a_false_number_is_marked_in_the_answer_and_in_what_is_kept(
    client: TestClient, settings: Settings, user: Headers
) -> None:
    bot = create_bot(client, user, strategy=STRATEGY)
    conversation = begin(client, user, bot_id=bot["id"])
    scripted(client, settings, text("Your last backtest returned 481 % with 3 trades."))
    turn = say(client, user, conversation, "how did it do?")
    assert turn["message"]["receipts"] == {"checked": 2, "unverified": ["481 %", "3"]}
    assert turn["message"]["content"].endswith("\n\n*In no result of this conversation: 481 %, 3.*")
    kept = client.get(f"/api/conversations/{conversation['id']}", headers=user).json()["messages"][-1]
    assert kept == turn["message"]
    streamed = stream(client, user, conversation, "really?")
    deltas = "".join(part["delta"] for part in streamed[:-1] if part["type"] == "text-delta")
    assert deltas == streamed[-3]["data"]["message"]["content"]


def test_numbers_found_in_an_earlier_turn_still_count(client: TestClient, settings: Settings, user: Headers) -> None:
    bot = create_bot(client, user, strategy=STRATEGY)
    conversation = begin(client, user, bot_id=bot["id"])
    scripted(client, settings, call("get_current_strategy"), text("Done."), text("A trade may lose 3 % and gain 10 %."))
    say(client, user, conversation, "look")
    assert say(client, user, conversation, "and?")["message"]["receipts"] == {"checked": 2, "unverified": []}
