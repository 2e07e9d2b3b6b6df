"""The tools about runs over history: backtests, searches and surveys."""

from collections.abc import Sequence
from typing import Unpack

from strategybot.backtests.schemas import BacktestRequest, BacktestView
from strategybot.bots.schemas import BotView
from strategybot.bots.service import strategy_to_run
from strategybot.conversations.agent.agreement import check_last_backtest
from strategybot.conversations.agent.arguments import (
    Bot,
    Candles,
    Days,
    End,
    Fee,
    OnChain,
    Parameters,
    PoolCostsOrOff,
    PurseArguments,
    RunId,
    RunIds,
    Slippage,
    Start,
    StartCash,
    SurveyLimit,
    SurveyTokens,
    Token,
    TradesPage,
    Trending,
)
from strategybot.conversations.agent.facts import (
    ComparedRunFacts,
    ComparisonFacts,
    OptimisationFacts,
    RunFacts,
    RunWithTradesFacts,
    SurveyFacts,
)
from strategybot.conversations.agent.refusals import NoRunYet
from strategybot.conversations.agent.run_choice import add_symbol, purse_of, ready, run_tokens, with_strategy
from strategybot.conversations.agent.tool_definition import ToolContext
from strategybot.conversations.agent.waiting import run_to_end
from strategybot.kit.errors import FieldError, InvalidInput
from strategybot.kit.paging import Paging
from strategybot.kit.threads import run_read
from strategybot.runs.planning import interval_for
from strategybot.searches.schemas import OptimiseRequest
from strategybot.surveys.schemas import SurveyRequest
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, Interval, closed_until
from strategybot.trading.search.results import Objective

TRADES_A_PAGE = 20


async def run_backtest(
    work: ToolContext,
    token: Token = None,
    chain: OnChain = None,
    kline_interval: Candles = None,
    days: Days = None,
    start: Start = None,
    end: End = None,
    initial_cash: StartCash = None,
    fee_percent: Fee = None,
    slippage_percent: Slippage = None,
    pool_costs: PoolCostsOrOff = "auto",
    bot: Bot = None,
    **many: Unpack[PurseArguments],
) -> RunFacts:
    """Test a bot's strategy on history, with its verdict: on `token`, or on many. If it is still running, say so."""
    if start is not None and days is not None:
        raise InvalidInput([FieldError("days", "cannot be given together with start")])
    purse = await purse_of(work, many)
    request = BacktestRequest(
        **purse,
        token=token and await work.services.token_choice.token_id(token, chain),
        chain=chain,
        kline_interval=kline_interval,
        start_time=start,
        end_time=end,
        initial_cash=initial_cash,
        fee_percent=fee_percent,
        slippage_percent=slippage_percent,
        pool_costs=pool_costs,
    )
    tested = await run_read(ready, work, request, bot, bool(purse))
    await run_read(check_last_backtest, work)
    request = request.model_copy(update=_start_time(work, tested, kline_interval, days, request.end_time))
    principal, backtests = work.caller.principal, work.services.backtests
    started = backtests.start(principal, work.caller.defaults, tested.id, request)
    return await add_symbol(work, RunFacts.model_validate(await run_to_end(work, backtests, started)))


async def get_backtest(
    work: ToolContext, run_id: RunId = None, bot: Bot = None, trades_page: TradesPage = None
) -> RunFacts:
    """A backtest: its status, metrics and verdict and, if asked for, a page of its trades."""
    return await add_symbol(work, await run_read(_backtest, work, run_id, bot, trades_page))


async def compare_backtests(work: ToolContext, run_ids: RunIds = None, bot: Bot = None) -> ComparisonFacts:
    """Two to ten backtests side by side: what was tested, and the main metrics of each."""
    compared = await run_read(_compare, work, run_ids or [], bot)
    return ComparisonFacts(backtests=[await add_symbol(work, run) for run in compared.backtests])


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
    )
    varied = await run_read(ready, work, request, bot)
    request = request.model_copy(update=_start_time(work, varied, kline_interval, days))
    principal, searches = work.caller.principal, work.services.optimisations
    started = searches.start(principal, work.caller.defaults, varied.id, request)
    return await add_symbol(work, OptimisationFacts.model_validate(await run_to_end(work, searches, started)))


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
    chosen = None if tokens is None else await run_tokens(work, tokens)
    request = SurveyRequest(tokens=chosen, trending=trending, limit=limit, kline_interval=kline_interval)
    tested = await run_read(with_strategy, work, bot)
    request = request.model_copy(update=_start_time(work, tested, kline_interval, days))
    principal, surveys = work.caller.principal, work.services.surveys
    started = surveys.start(principal, work.caller.defaults, tested.id, request)
    return SurveyFacts.model_validate(await run_to_end(work, surveys, started))


def _start_time(
    work: ToolContext, bot: BotView, asked: Interval | None, days: float | None, end: int | None = None
) -> dict[str, int]:
    """Return the start time of a run that begins this many days before its end; an empty dict for the default.

    They are counted from the last closed candle, as the default is, so that 30 days give the default run.
    """
    if days is None:
        return {}
    if end is None:
        interval = interval_for(strategy_to_run(bot), asked, work.caller.defaults)
        end = closed_until(work.services.clock().timestamp(), INTERVAL_SECONDS[interval])
    return {"start_time": max(0, end - round(days * 86_400))}


def _backtest(work: ToolContext, run_id: str | None, bot: str | None, trades_page: int | None) -> RunFacts:
    run = _found_backtest(work, run_id, bot)
    return RunFacts.model_validate(run) if trades_page is None else backtest_with_trades(work, run, trades_page)


def backtest_with_trades(work: ToolContext, run: BacktestView, page: int) -> RunWithTradesFacts:
    found = work.services.backtests.trades(work.caller.principal, run.bot_id, run.run_id, Paging(page, TRADES_A_PAGE))
    return RunWithTradesFacts.model_validate({**run.model_dump(exclude={"equity_curve"}), "trades_page": found})


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
