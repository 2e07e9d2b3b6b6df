"""`strategybot backtest --tokens` and `--trending`: a strategy on many tokens of the market, with one purse."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from strategybot.backtests.portfolios import PortfolioBacktests
from strategybot.backtests.result_views import TradeView
from strategybot.backtests.runner import LiveBacktest
from strategybot.backtests.storage import Backtest, BacktestOutcome
from strategybot.kit.clock import iso_text, system_clock, utc_moment
from strategybot.kit.json_object import Json
from strategybot.market.service import Market
from strategybot.runs.storage import token_id_of
from strategybot.terminal.market_material import market_span, trending_tokens, with_market
from strategybot.terminal.output import change_words, one_line, replace_encoding_errors, show_document, show_progress
from strategybot.terminal.report import show_verdict
from strategybot.terminal.request import Request
from strategybot.terminal.stop import NOTHING_TO_WORK_WITH, Stop
from strategybot.terminal.token_choice import chosen_instruments
from strategybot.trading.evidence.portfolio import examine_portfolio
from strategybot.trading.evidence.verdict import Verdict, judge
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.runs import source_note
from strategybot.trading.words.verdicts import THESE_TOKENS
from strategybot.verdicts.schemas import FinishedPortfolio

MOST_TOKENS = 50
NAME = 20  # letters of a symbol that are shown


def portfolio(
    strategy: Strategy, request: Request, tokens: str | None, trending: str | None, limit: int, *, as_json: bool
) -> None:
    """Trade the tokens with one purse, and print the result."""
    if (tokens is None) == (trending is None) or request.token is not None:
        raise Stop("Say what to test on: --token, --tokens A,B,C or --trending with a chain, and only one of them.")
    if (tokens.count(",") + 1 if tokens else limit) > MOST_TOKENS:
        raise Stop(f"A portfolio can have {MOST_TOKENS} tokens.")
    if request.email is not None:
        raise Stop("--email counts tries on one token: the tries of a portfolio are counted by the server.")

    async def test(market: Market) -> tuple[Backtest, BacktestOutcome, FinishedPortfolio | None]:
        return await _test(
            market, _run(strategy, request, await _tokens(market, request.chain, tokens, trending, limit))
        )

    run, outcome, finished = with_market(test)
    if finished is None:
        raise Stop(f"None of the tokens could be tested. {outcome.error}", NOTHING_TO_WORK_WITH)
    verdict = judge(
        examine_portfolio(
            strategy,
            finished.together,
            finished.result,
            finished.dead_token_loss_percent,
            untested=finished.untested,
        ),
        token=THESE_TOKENS,
        can_be_sold=finished.can_be_sold,
    )
    if as_json:
        show_document(_document(run, outcome, finished, verdict))
        return
    replace_encoding_errors(sys.stdout)
    _show(run, outcome, verdict, Console())


async def _test(market: Market, run: Backtest) -> tuple[Backtest, BacktestOutcome, FinishedPortfolio | None]:
    live, run.data_source = LiveBacktest(), market.source
    with show_progress(f"Testing {run.tokens_total} tokens") as tell:
        follower = asyncio.create_task(_follow(live, tell))
        outcome = await PortfolioBacktests(market, system_clock, asyncio.to_thread).outcome(run, live)
        follower.cancel()
    assert outcome is not None  # noqa: S101 - nothing stops it
    return run, outcome, live.finished if isinstance(live.finished, FinishedPortfolio) else None


async def _follow(live: LiveBacktest, tell: Callable[[float], None]) -> None:
    while True:
        tell(live.percent / 100)
        await asyncio.sleep(0.1)


async def _tokens(market: Market, chain: str | None, names: str | None, trending: str | None, limit: int) -> list[Json]:
    if trending is None:
        named = await chosen_instruments(market.search, names or "", chain)
        found = [{"token": each.address, "chain": each.chain} for each in named]
    else:
        found = [
            {"token": each.address, "chain": each.chain} for each in await trending_tokens(market, trending, limit)
        ]
    if not found:
        raise Stop(f"There are no trending tokens on {trending}.", NOTHING_TO_WORK_WITH)
    return sorted(found, key=token_id_of)


def _run(strategy: Strategy, request: Request, tokens: list[Json]) -> Backtest:
    """Return the run as the server would save it."""
    interval, start, end = market_span(strategy, request)
    return Backtest(
        run_id="terminal",
        strategy=strategy,
        kline_interval=interval,
        start_time=start,
        end_time=end,
        initial_cash=request.cash,
        fee_percent=request.fee,
        slippage_percent=request.slippage,
        costs=request.costs(),
        intrabar=request.intrabar,
        most_minutes=10**9,
        asked_tokens=tokens,
    )


def _document(run: Backtest, outcome: BacktestOutcome, finished: FinishedPortfolio, verdict: Verdict) -> dict[str, Any]:
    """Return the whole result as JSON, with the names of the API."""
    trades = [
        TradeView.model_validate({**row._asdict(), "token_id": each.token.token_id})
        for each in finished.result.tokens
        for row in each.trades.page(0, len(each.trades))
    ]
    trades.sort(key=lambda trade: trade.exit_time)
    parts = outcome.portfolio or {}
    return {
        "strategy": run.strategy.model_dump(mode="json"),
        "strategy_summary": run.strategy.summary,
        "kline_interval": run.kline_interval,
        "start_time": iso_text(utc_moment(run.start_time)),
        "end_time": iso_text(utc_moment(run.end_time)),
        "initial_cash": run.initial_cash,
        "data_source": run.data_source,
        "metrics": outcome.metrics,
        "metric_notes": outcome.metric_notes,
        "verdict": verdict.model_dump(mode="json"),
        "tries_counted": False,
        **{name: parts.get(name) for name in ("tokens", "turned_away", "places_used", "correlation", "benchmarks")},
        "portfolio_notes": parts.get("notes", []),
        "trades": [{**trade.model_dump(mode="json"), "number": number} for number, trade in enumerate(trades, 1)],
        "equity_curve": outcome.equity_curve,
    }


def _show(run: Backtest, outcome: BacktestOutcome, verdict: Verdict, console: Console) -> None:
    metrics, parts = outcome.metrics or {}, outcome.portfolio or {}
    console.print(Text(run.strategy.summary, style="bold"))
    if note := source_note(run.data_source):
        console.print(Text(note, style="yellow"))
    fall = metrics["max_drawdown"]
    console.print(
        Text(
            f"The purse: {change_words(metrics['total_return'])} in {metrics['total_trades']} trades, "
            f"deepest fall {'unknown' if fall is None else f'{fall:.1f} %'}.",
            style="bold",
        )
    )
    held = parts["benchmarks"]
    console.print(
        Text(
            f"All tokens held in equal parts: {change_words(held['equal_parts'])}. "
            f"The plain strategy on each alone, on average: {change_words(held['plain_mean'])}."
        )
    )
    places = [point["used"] for point in parts["places_used"]]
    console.print(Text(f"At most {max(places, default=0)} tokens held; turned away {parts['turned_away']} times."))
    table = Table(box=SIMPLE_HEAD)
    for name in ("token", "contribution", "trades", "alone", "turned away", "risk"):
        table.add_column(name, justify="left" if name in ("token", "risk") else "right")
    for row in parts["tokens"]:
        table.add_row(*_cells(row))
    console.print(table)
    for sentence in parts["notes"]:
        console.print(Text(sentence))
    show_verdict(verdict, False, console)


def _cells(row: Json) -> list[Text]:
    name = one_line(row["symbol"] or row["token"], NAME)
    if row["error"] is not None:
        return [Text(name), Text(row["error"], style="dim")]
    share = row["contribution_percent"]
    return [
        Text(name),
        Text(change_words(share), style="green" if share is not None and share > 0 else "red"),
        Text(str(row["trades"])),
        Text(change_words(row["plain_return"])),
        Text(str(row["turned_away"])),
        Text(row["risk_level"] or "unknown"),
    ]
