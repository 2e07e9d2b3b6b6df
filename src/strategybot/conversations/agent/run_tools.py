"""The tools about runs: backtests, searches, surveys and simulations."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from pydantic import BaseModel

from strategybot.backtests.schemas import BacktestRequest, BacktestView
from strategybot.bots.schemas import BotView
from strategybot.bots.service import strategy_to_run
from strategybot.conversations.agent.arguments import (
    AnyRunId,
    Bot,
    Candles,
    CheckSeconds,
    Days,
    Fee,
    LiveCandles,
    OnChain,
    Parameters,
    PurseTokens,
    RunId,
    RunIds,
    RunMode,
    StartCash,
    SurveyLimit,
    SurveyTokens,
    Token,
    TradesPage,
    Trending,
    WatchTokens,
)
from strategybot.conversations.agent.facts import (
    ComparedRunFacts,
    ComparisonFacts,
    OptimisationFacts,
    RunFacts,
    RunWithTradesFacts,
    SimulationFacts,
    SimulationWithLogFacts,
    SurveyFacts,
    TokenFacts,
    TokenRunFacts,
    WatchFacts,
)
from strategybot.conversations.agent.refusals import (
    NoRunYet,
    NoSimulationRunning,
    NoSimulationYet,
    NoStrategy,
    NoTokenToRun,
)
from strategybot.conversations.agent.run_requests import purse_of, run_token, start_time
from strategybot.conversations.agent.tool_definition import ToolContext
from strategybot.conversations.caller import Caller
from strategybot.conversations.consent import Kind, NeedsYes, act_of
from strategybot.conversations.hygiene import plain_name
from strategybot.kit.paging import Paging
from strategybot.kit.threads import run_blocking, run_read
from strategybot.runs.planning import interval_for
from strategybot.runs.schemas import RunRequest
from strategybot.searches.schemas import OptimisationView, OptimiseRequest
from strategybot.simulations.schemas import SimulationRequest, SimulationSummary, SimulationView
from strategybot.surveys.schemas import SurveyRequest, SurveyView
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, closed_until
from strategybot.trading.search.results import Objective
from strategybot.trading.words.numbers import counted
from strategybot.watches.schemas import WatchRequest, WatchView

POLL_SECONDS = 0.05
TRADES_A_PAGE = 20
LOG_ENTRIES_SHOWN = 20
FINISHED = {"completed", "failed", "stopped"}
Awaited = TypeVar("Awaited", BacktestView, OptimisationView, SurveyView)
FACTS: dict[type[BaseModel], type[BaseModel]] = {
    BacktestView: RunFacts,
    OptimisationView: OptimisationFacts,
    SurveyView: SurveyFacts,
    SimulationView: SimulationWithLogFacts,
    WatchView: WatchFacts,
}
RunNamed = TypeVar("RunNamed", bound=TokenRunFacts)


async def run_backtest(
    work: ToolContext,
    token: Token = None,
    chain: OnChain = None,
    kline_interval: Candles = None,
    days: Days = None,
    initial_cash: StartCash = None,
    fee_percent: Fee = None,
    tokens: PurseTokens = None,
    trending: Trending = None,
    limit: SurveyLimit = None,
    bot: Bot = None,
) -> RunFacts:
    """Test a bot's strategy on history, with its verdict: on `token`, or on many. If it is still running, say so."""
    purse = await purse_of(work, tokens, trending, limit)
    request = BacktestRequest(
        **purse,
        token=token and await work.services.token_choice.token_id(token, chain),
        chain=chain,
        kline_interval=kline_interval,
        initial_cash=initial_cash,
        fee_percent=fee_percent,
    )
    tested = await run_read(_ready, work, request, bot, bool(purse))
    await run_read(_check_last_backtest, work)
    if days is not None:
        # Counted from the last closed candle, as the default is, so that 30 days give the default run.
        interval = interval_for(strategy_to_run(tested), kline_interval, work.caller.defaults)
        end = closed_until(work.services.clock().timestamp(), INTERVAL_SECONDS[interval])
        request = request.model_copy(update={"start_time": max(0, end - round(days * 86_400))})
    principal, backtests = work.caller.principal, work.services.backtests
    run = await backtests.start(principal, work.caller.defaults, tested.id, request)
    run = await _awaited(work, run, partial(backtests.run, principal, tested.id, run.run_id))
    return await _named(work, RunFacts.model_validate(run))


