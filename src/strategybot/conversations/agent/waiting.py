"""Waits for the end of a run: tells how far it is, and stops it if the call is cancelled."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any, TypeVar

import anyio

from strategybot.backtests.schemas import BacktestView
from strategybot.conversations.agent.tool_definition import ToolContext
from strategybot.kit.errors import AppError
from strategybot.kit.threads import run_blocking, run_read
from strategybot.runs.service import Runs
from strategybot.searches.schemas import OptimisationView
from strategybot.surveys.schemas import SurveyView

POLL_SECONDS = 0.05
QUIET_SECONDS = 2  # before the first report
SECONDS_BETWEEN_REPORTS = 1
FINISHED = {"completed", "failed", "stopped"}
Awaited = TypeVar("Awaited", BacktestView, OptimisationView, SurveyView)


async def run_to_end(work: ToolContext, service: Runs[Any, Awaited, Any], started: Awaitable[Awaited]) -> Awaited:
    """Return the run once it has finished, or as it is after the seconds to wait."""
    with anyio.CancelScope(shield=work.stops_runs):  # a run that is being saved must be known to be stopped
        run = await started
    try:
        return await _wait(work, service, run)
    except asyncio.CancelledError:
        if work.stops_runs:
            with anyio.CancelScope(shield=True), suppress(AppError):  # it has ended in this moment
                await run_blocking(service.stop, work.caller.principal, run.bot_id, run.run_id)
        raise


async def _wait(work: ToolContext, service: Runs[Any, Awaited, Any], run: Awaited) -> Awaited:
    now = asyncio.get_running_loop().time
    deadline, due, told = now() + work.seconds_to_wait, now() + QUIET_SECONDS, -1.0
    while not _is_done(run) and now() < deadline:
        await asyncio.sleep(POLL_SECONDS)
        run = await run_read(service.run, work.caller.principal, run.bot_id, run.run_id)
        if work.report is not None and now() >= due and run.progress > told:
            due, told = now() + SECONDS_BETWEEN_REPORTS, run.progress
            await work.report(run.progress, f"{run.status}, {run.progress:.0f} %")
    return run


def _is_done(run: BacktestView | OptimisationView | SurveyView) -> bool:
    """Return whether the run is finished and graded: the verdict of a completed backtest follows within a moment."""
    if isinstance(run, BacktestView) and run.status == "completed":
        return run.verdict is not None or run.verdict_error is not None
    return run.status in FINISHED
