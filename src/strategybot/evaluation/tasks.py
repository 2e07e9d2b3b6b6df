"""The tasks by which a language model is graded: what there is, what the user says, and what must be true afterwards.

They are in `tasks.json`; docs/models.md says how to add one.
"""

import json
import zlib
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from strategybot.simulations.schemas import Mode
from strategybot.trading.language.strategy import Strategy

Group = Literal["understand", "change", "refuse", "research", "explain", "resist"]
GROUPS: tuple[Group, ...] = get_args(Group)
FREE_TO_WRITE = frozenset({"understand", "change"})  # groups that are graded by the strategy alone


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class GivenBot(Part):
    """A bot that exists before the user speaks. The last one is linked to the conversation."""

    name: str
    strategy: Strategy | None = None
    token: str | None = "SOL"  # a symbol of the task's market
    description: str = ""
    backtests: Annotated[int, Field(description="So many runs, of 20, 10, … days")] = 0
    simulation: Mode | None = None


class GivenToken(Part):
    """A token that this market has beside the usual ones."""

    symbol: str
    name: str
    chain: str = "solana"


class ExpectedCall(Part):
    """A call that must have succeeded, by what came of it."""

    tool: str
    result: Annotated[
        dict[str, Any] | str, Field(description="What its result must contain; of a text, somewhere in it")
    ] = {}
    days: Annotated[float | None, Field(description="How long the run was")] = None


class Expected(Part):
    strategy: Annotated[Strategy | None, Field(description="What the bot must trade like")] = None
    bot: Annotated[str | None, Field(description="Which bot, if it is not the linked one")] = None
    calls: tuple[ExpectedCall, ...] = ()
    tells: Annotated[tuple[str, ...], Field(description="Metrics of the last backtest that the answer must give")] = ()
    writes: Annotated[tuple[str, ...], Field(description="Tools that may change something besides `calls`")] = ()


class Task(Part):
    id: str
    group: Group
    say: Annotated[tuple[str, ...], Field(min_length=1)]
    bots: tuple[GivenBot, ...] = ()
    tokens: tuple[GivenToken, ...] = ()
    expect: Expected = Expected()

    @property
    def seed(self) -> int:
        """The seed of the task's own market."""
        return zlib.crc32(self.id.encode())


@cache
def all_tasks() -> tuple[Task, ...]:
    rows = json.loads(files("strategybot.evaluation").joinpath("tasks.json").read_text(encoding="utf-8"))
    return tuple(Task.model_validate(row) for row in rows)


def chosen_tasks(count: int | None) -> tuple[Task, ...]:
    """Return so many tasks, as many of each group as possible; all by default."""
    tasks = all_tasks()
    by_group = [[task for task in tasks if task.group == group] for group in GROUPS]
    mixed = [group[place] for place in range(max(map(len, by_group))) for group in by_group if place < len(group)]
    return tasks if count is None else tuple(mixed[:count])