async def get_backtest(
    work: ToolContext, run_id: RunId = None, bot: Bot = None, trades_page: TradesPage = None
) -> RunFacts:
    """A backtest: its status, metrics and verdict and, if asked for, a page of its trades."""
    return await _named(work, await run_read(_backtest, work, run_id, bot, trades_page))


async def compare_backtests(work: ToolContext, run_ids: RunIds = None, bot: Bot = None) -> ComparisonFacts:
    """Two to ten backtests side by side: what was tested, and the main metrics of each."""
    compared = await run_read(_compare, work, run_ids or [], bot)
    return ComparisonFacts(backtests=[await _named(work, run) for run in compared.backtests])


async def optimise(
    work: ToolContext,
    parameters: Parameters,
    token: Token = None,
    chain: OnChain = None,
    kline_interval: Candles = None,
    days: Days = None,
    objective: Objective = "return",
    bot: Bot = None,
) -> OptimisationFacts:
    """Run every combination of some values of a bot's strategy, and say which to take. Changes no strategy.

    `walk_forward` is the return on time that was not used to choose: tell that figure first. `best_in_sample` is too
    optimistic.
    """
    request = OptimiseRequest(
        parameters=parameters,
        token=token and await work.services.token_choice.token_id(token, chain),
        chain=chain,
        kline_interval=kline_interval,
        objective=objective,
    ).model_copy(update=start_time(work, days))
    varied = await run_read(_ready, work, request, bot)
    principal, searches = work.caller.principal, work.services.optimisations
    run = await searches.start(principal, work.caller.defaults, varied.id, request)
    run = await _awaited(work, run, partial(searches.run, principal, varied.id, run.run_id))
    return await _named(work, OptimisationFacts.model_validate(run))


async def survey(
    work: ToolContext,
    tokens: SurveyTokens = None,
    trending: Trending = None,
    limit: SurveyLimit = None,
    kline_interval: Candles = None,
    days: Days = None,
    bot: Bot = None,
) -> SurveyFacts:
    """Test a bot's strategy on many tokens: a row each, and all of them together. Give `tokens` or `trending`."""
    chosen = None if tokens is None else [await run_token(work, token) for token in tokens]
    request = SurveyRequest(tokens=chosen, trending=trending, limit=limit, kline_interval=kline_interval)
    request = request.model_copy(update=start_time(work, days))
    tested = await run_read(work.services.bot_choice.to_act_on, work.caller, bot)
    if tested.strategy is None:
        raise NoStrategy
    principal, surveys = work.caller.principal, work.services.surveys
    run = await surveys.start(principal, work.caller.defaults, tested.id, request)
    return SurveyFacts.model_validate(await _awaited(work, run, partial(surveys.run, principal, tested.id, run.run_id)))


async def start_simulation(
    work: ToolContext,
    token: Token = None,
    chain: OnChain = None,
    check_interval: CheckSeconds = None,
    kline_interval: LiveCandles = None,
    mode: RunMode = None,
    initial_cash: StartCash = None,
    bot: Bot = None,
) -> SimulationFacts:
    """Paper-trade a bot's strategy, with no real money. A simulation of the bot that runs already is replaced."""
    request = SimulationRequest(
        token=token and await work.services.token_choice.token_id(token, chain),
        chain=chain,
        check_interval=check_interval,
        kline_interval=kline_interval,
        mode=mode or "replay",
        initial_cash=initial_cash,
    )
    simulated = await run_read(_ready, work, request, bot)
    await run_read(_check_end_of_live, work, simulated.id, "replace_simulation", "replaces", None)
    run = await work.services.simulations.start(work.caller.principal, work.caller.defaults, simulated.id, request)
    return await _named(work, SimulationFacts.model_validate(run))


async def stop_simulation(work: ToolContext, run_id: RunId = None, bot: Bot = None) -> SimulationFacts:
    """Stop a simulation."""
    return await _named(work, await run_blocking(_stop_simulation, work, run_id, bot))


async def get_simulation(work: ToolContext, run_id: RunId = None, bot: Bot = None) -> SimulationWithLogFacts:
    """A simulation: its status, portfolio, last decisions, and what it waits for."""
    return await _named(work, await run_read(_simulation, work, run_id, bot))


async def start_watch(
    work: ToolContext, tokens: WatchTokens = None, kline_interval: Candles = None, bot: Bot = None
) -> WatchFacts:
    """ "Alert me when …": notify the user whenever a bot's entry conditions become true on some tokens. Trades nothing.

    The bot's strategy must hold these conditions first. A watch of the bot that runs already is replaced.
    """
    chosen = None if tokens is None else [await run_token(work, token) for token in tokens]
    request = WatchRequest(tokens=chosen, kline_interval=kline_interval)
    return WatchFacts.model_validate(await run_blocking(_start_watch, work, request, bot))


