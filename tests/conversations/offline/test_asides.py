"""An order among words that are none is done as if it stood alone; with anything doubtful beside it, it is not."""

import asyncio
from itertools import cycle

import pytest

from tests.conversations.offline.test_twists import CHANGES, TWISTS, played
from tests.conversations.offline.world import DIP, comparable, world

REMARKS = (
    "I'm from Lisbon. {}", "It dropped 20% yesterday! {}", "My hands are shaking... {}", "I lost 400 dollars last week, so {}",
    "hello everyone, {}", "The market is crazy today. {}", "BTC fell 9% this morning, {}", "I have 3 dogs and 1 cat. {}",
    "{}. How long is the cooldown?", "What is a trailing stop? {}", "sorry for my english, {}",
    "I've been trading for 5 years. {}", "{} because it crashed 30% yesterday", "After a lot of thought: {}",
)  # fmt: skip
PLAYED = 8  # rows a remark
WELL_READ = 0.95
DOUBTFUL = (
    "{}. is that wise?", "{}. good idea?", "{}. or is 5% better?", "{}. I was joking", "{}. I changed my mind",
    "{}. I'm having second thoughts", "{}. my cat typed it", "{}, my friend does", "I am rich? {}", "at night, {}",
    "in bear markets, {}", "I dreamt of this: {}", "My wife has to agree first. {}", "My teacher gave us an exercise. {}",
    "Moonshot lost 5% yesterday. {}", "It's about KOI. {}", "The moment it drops, {}", "My friend told me this. {}",
    "is KOI risky? then {}", "how long is the cooldown? if it's 1h {}", "I lost 5%. tomorrow {}", "as an example, {}",
    "I'm tired, {} tomorrow", "they are crazy, they {}", "would you be so kind as to not {}?",
)  # fmt: skip
ORDERS = ("set the stop to 4%", "take profit 14%", "use 20% of the cash", "add a cooldown of 2h")


def outcome_of(said: str, given: str = "dip") -> tuple[str, bool]:
    """What is answered, and whether anything was done."""
    stage = world(given)
    reply = asyncio.run(stage.say(said))
    return reply, bool(stage.acted)


def test_remarks_around_an_order_change_nothing_of_it() -> None:
    verdicts = played(REMARKS, CHANGES, PLAYED)
    unsafe = [verdict for verdict in verdicts if not verdict.safe]
    assert not unsafe, "\n".join(map(str, unsafe))
    assert sum(verdict.exact for verdict in verdicts) >= WELL_READ * len(verdicts)


def test_remarks_hide_nothing_that_unsays_or_limits_an_order() -> None:
    frames = tuple(remark.format(twist) for remark, twist in zip(cycle(REMARKS), TWISTS, strict=False))
    held = [{**row, "expect": {"answer": True}} for row in CHANGES]
    acted = [verdict for verdict in played(frames, held, 4) if not verdict.safe]
    assert not acted, "\n".join(map(str, acted))


@pytest.mark.parametrize("frame", DOUBTFUL)
def test_an_order_beside_something_doubtful_is_not_done(frame: str) -> None:
    done = [order for order in ORDERS if outcome_of(frame.format(order))[1]]
    assert not done


@pytest.mark.parametrize(
    ("said", "stop"),
    [
        ("3% stop keeps getting me out, set it to 5%", 5),
        ("the stop is too tight. make it 6%", 6),
        ("my brother has a 5% stop but I'd rather have 4%", 4),
        ("my dad swears by a 2% stop, so use that", 2),
    ],
)
def test_what_an_order_points_at_is_the_part_that_was_named(said: str, stop: float) -> None:
    stage = world("dip")
    asyncio.run(stage.say(said))
    wanted = {**DIP, "risk_management": {**DIP["risk_management"], "stop_loss_percent": stop}}
    assert stage.linked is not None
    assert comparable(stage.linked.strategy) == comparable(wanted)


@pytest.mark.parametrize(
    "said",
    ["7% stop keeps getting me out, set it to 5%", "sl 4 is fine. set the target to 12", "3% stop is fine, make it 5%"],
)
def test_a_value_that_the_strategy_does_not_hold_or_that_was_praised_is_asked_about(said: str) -> None:
    reply, acted = outcome_of(said)
    assert not acted
    assert "?" in reply


def test_a_plain_question_is_answered_beside_the_order() -> None:
    reply, acted = outcome_of("What does a trailing stop do exactly? Anyway, add one at 3%.")
    assert acted
    assert "under its highest point" in reply
    assert "3 % under its peak" in reply


def test_the_risk_of_a_token_is_told_beside_the_order() -> None:
    reply, acted = outcome_of("is PIPO a risky token btw? and make the stop loss 6%")
    assert acted
    assert "risk" in reply
    assert "6 % loss" in reply
