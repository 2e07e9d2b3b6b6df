"""Orders of the table with a few words around them: what unsays or limits an order holds it back, courtesy does not."""

import asyncio
import json
import random
from itertools import cycle
from typing import Any

import pytest

from tests.conversations.offline.score import Verdict, play
from tests.conversations.offline.test_utterances import TABLE
from tests.conversations.offline.world import DIP, FULL, comparable, world

LONGEST = 110
ROWS: list[dict[str, Any]] = [
    row
    for row in json.loads(TABLE.read_text(encoding="utf-8"))
    if not row.get("after") and len(row["say"]) < LONGEST and "?" not in row["say"]
]
CHANGES = [row for row in ROWS if "strategy" in row["expect"] and "calls" not in row["expect"]]
# Each of these makes another thing of whatever order it stands with.
TWISTS = (
    "{} unless it rains", "{} only on weekends", "{} if my wife agrees", "{} when i say so", "{} as soon as i have money",
    "my friend says {}", "he said {}", "they told me to {}", "yesterday i said {}", "i read somewhere {}", "maybe {}",
    "what if {}", "what happens if {}", "should i {}", "do you think {} is good", "suppose {}", "imagine {}",
    "hypothetically {}", "please dont {}", "i would never {}", "{} tomorrow", "{} next week", "{} every tuesday",
    "{} nvm", "{} or not", "{} hmm not sure", "{} on my other bot", "{} for all my bots", "{} in the other account",
    "{} except for KOI", "{} until friday", "{} for the first trade", "{} after 3 losses", "{} most of the time",
    "{} sometimes", "{} with 5x leverage", "{} and email me", "{} and the zorg to 7", "{} between 4 and 6",
    "{} but not if it is red", "{} like my brother does", "for instance {}", "note to self: {}", "remind me to {}",
    "i was going to {}", "is it wise to {}", "can you explain how to {}", "{} once approved", "{} subject to my ok",
    "if the market is open {}", "{} but a bit more", "{} for small trades", "{} when btc is up", "{} plus RSI under 30",
)  # fmt: skip
COURTESIES = (
    "please {}", "{} please", "hey {}", "hi, {}", "ok so {}", "{} thanks", "{}, thank you!", "alright, {}", "hello! {}",
    "perfect, {}", "got it, {}", "{} :)", "um {}", "cool. {}", "{} cheers", "thanks! {}", "Good evening. {}", "great, {}",
)  # fmt: skip
PLAYED = 6  # rows a twist
PAIRS = 60
JOINTS = (" and ", ", ", " then ", " and also ", ". ", "; ", " plus ")
CONTRARY = frozenset({"conditions", "match", "exit_conditions", "exit_match"})  # what two orders may dispute about


def played(frames: tuple[str, ...], rows: list[dict[str, Any]], times: int) -> list[Verdict]:
    """The frames around rows that are drawn alike each time."""
    drawn = random.Random(7).sample(rows, k=min(len(rows), len(frames) * times))
    said = [{**row, "say": frame.format(row["say"])} for row, frame in zip(drawn, cycle(frames), strict=False)]
    return asyncio.run(_play_all(said))


async def _play_all(rows: list[dict[str, Any]]) -> list[Verdict]:
    return [await play(row) for row in rows]


def test_what_unsays_or_limits_an_order_holds_it_back() -> None:
    held = [{**row, "expect": {"answer": True}} for row in CHANGES]
    acted = [verdict for verdict in played(TWISTS, held, PLAYED) if not verdict.safe]
    assert not acted, "\n".join(map(str, acted))


@pytest.mark.parametrize("given", ["dip", "full"])
def test_courtesy_says_nothing_of_an_order(given: str) -> None:
    rows = [row for row in CHANGES if row["given"] == given and row["say"][0].islower()]
    missed = [verdict for verdict in played(COURTESIES, rows, PLAYED // 2) if not verdict.exact]
    assert not [verdict for verdict in missed if not verdict.safe], "\n".join(map(str, missed))
    assert len(missed) <= 3, "\n".join(map(str, missed))


def settings_only(row: dict[str, Any]) -> bool:
    """Whether it changes nothing but the limits of a trade."""
    before = comparable({"dip": DIP, "full": FULL}[row["given"]]) or {}
    after = comparable(row["expect"]["strategy"]) or {}
    return all(after.get(key) == before.get(key) for key in CONTRARY)


async def in_turn(given: str, *messages: str) -> dict[str, Any] | None:
    """The strategy after messages of which none knows of the others."""
    stage = world(given)
    for message in messages:
        stage.history = []
        await stage.say(message)
    return comparable(stage.linked.strategy) if stage.linked else None


@pytest.mark.parametrize("given", ["dip", "full"])
def test_two_orders_in_one_message_are_both_done_or_neither(given: str) -> None:
    rows = [row for row in CHANGES if row["given"] == given and row["say"][0].islower() and "." not in row["say"]]
    orders = [row["say"] for row in rows if settings_only(row) and len(row["say"]) < LONGEST // 3]
    drawn = random.Random(11)

    async def half_done() -> list[str]:
        found = []
        for _ in range(PAIRS):
            one, other = drawn.sample(orders, 2)
            both = f"{one}{drawn.choice(JOINTS)}{other}"
            alike = [await in_turn(given, *said) for said in ((), (one, other), (other, one))]
            found += [both] if await in_turn(given, both) not in alike else []
        return found

    assert not asyncio.run(half_done())