async def get_run(work: ToolContext, run_id: AnyRunId) -> BaseModel:
    """A backtest, search, survey, simulation or watch: its status and what it found."""
    return _facts_of(await run_read(work.services.runs.find, work.caller.principal, run_id))


async def stop_run(work: ToolContext, run_id: AnyRunId) -> BaseModel:
    """Stop a backtest, search, survey, simulation or watch. What it found until then is kept."""
    return _facts_of(await run_blocking(_stop_run, work, run_id))


def running_simulation(work: ToolContext, bot_id: str) -> SimulationSummary | None:
    """At most one of a bot's simulations is running or paused, and it is the newest."""
    newest = work.services.simulations.page(work.caller.principal, bot_id, Paging(1, 1)).simulations
    return newest[0] if newest and newest[0].status != "stopped" else None


def _ready(work: ToolContext, request: RunRequest, bot: str | None, has_many: bool = False) -> BotView:
    """Return the chosen bot. Raise if it has no strategy, or if neither it nor the request has a token."""
    chosen = work.services.bot_choice.to_act_on(work.caller, bot)
    if chosen.strategy is None:
        raise NoStrategy
    if not has_many and request.token is None and chosen.token is None and chosen.universe is None:
        raise NoTokenToRun
    return chosen


def _start_watch(work: ToolContext, request: WatchRequest, bot: str | None) -> WatchView:
    chosen = work.services.bot_choice.to_act_on(work.caller, bot)
    if chosen.strategy is None:
        raise NoStrategy
    if request.tokens is None and chosen.token is None:
        raise NoTokenToRun
    _check_end_of_watch(work, chosen.id, "replace_watch", "replaces", None)
    return work.services.watches.start(work.caller.principal, work.caller.defaults, chosen.id, request)


def _stop_run(work: ToolContext, run_id: str) -> BaseModel:
    principal, runs = work.caller.principal, work.services.runs
    bot_id = work.services.bot_choice.to_act_on(work.caller, runs.bot_of(principal, run_id)).id
    _check_end_of_live(work, bot_id, "end_simulation", "ends", run_id)
    _check_end_of_watch(work, bot_id, "end_watch", "ends", run_id)
    return runs.stop(principal, run_id)


def _facts_of(run: BaseModel) -> BaseModel:
    """Return what matters of a run in a conversation; a kind without facts of its own is shown as in the API."""
    facts = FACTS.get(type(run))
    return run if facts is None else facts.model_validate(run)


def _check_last_backtest(work: ToolContext) -> None:
    """Raise if this would be a visitor's only backtest and they have not asked for it."""
    if isinstance(work.caller, Caller) and work.services.backtests.backtests_remaining(work.caller.principal) == 1:
        question = "This uses the only backtest that you have without an account. Shall I run it?"
        _check_agreed(work.caller, "last_backtest", work.caller.principal.owner_id, question)


def _check_end_of_watch(work: ToolContext, bot_id: str, kind: Kind, verb: str, run_id: str | None) -> None:
    """Raise if a running watch would end and the user has not agreed to that: at most one runs, the newest."""
    newest = work.services.watches.page(work.caller.principal, bot_id, Paging(1, 1)).watches
    if newest and newest[0].status != "stopped" and run_id in (None, newest[0].run_id):
        _check_agreed_to_end(work, bot_id, kind, f"This {verb} the watch of {{name}}")


def _check_end_of_live(work: ToolContext, bot_id: str, kind: Kind, verb: str, run_id: str | None) -> None:
    """Raise if a live simulation would end and the user has not agreed to that."""
    running = running_simulation(work, bot_id)
    if running is not None and running.mode == "live" and run_id in (None, running.run_id):
        since = f"{running.started_at:%Y-%m-%d %H:%M} UTC"
        _check_agreed_to_end(work, bot_id, kind, f"This {verb} the live simulation of {{name}}, running since {since},")


def _check_agreed_to_end(work: ToolContext, bot_id: str, kind: Kind, act: str) -> None:
    if isinstance(work.caller, Caller):
        name = plain_name(work.services.bots.bot(work.caller.principal, bot_id).name, 40)
        _check_agreed(work.caller, kind, bot_id, f"{act.format(name=name)} for good. Shall I do it?")


def _check_agreed(caller: Caller, kind: Kind, subject: str, question: str) -> None:
    if not caller.said.agrees_to(kind, subject):
        raise NeedsYes(act_of(kind, subject), question)


