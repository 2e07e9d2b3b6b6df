"""The tools about runs of every kind: list, read, stop, explain and share them."""

from typing import Any

from pydantic import BaseModel

from strategybot.backtests.schemas import BacktestView, ConditionAt
from strategybot.conversations.agent.agreement import check_agreed, check_end_of_live, check_end_of_watch
from strategybot.conversations.agent.arguments import AnyRunId, Bot, OfMany, Shared, TradesPage, When
from strategybot.conversations.agent.facts import OptimisationFacts, RunFacts, SurveyFacts
from strategybot.conversations.agent.live_facts import SimulationWithLogFacts, WatchFacts
from strategybot.conversations.agent.live_tools import LOG_ENTRIES_SHOWN
from strategybot.conversations.agent.refusals import NothingAtThatTime, NothingToExplain
from strategybot.conversations.agent.result_facts import (
    AnyRunFacts,
    ExplanationFacts,
    ListedRunFacts,
    RunListFacts,
    ShareFacts,
)
from strategybot.conversations.agent.run_tools import backtest_with_trades
from strategybot.conversations.agent.tool_definition import ToolContext
from strategybot.kit.clock import utc_moment
from strategybot.kit.json_object import Json
from strategybot.kit.paging import Paging
from strategybot.kit.threads import run_blocking, run_read
from strategybot.searches.schemas import OptimisationView
from strategybot.simulations.schemas import SimulationView
from strategybot.surveys.schemas import SurveyView
from strategybot.trading.engine.instruments import INTERVAL_SECONDS
from strategybot.watches.schemas import WatchView

RUNS_SHOWN = 20
ACTIONS = {"BUY": "It bought", "SELL": "It sold", "HOLD": "It did nothing"}
FACTS: dict[type[BaseModel], type[BaseModel]] = {
    BacktestView: RunFacts,
    OptimisationView: OptimisationFacts,
    SurveyView: SurveyFacts,
    SimulationView: SimulationWithLogFacts,
    WatchView: WatchFacts,
}


async def list_runs(work: ToolContext, bot: Bot = None) -> RunListFacts:
    """The newest 20 runs of a bot, of every kind."""
    return await run_read(_list, work, bot)


async def get_run(work: ToolContext, run_id: AnyRunId, trades_page: TradesPage = None) -> AnyRunFacts:
    """A backtest, search, survey, simulation or watch: its status and what it found."""
    return await run_read(_run, work, run_id, trades_page)


async def stop_run(work: ToolContext, run_id: AnyRunId) -> AnyRunFacts:
    """Stop a backtest, search, survey, simulation or watch. What it found until then is kept."""
    return await run_blocking(_stop, work, run_id)


async def explain(work: ToolContext, run_id: AnyRunId, time: When, token: OfMany = None) -> ExplanationFacts:
    """Why a backtest or simulation bought, sold or did nothing at the candle of a time: each condition as it was."""
    principal, runs = work.caller.principal, work.services.runs
    run = await run_read(runs.find, principal, run_id)
    if isinstance(run, SimulationView):
        return await run_read(_of_simulation, work, run, time)
    if not isinstance(run, BacktestView):
        raise NothingToExplain
    token_id = token and await work.services.token_choice.token_id(token)
    found = await work.services.explanations.explain(principal, run.bot_id, run_id, time, token_id)
    return ExplanationFacts(run_id=run_id, **dict(found))


async def share(work: ToolContext, run_id: AnyRunId, on: Shared = True) -> ShareFacts:
    """Make a completed backtest readable to everyone who knows its address, or end that."""
    principal, shares = work.caller.principal, work.services.shares
    of_run = await run_read(work.services.backtests.bot_of, principal, run_id)
    bot_id = (await run_read(work.services.bot_choice.to_act_on, work.caller, of_run)).id
    if not on:
        await run_blocking(shares.end, principal, bot_id, run_id)
        return ShareFacts(run_id=run_id, shared=False, url=None)
    question = "Everyone who knows its address could then read this backtest. Shall I share it?"
    check_agreed(work, "share_run", run_id, question)
    share_id = await shares.share(principal, bot_id, run_id)
    return ShareFacts(run_id=run_id, shared=True, url=f"{work.base_url}/s/{share_id}")


