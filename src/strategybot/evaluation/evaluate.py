"""Runs the tasks with a language model, and sums up how it did."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from strategybot.conversations.agent.context import InContext
from strategybot.conversations.agent.language_models import bare_model
from strategybot.conversations.offline.model import OfflineModel
from strategybot.conversations.turn.turns import OFFLINE
from strategybot.evaluation.counting import CountedModel, Usage
from strategybot.evaluation.grading import faults
from strategybot.evaluation.stage import set_up, template
from strategybot.evaluation.tasks import GROUPS, Task
from strategybot.kit.json_object import Json
from strategybot.settings import Settings, environment


@dataclass(frozen=True, slots=True)
class Graded:
    """One run of a task."""

    task: str
    group: str
    faults: list[str]
    calls: int
    usage: Usage
    seconds: float
    answers: list[str]

    @property
    def passed(self) -> bool:
        return not self.faults

    def document(self) -> Json:
        return {**asdict(self), "passed": self.passed}


@dataclass(frozen=True, slots=True)
class Row:
    """The runs of a group, or of all groups, summed up."""

    group: str
    runs: int
    passed: int
    tasks: int
    passed_every_time: int
    calls: int
    usage: Usage
    seconds: float

    def cost(self, dollars_in: float, dollars_out: float) -> float:
        """Return the cost in dollars, by the prices of a million tokens."""
        return (self.usage.input_tokens * dollars_in + self.usage.output_tokens * dollars_out) / 1e6


def model_named(name: str, settings: Settings) -> CountedModel:
    """Return the model without a fallback, which would be graded in its place."""
    if name == OFFLINE:
        return CountedModel(OfflineModel())
    return CountedModel(InContext(bare_model(name, environment()), settings.context_tokens))


async def evaluate(
    model: CountedModel, tasks: Sequence[Task], repeat: int, settings: Settings, tell: Callable[[Graded], None]
) -> list[Graded]:
    """Return every run of every task, and tell each when it is graded."""
    graded = []
    with tempfile.TemporaryDirectory() as folder:
        copied = template(Path(folder))
        for task in tasks:
            for _ in range(repeat):
                graded.append(await _grade(model, task, settings, copied))
                tell(graded[-1])
    return graded


async def _grade(model: CountedModel, task: Task, settings: Settings, copied: Path) -> Graded:
    async with set_up(task, settings, copied) as stage:
        played = await stage.play(task, model, settings)
        usage = model.take()
        found = await faults(task, stage, played)
        return Graded(task.id, task.group, found, len(played.calls), usage, played.seconds, played.answers)


def summed_up(graded: Sequence[Graded]) -> Iterator[Row]:
    """Yield a row for each group, and one for all of them."""
    for group in GROUPS:
        if runs := [each for each in graded if each.group == group]:
            yield _row(group, runs)
    yield _row("all", graded)


def _row(group: str, runs: Sequence[Graded]) -> Row:
    tasks = {run.task for run in runs}
    failed = {run.task for run in runs if not run.passed}
    return Row(
        group=group,
        runs=len(runs),
        passed=sum(run.passed for run in runs),
        tasks=len(tasks),
        passed_every_time=len(tasks - failed),
        calls=sum(run.calls for run in runs),
        usage=sum((run.usage for run in runs), Usage()),
        seconds=sum(run.seconds for run in runs),
    )