async def _named(work: ToolContext, run: RunNamed) -> RunNamed:
    """Return the run with the symbol of its token, if the market knows it; of a portfolio, the number of tokens."""
    if run.tokens_total > 1:
        return run.model_copy(update={"symbol": counted(run.tokens_total, "token")})
    token = await work.services.market.token_if_reachable(f"{run.token}-{run.chain}")
    return run if token is None else run.model_copy(update={"symbol": TokenFacts.model_validate(token).symbol})


async def _awaited(work: ToolContext, run: Awaited, read: Callable[[], Awaited]) -> Awaited:
    """Return the run once it has finished, or as it is after the seconds to wait."""
    deadline = asyncio.get_running_loop().time() + work.seconds_to_wait
    while not _is_done(run) and asyncio.get_running_loop().time() < deadline:
        await asyncio.sleep(POLL_SECONDS)
        run = await run_read(read)
    return run


def _is_done(run: BacktestView | OptimisationView | SurveyView) -> bool:
    """Return whether the run is finished and graded: the verdict of a completed backtest follows within a moment."""
    if isinstance(run, BacktestView) and run.status == "completed":
        return run.verdict is not None or run.verdict_error is not None
    return run.status in FINISHED


def _backtest(work: ToolContext, run_id: str | None, bot: str | None, trades_page: int | None) -> RunFacts:
    run = _found_backtest(work, run_id, bot)
    if trades_page is None:
        return RunFacts.model_validate(run)
    paging = Paging(trades_page, TRADES_A_PAGE)
    page = work.services.backtests.trades(work.caller.principal, run.bot_id, run.run_id, paging)
    return RunWithTradesFacts.model_validate({**dict(run), "trades_page": page})


def _found_backtest(work: ToolContext, run_id: str | None, bot: str | None) -> BacktestView:
    principal, backtests = work.caller.principal, work.services.backtests
    if run_id is not None and bot is None:
        return backtests.run(principal, backtests.bot_of(principal, run_id), run_id)
    chosen = work.services.bot_choice.chosen(work.caller, bot)
    if run_id is None:
        newest = backtests.page(principal, chosen.id, Paging(1, 1)).backtests
        if not newest:
            raise NoRunYet
        run_id = newest[0].run_id
    return backtests.run(principal, chosen.id, run_id)


def _compare(work: ToolContext, run_ids: Sequence[str], bot: str | None) -> ComparisonFacts:
    """Return the runs with these ids; without ids, the last two of the bot."""
    principal, backtests = work.caller.principal, work.services.backtests
    if run_ids:
        runs = [_found_backtest(work, run_id, None) for run_id in run_ids]
    else:
        chosen = work.services.bot_choice.chosen(work.caller, bot)
        newest = backtests.page(principal, chosen.id, Paging(1, 2)).backtests
        runs = [backtests.run(principal, chosen.id, run.run_id) for run in reversed(newest)]
    if not runs:
        raise NoRunYet
    return ComparisonFacts(backtests=[ComparedRunFacts.model_validate(run) for run in runs])


def _stop_simulation(work: ToolContext, run_id: str | None, bot: str | None) -> SimulationFacts:
    principal, simulations, choice = work.caller.principal, work.services.simulations, work.services.bot_choice
    of_run = None if run_id is None or bot is not None else simulations.bot_of(principal, run_id)
    chosen = choice.to_act_on(work.caller, of_run or bot)
    running = running_simulation(work, chosen.id)
    run_id = run_id or (running.run_id if running else None)
    if run_id is None:
        raise NoSimulationRunning
    _check_end_of_live(work, chosen.id, "end_simulation", "ends", run_id)
    return SimulationFacts.model_validate(simulations.stop(principal, chosen.id, run_id))


def _simulation(work: ToolContext, run_id: str | None, bot: str | None) -> SimulationWithLogFacts:
    principal, simulations = work.caller.principal, work.services.simulations
    if run_id is not None:
        bot_id = simulations.bot_of(principal, run_id)
    else:
        bot_id = work.services.bot_choice.chosen(work.caller, bot).id
        newest = simulations.page(principal, bot_id, Paging(1, 1)).simulations
        if not newest:
            raise NoSimulationYet
        run_id = newest[0].run_id
    run = simulations.run(principal, bot_id, run_id)
    log = run.trade_log[-LOG_ENTRIES_SHOWN:]
    return SimulationWithLogFacts.model_validate(run.model_copy(update={"trade_log": log}))
