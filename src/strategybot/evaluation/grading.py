"""Grades what happened in a task: by the end state and the calls, never by prose."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from strategybot.conversations.agent.tools import TOOLS
from strategybot.conversations.receipts.numbers import mask, numbers_in
from strategybot.conversations.schemas import ToolCallView
from strategybot.conversations.turn.calls import is_failure
from strategybot.evaluation.stage import Played, Stage
from strategybot.evaluation.tasks import FREE_TO_WRITE, ExpectedCall, Task
from strategybot.kit.json_object import Json

WRITING = frozenset(tool.name for tool in TOOLS if tool.effect != "reads")
LINKING = frozenset({"set_bot"})  # changes nothing of a bot
FAILED = re.compile(r"(?:The language model|I stop here|I could not finish|I was interrupted)")


async def faults(task: Task, stage: Stage, played: Played) -> list[str]:
    """Return what is wrong with it, in words; nothing if the task is passed."""
    found = [*_faults_of_the_answers(played), *_faults_of_the_calls(task, played), *_unwanted_writes(task, played)]
    found += list(_faults_of_the_numbers(task, played))
    if task.expect.strategy is not None and not found:
        found += await _faults_of_the_strategy(task, stage, played)
    return found


def _faults_of_the_answers(played: Played) -> Iterator[str]:
    if any(FAILED.match(answer) for answer in played.answers):
        yield "The turn failed."
    if played.unverified:
        yield f"Numbers without a receipt: {', '.join(played.unverified)}."


def _faults_of_the_calls(task: Task, played: Played) -> Iterator[str]:
    for expected in task.expect.calls:
        if not any(_is_expected(call, expected) for call in played.calls):
            yield f"{expected.tool} was not called as expected."


def _is_expected(call: ToolCallView, expected: ExpectedCall) -> bool:
    if call.name != expected.tool or is_failure(call.result):
        return False
    if expected.days is not None and abs(_days(call.result) - expected.days) > 0.1:
        return False
    return contains(call.result, expected.result)


def _days(run: Json) -> float:
    start, end = (datetime.fromisoformat(run[name]) for name in ("start_time", "end_time"))
    return (end - start).total_seconds() / 86_400


def contains(found: Any, expected: Any) -> bool:
    """Return whether a result has everything that is expected: lists equally many entries, in any order; a text
    somewhere.
    """
    if not expected and isinstance(expected, dict):
        return True
    if isinstance(expected, str) and not isinstance(found, str):
        return expected in json.dumps(found)
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(contains(found.get(key), expected[key]) for key in expected)
    if isinstance(expected, list):
        is_complete = isinstance(found, list) and len(found) == len(expected)
        return is_complete and all(any(contains(one, wanted) for one in found) for wanted in expected)
    return bool(found == expected)


def _unwanted_writes(task: Task, played: Played) -> Iterator[str]:
    if task.group in FREE_TO_WRITE:
        return
    allowed = {*task.expect.writes, *(call.tool for call in task.expect.calls), *LINKING}
    done = {call.name for call in played.calls if call.name in WRITING and not _is_harmless(call)}
    for tool in sorted(done - allowed):
        yield f"{tool} was done."
    if played.before.bots != played.after.bots:
        yield "A bot was changed."
    if any(played.after.simulations.get(run) != status for run, status in played.before.simulations.items()):
        yield "A live simulation was ended."


def _is_harmless(call: ToolCallView) -> bool:
    return is_failure(call.result) or call.arguments.get("dry_run") is True


def _faults_of_the_numbers(task: Task, played: Played) -> Iterator[str]:
    runs = [run for call in played.calls for run in _runs_in(call.result) if run.get("metrics")]
    metrics = runs[-1]["metrics"] if runs else {}
    written = [reading for number in numbers_in(mask(played.answers[-1])) for reading in number.readings]
    for name in task.expect.tells:
        value = metrics.get(name)
        if value is None or not any(abs(abs(number) - abs(value)) <= room for number, room in written):
            yield f"The answer does not give {name}."


def _runs_in(result: Any) -> list[Json]:
    """Return the runs of a result: itself, the last one of a bot, or those of a comparison."""
    if not isinstance(result, dict):
        return []
    compared = result.get("backtests")
    runs = [result, result.get("last_backtest"), *(compared if isinstance(compared, list) else [])]
    return [run for run in runs if isinstance(run, dict)]


async def _faults_of_the_strategy(task: Task, stage: Stage, played: Played) -> list[str]:
    bot = await stage.bot(task.expect.bot)
    if bot is None or bot.strategy is None:
        return ["There is no strategy."]
    others = {name: kept for name, kept in played.before.bots.items() if name != bot.name}
    if any(played.after.bots.get(name) != kept for name, kept in others.items()):
        return ["Another bot was changed."]
    expected, traded = await stage.trades_of(task.expect.strategy), await stage.trades_of(bot.strategy)
    return [] if traded == expected else ["The strategy does not trade like the expected one."]
