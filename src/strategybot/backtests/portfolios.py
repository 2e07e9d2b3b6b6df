"""Computes backtests of many tokens with one purse: fetches token by token, trades them together, writes the rows."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, Protocol

from strategybot.backtests.chunks import NO_ROWS, Packed, pack
from strategybot.backtests.intrabar import MinuteFetcher
from strategybot.backtests.storage import Backtest, BacktestOutcome
from strategybot.kit.clock import Clock, iso_text, utc_moment
from strategybot.kit.errors import AppError
from strategybot.kit.json_object import Json
from strategybot.market.service import Market, NoKlines
from strategybot.runs.runner import LiveRun
from strategybot.runs.storage import token_id_of
from strategybot.trading.engine.candles import Candles, DataReport, TooManyCandles
from strategybot.trading.engine.columns import Flags
from strategybot.trading.engine.filled import Table
from strategybot.trading.engine.first_values import with_warm_up
from strategybot.trading.engine.loop import new_control
from strategybot.trading.engine.portfolio import DEAD_TOKEN_LOSS_PERCENT, PortfolioResult, TokenResult, run_portfolio
from strategybot.trading.engine.portfolio_facts import correlation_of, largest_token, plain_returns
from strategybot.trading.engine.preparation import Prepared, candles_before, prepare, warm_up_start
from strategybot.trading.engine.universe import Together, Token, before_silence, listed_candles, real_candles, together
from strategybot.trading.words.numbers import finite
from strategybot.trading.words.portfolios import death_words, each_day_words, survivors_words
from strategybot.verdicts.schemas import FinishedPortfolio

logger = logging.getLogger("strategybot.backtests")

DAY = 86_400
TOO_MANY_CANDLES = "The gaps between its candles are too long to be filled."
COUNTED = ("received", "dropped", "duplicates", "completed", "repaired", "unknown_volumes", "filled", "candles")
Compute = Callable[..., Awaitable[Any]]


class Progress(Protocol):
    """Where the run says how far it is."""

    candles: int

    def fetched(self, share: float) -> None: ...

    def minutes_fetched(self, share: float) -> None: ...


class Fetched(NamedTuple):
    """The rows of all tokens, and those that can be traded with their reports."""

    rows: list[Json]
    tokens: list[Token]
    reports: list[DataReport]


class PortfolioBacktests:
    def __init__(self, market: Market, clock: Clock, compute: Compute) -> None:
        self._market, self._clock, self._compute = market, clock, compute

    async def outcome(self, run: Backtest, live: Any) -> BacktestOutcome | None:
        """Return the outcome, or None if the run was stopped before there was any. What its verdict needs is kept in
        `live.finished`.
        """
        fetched = Fetched([], [], [])
        with live.fetching() as fetching:
            fetched = await self._fetch(run, live)
        if fetching.cancelled_caught:
            return None
        if not fetched.tokens:
            return BacktestOutcome("failed", error=fetched.rows[0]["error"])
        joined = together(fetched.tokens)
        live.candles = len(joined.time)
        joined, result = await self._resolve(run, joined, live)
        if live.abandoned:
            return None
        outcome: BacktestOutcome
        outcome, live.finished = await self._compute(_outcome, run, fetched.rows, fetched.reports, joined, result)
        return outcome

    async def _fetch(self, run: Backtest, live: Progress) -> Fetched:
        found = Fetched([], [], [])
        asked = run.asked_tokens or []
        for place, each in enumerate(asked):
            row, token, report = await self._token(run, each, is_alone=len(asked) == 1 and "listed" not in each)
            found.rows.append(row)
            if token is not None and report is not None:
                found.tokens.append(token)
                found.reports.append(report)
            live.fetched((place + 1) / len(asked))
        return found

    async def _token(
        self, run: Backtest, asked: Json, *, is_alone: bool
    ) -> tuple[Json, Token | None, DataReport | None]:
        """Return the row of a token, and its candles; the row of one that cannot be tested says why."""
        token_id = token_id_of(asked)
        row: Json = {"token_id": token_id, **asked, "symbol": None, "error": None, "open_position": None}
        try:
            facts = await self._market.pool(token_id)
            row["symbol"] = facts.symbol
            costs = run.costs.read(facts, iso_text(self._clock())) if run.costs is not None else None
            prepared, real = await self._prepare(run, asked, is_alone=is_alone)
        except AppError as error:
            return {**row, "error": error.message}, None, None
        except TooManyCandles:
            return {**row, "error": TOO_MANY_CANDLES}, None, None
        traded = run.traded_costs if costs is None else costs.traded()
        row.update(costs=costs and costs.model_dump(mode="json"), risk_level=costs and costs.risk_level)
        listed = listed_candles(prepared.candles, asked["listed"]) if "listed" in asked else None
        token = Token(token_id, prepared.candles, prepared.start_index, traded, real=real, listed=listed)
        return row, token, prepared.report

    async def _prepare(self, run: Backtest, asked: Json, *, is_alone: bool) -> tuple[Prepared, Flags | None]:
        """Return the candles without gaps, and which of them can be traded; of a single token all can."""
        first = warm_up_start(run.start_time, run.strategy, run.interval_seconds)
        if not is_alone:  # tokens are ranked by their last day
            first = min(first, candles_before(run.start_time, DAY // run.interval_seconds, run.interval_seconds))
        candles, report = await self._market.candles(
            token_id_of(asked), run.kline_interval, first, run.end_time, run_owner_id=run.owner_id,
            traded_from=run.start_time,
        )  # fmt: skip
        alive = candles if is_alone else before_silence(candles, _watched_from(run, asked))
        prepared: Prepared = await self._compute(prepare, alive, report, run.start_time)
        if not prepared.candles_to_trade:
            raise NoKlines(asked["token"], asked["chain"])
        return prepared, None if is_alone else real_candles(prepared.candles, alive)

    async def _resolve(self, run: Backtest, joined: Together, live: Any) -> tuple[Together, PortfolioResult]:
        """Return the result, computed again with more 1-minute candles as long as they resolve a candle in doubt."""
        span, share = (run.start_time, run.end_time), run.most_minutes // len(joined.tokens)
        fetchers = {
            each.token_id: MinuteFetcher(self._market, each.token_id, span, share, run.owner_id)
            for each in joined.tokens
        }
        while True:
            result: PortfolioResult = await self._compute(_result_of, run, joined, live)
            doubts = {each.token.token_id: each.doubts for each in result.tokens if len(each.doubts)}
            if run.intrabar == "off" or result.stopped or not doubts:
                return joined, result
            are_new = False
            with live.fetching():
                for token_id, times in doubts.items():
                    are_new |= await fetchers[token_id].fetch(times, run.interval_seconds, live.minutes_fetched)
            if not are_new:
                return joined, result
            joined = joined.with_minutes({token_id: each.minutes for token_id, each in fetchers.items()})


def _watched_from(run: Backtest, asked: Json) -> int:
    """Return from when on a day without a candle ends a token: one that was not listed yet may have been silent."""
    begun: int = asked["listed"][0][0] - DAY if "listed" in asked else 0
    return max(run.start_time, begun)


def loss_percent(run: Backtest) -> float:
    return DEAD_TOKEN_LOSS_PERCENT if run.dead_token_loss_percent is None else run.dead_token_loss_percent


def _result_of(run: Backtest, joined: Together, live: LiveRun) -> PortfolioResult:
    return run_portfolio(
        run.strategy, joined, run.initial_cash, dead_token_loss_percent=loss_percent(run), control=live.control
    )


def _outcome(
    run: Backtest,
    rows: list[Json],
    reports: list[DataReport],
    joined: Together,
    result: PortfolioResult,
) -> tuple[BacktestOutcome, FinishedPortfolio | None]:
    is_finished = not result.stopped
    report = _report(run, reports, result)
    outcome = BacktestOutcome(
        status="completed" if is_finished else "stopped",
        metrics=result.metrics if is_finished else None,
        metric_notes=result.metric_notes if is_finished else None,
        data_report=report.model_dump(),
        equity_curve=[point._asdict() for point in result.equity_curve()],
        trades=_pack(result.trades),
        signals=_pack(result.signals),
        fills=_pack(result.fills) if run.strategy.trades_in_parts else NO_ROWS,
        portfolio=_portfolio(run, rows, result),
    )
    finished = FinishedPortfolio(
        run_id=run.run_id,
        run=run,
        together=joined,
        result=result,
        dead_token_loss_percent=loss_percent(run),
        can_be_sold=False if any(_cannot_be_sold(row) for row in rows) else None,
        untested=report.untested,
    )
    return outcome, finished if is_finished else None


def _cannot_be_sold(row: Json) -> bool:
    return row["error"] is None and (row.get("costs") or {}).get("can_be_sold") is False and row.get("trades", 0) > 0


def _pack(table: Table) -> Packed:
    return pack(len(table), lambda offset, limit: table[offset : offset + limit])


def _report(run: Backtest, reports: list[DataReport], result: PortfolioResult) -> DataReport:
    """Return the sums of the tokens' reports. The conditions are untested if they are so on every token."""
    read = [
        with_warm_up(report, run.strategy, each.token.candles)
        for report, each in zip(reports, sorted(result.tokens, key=lambda each: each.token.token_id), strict=True)
    ]
    counts = {name: sum(getattr(each, name) or 0 for each in reports) for name in COUNTED}
    fills = result.fill_counts
    return DataReport(
        **counts,
        longest_gap_seconds=max(each.longest_gap_seconds for each in reports),
        fills_resolved=fills,
        fills_summary=fills.sentence(),
        guards_summary=result.guards_summary,
        warm_up=[],
        untested=read[0].untested if all(each.untested is not None for each in read) else None,
    )


