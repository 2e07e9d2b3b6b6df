"""No amount of an order is lost: each one is in what was done, or nothing was done."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from strategybot.conversations.offline.words.hearing import line_of
from strategybot.conversations.offline.words.lines import Item
from strategybot.conversations.offline.words.quantities import duration_text
from tests.conversations.offline.test_fuzz import steps
from tests.conversations.offline.world import ACTING

# Amounts that the strategy in place does not have, in clauses where none is an old value or a step.
CLAUSES = {
    ("11%", "13%", "17 %", "15-16%"): (
        "it drops {}", "it rises {}", "stop loss {}", "take profit {}", "trailing stop {}", "position size {}",
        "at {} profit", "{} of my cash", "sell at {}", "{}",
    ),
    ("7x", "6 times", "9 fold"): ("the volume is {}", "{}"),
    ("19h", "23 minutes", "9 days"): (
        "hold at most {}", "cooldown {}", "or after {}", "leave after {}", "in {}", "within {}", "{} at most",
        "sell after {}", "over the last {}", "max {}", "wait {} after each sell", "{}",
    ),
    ("$0.37", "0.41", "29"): ("price above {}", "it falls below {}", "let it go once its over {}", "stop loss {}", "{}"),
}  # fmt: skip
OPENINGS = ("", "buy when", "sell when", "sell", "set", "add", "backtest it", "simulate it")
JOINS = (" ", ", ", ". ", " and ", " or ", " then ", ", buy when ", ", sell when ")


@some.composite
def orders(draw: some.DrawFn) -> str:
    """Like an order: up to four amounts, each in a clause that may or may not fit where it stands."""
    said = draw(some.sampled_from(OPENINGS))
    for kinds in draw(some.lists(some.sampled_from(sorted(CLAUSES)), min_size=1, max_size=4)):
        left = [amount for amount in kinds if amount not in said]
        if left:
            clause = draw(some.sampled_from(CLAUSES[kinds])).format(draw(some.sampled_from(left)))
            said += (draw(some.sampled_from(JOINS)) if said else "") + clause
    return said


def written(done: Any) -> set[str]:
    """Every value in what was done."""
    if isinstance(done, dict):
        return {value for inner in done.values() for value in written(inner)}
    if isinstance(done, list):
        return {value for inner in done for value in written(inner)}
    return {f"{done:g}" if isinstance(done, int | float) else str(done)}


def taken(item: Item, done: set[str]) -> bool:
    assert item.token is not None
    amount = item.token.value
    if item.is_duration:
        return bool({duration_text(amount), f"{amount:g}", f"{amount / 86400:g}"} & done)
    return f"{amount:g}" in done


def lost(text: str) -> list[str]:
    """The amounts that are nowhere in what the message made the model do; none when it did nothing."""
    calls = [call.arguments for call in steps(text)[0] if call.name in ACTING]
    amounts = [item for item in line_of(text).items if item.is_number or item.is_duration]
    return [item.text for item in amounts if calls and not taken(item, written(calls))]


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(orders())
def test_every_amount_of_an_order_is_done_or_asked_about(text: str) -> None:
    assert not lost(text)


@pytest.mark.parametrize(
    "text",
    [
        "buy when it drops 5% or after 12h", "buy 1h after it drops 5%", "set the stop to 4% after 2 days", "stop 4% and 3 hours",
        "tp 12%, 10 hours", "start the simulation for 3 hours", "replay the last 2 hours", "stop the simulation after 60 seconds",
        "stop the simulation at 5%", "would it have made money last month with 3x", "create a bot called Zed, 5h",
        "change the drop to 7% and the drop to 9%", "clear the strategy and set the stop to 4%",
        "backtest 30 days on 5m candles and 15m candles",
    ],
)  # fmt: skip
def test_an_amount_that_fits_nowhere_is_asked_about(text: str) -> None:
    calls, said = steps(text)
    assert not [call for call in calls if call.name in ACTING]
    assert "?" in said.text