def _list(work: ToolContext, bot: str | None) -> RunListFacts:
    principal = work.caller.principal
    chosen = work.services.bot_choice.chosen(work.caller, bot)
    found = [
        _list_run(kind, run)
        for kind, service in work.services.runs.kinds()
        for run in getattr(service.page(principal, chosen.id, Paging(1, RUNS_SHOWN)), service.plural)
    ]
    return RunListFacts(runs=sorted(found, key=lambda run: run.created_at, reverse=True)[:RUNS_SHOWN])


def _list_run(kind: str, run: Any) -> ListedRunFacts:
    metrics = getattr(run, "metrics", None)
    names = ("token", "chain", "start_time", "end_time")
    return ListedRunFacts(
        kind=kind,
        run_id=run.run_id,
        status=run.status,
        created_at=run.created_at,
        kline_interval=run.kline_interval,
        total_return=getattr(metrics, "total_return", None),
        **{name: getattr(run, name, None) for name in names},
    )


def _run(work: ToolContext, run_id: str, trades_page: int | None) -> AnyRunFacts:
    principal, runs = work.caller.principal, work.services.runs
    run = runs.find(principal, run_id)
    if isinstance(run, BacktestView) and trades_page is not None:
        return _tell(work, run_id, backtest_with_trades(work, run, trades_page))
    return _tell(work, run_id, _facts_of(run))


def _stop(work: ToolContext, run_id: str) -> AnyRunFacts:
    principal, runs = work.caller.principal, work.services.runs
    bot_id = work.services.bot_choice.to_act_on(work.caller, runs.bot_of(principal, run_id)).id
    check_end_of_live(work, bot_id, "end_simulation", "This ends", run_id)
    check_end_of_watch(work, bot_id, "end_watch", "ends", run_id)
    return _tell(work, run_id, _facts_of(runs.stop(principal, run_id)))


def _tell(work: ToolContext, run_id: str, facts: BaseModel) -> AnyRunFacts:
    kind = work.services.runs.kind_of(work.caller.principal, run_id)
    told: Json = facts.model_dump(mode="json")
    return AnyRunFacts.model_validate({"kind": kind, **told})


def _facts_of(run: BaseModel) -> BaseModel:
    """Return what matters of a run in a conversation; a kind without facts of its own is shown as in the API."""
    if isinstance(run, SimulationView):
        run = run.model_copy(update={"trade_log": run.trade_log[-LOG_ENTRIES_SHOWN:]})
    facts = FACTS.get(type(run))
    return run if facts is None else facts.model_validate(run)


def _of_simulation(work: ToolContext, run: SimulationView, time: int) -> ExplanationFacts:
    """Return what the log of a simulation says about the candle of this time."""
    seconds = INTERVAL_SECONDS[run.kline_interval]
    opens = time // seconds * seconds
    seen = work.services.simulations.run(work.caller.principal, run.bot_id, run.run_id, opens)
    entries = [entry for entry in seen.trade_log if entry.time == opens]
    if not entries:
        raise NothingAtThatTime
    told = "; ".join(f"{ACTIONS[each.action]}: {each.reason}" for each in entries)
    entry = [
        ConditionAt.model_validate(
            {
                "condition": reason["values"].get("kind"),
                "met": reason["code"] == "condition_met",
                "sentence": reason["text"],
            }
        )
        for reason in entries[-1].reasons
        if reason["code"].startswith("condition_")
    ]
    return ExplanationFacts(
        run_id=run.run_id,
        time=utc_moment(opens),
        price=entries[-1].price,
        answer=f"{told}.",
        held_since=None,
        entry=entry,
        exit=[],
    )