def _portfolio(run: Backtest, rows: list[Json], result: PortfolioResult) -> Json:
    traded = {each.token.token_id: each for each in result.tokens}
    alone = dict(zip(traded, plain_returns(run.strategy, result, new_control()), strict=True))
    largest, alike = largest_token(result), correlation_of(result)
    for row in rows:
        if row["token_id"] in traded:
            row.update(_row(run, traded[row["token_id"]]), plain_return=finite(alone[row["token_id"]]))
    younger = sum(int(each.token.candles.time[0]) >= run.start_time for each in result.tokens)
    symbols = {row["token_id"]: row["symbol"] for row in rows}
    deaths = [
        death_words(symbols[name], each.stopped_trading, loss_percent(run), was_held=each.written_down)
        for name, each in traded.items()
        if each.stopped_trading is not None
    ]
    return {
        "tokens": rows,
        "turned_away": result.turned_away,
        "places_used": [{"time": time, "used": used} for time, used in result.places_used()],
        "correlation": None if alike is None else alike._asdict(),
        "benchmarks": {
            "equal_parts": result.metrics["buy_and_hold_return"],
            "largest": finite(100 * (largest.hold_growth - 1)),
            "largest_token_id": largest.token.token_id,
            "plain_mean": finite(sum(alone.values()) / len(alone)),
        },
        "notes": [_choice_words(run, rows, younger), *deaths],
    }


def _choice_words(run: Backtest, rows: list[Json], younger: int) -> str:
    """Return what the choice of the tokens did: those of today leave out what died, those of each day do not."""
    listed = [spans for row in rows for spans in row.get("listed", ())]
    if not listed:
        return survivors_words(len(rows), younger)
    days = max(1, -(-(run.end_time - run.start_time) // DAY))
    mean = sum(min(end, run.end_time) - max(begin, run.start_time) for begin, end in listed) / DAY / days
    return each_day_words(len(rows), mean)


def _row(run: Backtest, each: TokenResult) -> Json:
    candles: Candles = each.token.candles
    return {
        "trades": len(each.trades),
        "pnl": finite(each.pnl),
        "contribution_percent": finite(100 * each.pnl / run.initial_cash),
        "first_candle": _iso(int(candles.time[each.token.start])),
        "last_candle": _iso(int(candles.time[-1])),
        "turned_away": each.turned_away,
        "stopped_trading": each.stopped_trading is not None,
        "open_position": None if each.open_position is None else each.open_position._asdict(),
    }


def _iso(moment: int) -> str:
    return iso_text(utc_moment(moment))
