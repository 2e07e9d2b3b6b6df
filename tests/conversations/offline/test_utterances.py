"""How traders talk, against the offline model: *exact* (did what was meant) and *safe* (exact, or changed nothing)."""

import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conversations.offline.world import World, comparable, world

FOLDER = Path(__file__).parent.parent
# The parser was made with the first table in view. By the second it was measured once when it had never seen it: it
# read 77.5 % exactly and 95.6 % safely, where 90 % and 100 % are the goal. Since then its floors only keep it from falling.
FLOORS = {"utterances_seen": (1.0, 1.0), "utterances_unseen": (0.81, 0.98)}
_SAME_ARGUMENT = {"set_bot": {"name": "bot"}}  # the tables say by its name what the tool takes as `bot`


@dataclass(frozen=True)
class Verdict:
    row: dict[str, Any]
    exact: bool
    safe: bool
    reply: str
    calls: list[dict[str, Any]]


async def play(row: dict[str, Any]) -> Verdict:
    stage = world(row["given"])
    for earlier in row.get("after", []):
        await stage.say(earlier)
    reply = await stage.say(row["say"])
    exact = _is_exact(row["expect"], stage, reply)
    return Verdict(row, exact, exact or not stage.acted, reply, stage.calls)


async def play_all(rows: list[dict[str, Any]]) -> list[Verdict]:
    return [await play(row) for row in rows]


def _is_exact(expect: dict[str, Any], world: World, reply: str) -> bool:
    if "ask" in expect:
        return not world.acted and "?" in reply
    if "answer" in expect:
        return not world.acted and bool(reply.strip())
    right = True
    if "strategy" in expect:
        stored = world.linked.strategy if world.linked else None
        right = comparable(stored) == comparable(expect["strategy"])
    if "calls" in expect:
        right = right and _called(expect["calls"], world, "strategy" in expect)
    return right


def _called(expected: list[dict[str, Any]], world: World, beside_change: bool) -> bool:
    """Exactly the acting calls that are expected, and among the others those that are named."""
    writing = {"update_trading_strategy", "create_bot"} if beside_change else set()
    names = {call["name"] for call in expected}
    made = [
        call for call in world.calls if (call in world.acted and call["name"] not in writing) or call["name"] in names
    ]
    acting = [call for call in made if call in world.acted]
    wanted = [call for call in expected if any(call["name"] == each["name"] for each in world.acted)]
    return len(acting) == len(wanted) and all(any(_fits(call, each) for each in made) for call in expected)


def _fits(expected: dict[str, Any], made: dict[str, Any]) -> bool:
    renamed = _SAME_ARGUMENT.get(expected["name"], {})
    wanted = {renamed.get(key, key): value for key, value in expected["arguments"].items()}
    return made["name"] == expected["name"] and all(
        made["arguments"].get(key) == value for key, value in wanted.items()
    )


@pytest.mark.parametrize("table", FLOORS)
def test_what_traders_say_is_done_exactly_or_not_at_all(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    verdicts = asyncio.run(play_all(json.loads((FOLDER / f"{table}.json").read_text())))
    exact = sum(verdict.exact for verdict in verdicts) / len(verdicts)
    safe = sum(verdict.safe for verdict in verdicts) / len(verdicts)
    with capsys.disabled():
        sys.stdout.write(f"\n{table}: {len(verdicts)} utterances, exact {exact:.1%}, safe {safe:.1%}\n")
    least_exact, least_safe = FLOORS[table]
    unsafe = [(verdict.row["say"], verdict.calls, verdict.reply) for verdict in verdicts if not verdict.safe]
    assert safe >= least_safe, unsafe
    missed = [(verdict.row["say"], verdict.reply) for verdict in verdicts if not verdict.exact]
    assert exact >= least_exact, missed
