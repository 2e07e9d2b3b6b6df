"""Guards by words: set, raised, lowered and removed."""

import asyncio
from typing import Any

import pytest

from tests.conversations.offline.world import World, world


def talk(*messages: str) -> tuple[World, str]:
    async def say_all() -> tuple[World, str]:
        stage, reply = world("dip"), ""
        for message in messages:
            reply = await stage.say(message)
        return stage, reply

    return asyncio.run(say_all())


def guards(*messages: str) -> dict[str, Any]:
    """The guards of the bot after these messages, without those that are off."""
    stage, _ = talk(*messages)
    assert stage.linked is not None
    strategy = stage.linked.strategy or {}
    return {name: value for name, value in (strategy.get("guards") or {}).items() if value is not None}


def streak(losses: int, pause: str) -> dict[str, Any]:
    return {"losing_streak": {"losses": losses, "pause": pause}}


STREAK = "stop buying after 3 losses in a row for a day"
TRADES = "at most 4 trades a day"
DRAWDOWN = "stop trading if it falls 20 % from its peak"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (STREAK, streak(3, "1d")),
        ("after 3 losing trades in a row pause for 12 hours", streak(3, "12h")),
        ("if it loses 3 times in a row, stop buying for 1 day", streak(3, "1d")),
        ("wait a day after 3 losses in a row", streak(3, "1d")),
        (TRADES, {"max_trades_per_day": 4}),
        ("no more than 5 trades per day", {"max_trades_per_day": 5}),
        ("limit it to 3 trades each day please", {"max_trades_per_day": 3}),
        ("only one trade a day", {"max_trades_per_day": 1}),
        ("trade at most twice a day", {"max_trades_per_day": 2}),
        (DRAWDOWN, {"max_drawdown_percent": 20}),
        ("stop trading when the account is down 20%", {"max_drawdown_percent": 20}),
        ("max drawdown 15%", {"max_drawdown_percent": 15}),
        ("stop buying at 15% drawdown", {"max_drawdown_percent": 15}),
    ],
)
def test_a_guard_is_set_by_ordinary_words(said: str, expected: dict[str, Any]) -> None:
    assert guards(said) == expected


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        (TRADES, "raise the trade limit to 6", {"max_trades_per_day": 6}),
        (TRADES, "lower the daily trade limit by 1", {"max_trades_per_day": 3}),
        (TRADES, "make it 6", {"max_trades_per_day": 6}),
        (TRADES, "remove the trade limit", {}),
        (DRAWDOWN, "lower the drawdown limit to 10%", {"max_drawdown_percent": 10}),
        (DRAWDOWN, "raise the drawdown limit by 5%", {"max_drawdown_percent": 25}),
        (DRAWDOWN, "remove the drawdown limit", {}),
        (STREAK, "raise the losing streak to 5", streak(5, "1d")),
        (STREAK, "make the pause after losses 12h", streak(3, "12h")),
        (STREAK, "remove the losing streak rule", {}),
        (STREAK, "remove the guards", {}),
        (STREAK, TRADES, {**streak(3, "1d"), "max_trades_per_day": 4}),
    ],
)
def test_a_guard_is_raised_lowered_and_removed(first: str, then: str, expected: dict[str, Any]) -> None:
    assert guards(first, then) == expected


def test_a_pause_without_a_time_is_shown_first() -> None:
    stage, reply = talk("stop buying after 3 losses in a row")
    assert not stage.acted
    assert reply.endswith("(yes/no)")
    assert guards("stop buying after 3 losses in a row", "yes") == streak(3, "1d")


@pytest.mark.parametrize(
    "said", ["at most 10 trades per week", "stop if it drops 5%", "would you set the stop to 5 %?"]
)
def test_what_can_be_meant_otherwise_is_asked_about(said: str) -> None:
    stage, reply = talk(said)
    assert not stage.acted
    assert "?" in reply


@pytest.mark.parametrize("said", ["could you set the stop to 5%?", "would you please set the stop to 5%?"])
def test_a_polite_request_is_an_order(said: str) -> None:
    assert talk(said)[0].acted


@pytest.mark.parametrize("said", ["what was the max drawdown?", "how many trades a day did it make?", "stop trading"])
def test_questions_and_a_bare_stop_change_no_guard(said: str) -> None:
    assert guards(said) == {}
