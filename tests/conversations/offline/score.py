"""How well the offline model understands a table of utterances: *exact* (did what was meant), *within one yes* (exact, or one
"yes" away from it) and *safe* (changed nothing else).

`python -m tests.conversations.offline.score FILE` prints every miss, and the three figures on its last line; tests/conversations/README.md says how
a row is written.
"""

import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conversations.offline.world import World, comparable, world

_SAME_ARGUMENT = {"set_bot": {"name": "bot"}}  # the tables say by its name what the tool takes as `bot`


@dataclass(frozen=True)
class Verdict:
    row: dict[str, Any]
    exact: bool
    within_one_yes: bool
    safe: bool
    reply: str
    calls: list[dict[str, Any]]

    def __str__(self) -> str:
        said = " → ".join([*self.row.get("after", []), self.row["say"]])
        made = [f"{call['name']} {json.dumps(call['arguments'])}" for call in self.calls]
        lines = [
            f"{'UNSAFE' if not self.safe else 'one yes' if self.within_one_yes else 'inexact'} ({self.row['given']}): {said}",
            f"    expected  {json.dumps(self.row['expect'])}",
            f"    called    {'; '.join(made) or 'nothing'}",
            f"    answered  {self.reply}",
        ]
        return "\n".join(lines)


@dataclass(frozen=True)
class Score:
    verdicts: list[Verdict]

    @property
    def exact(self) -> float:
        return sum(verdict.exact for verdict in self.verdicts) / len(self.verdicts)

    @property
    def within_one_yes(self) -> float:
        return sum(verdict.within_one_yes for verdict in self.verdicts) / len(self.verdicts)

    @property
    def safe(self) -> float:
        return sum(verdict.safe for verdict in self.verdicts) / len(self.verdicts)

    @property
    def missed(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if not verdict.exact]

    def __str__(self) -> str:
        return f"{len(self.verdicts)} utterances, exact {self.exact:.1%}, within one yes {self.within_one_yes:.1%}, safe {self.safe:.1%}"


def score(table: Path) -> Score:
    return asyncio.run(_play_all(json.loads(table.read_text(encoding="utf-8"))))


async def _play_all(rows: list[dict[str, Any]]) -> Score:
    return Score([await play(row) for row in rows])


async def play(row: dict[str, Any]) -> Verdict:
    stage = world(row["given"])
    for earlier in row.get("after", []):
        await stage.say(earlier)
    reply = await stage.say(row["say"])
    exact = _is_exact(row["expect"], stage, reply)
    calls, safe = stage.calls, exact or not stage.acted
    return Verdict(row, exact, exact or await _is_a_yes_away(row, stage, reply), safe, reply, calls)


async def _is_a_yes_away(row: dict[str, Any], stage: World, reply: str) -> bool:
    if stage.acted or not reply.endswith("(yes/no)"):
        return False
    return _is_exact(row["expect"], stage, await stage.say("yes"))


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


if __name__ == "__main__":
    result = score(Path(sys.argv[1]))
    sys.stdout.write("\n".join([*map(str, result.missed), str(result), ""]))
