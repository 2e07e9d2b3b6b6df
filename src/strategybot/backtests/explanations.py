"""Why a backtest did what it did at one candle: whether it held a position, and how each condition stood."""

from typing import NamedTuple

import numpy as np

from strategybot.accounts.service import Principal
from strategybot.backtests.charts import drawn_token, seen_from
from strategybot.backtests.rows import held_of_token, own_trades
from strategybot.backtests.schemas import ConditionAt, ExplanationView
from strategybot.backtests.service import Backtests, refuse_without_details
from strategybot.backtests.storage import Backtest
from strategybot.kit.clock import utc_moment
from strategybot.kit.database import Database
from strategybot.kit.errors import FieldError, InvalidInput
from strategybot.kit.threads import computing, run_read
from strategybot.market.service import Market
from strategybot.trading.engine.candles import Candles, DataReport, densify
from strategybot.trading.engine.instruments import INTERVAL_SECONDS
from strategybot.trading.engine.resolution import as_measured
from strategybot.trading.language.values import duration_seconds
from strategybot.trading.words.explain import SideReading, entry_reading, exit_reading
from strategybot.trading.words.numbers import price_words
from strategybot.trading.words.why import cooling_why


class _Place(NamedTuple):
    """What a run held at a candle, and what it decided at the close of it."""

    entry_time: int | None
    entry_price: float | None
    last_exit: int | None
    buys: bool
    sells: bool


class Explanations:
    def __init__(self, database: Database, backtests: Backtests, market: Market) -> None:
        self._database, self._backtests, self._market = database, backtests, market

    async def explain(
        self, principal: Principal, bot_id: str, run_id: str, time: int, token_id: str | None = None
    ) -> ExplanationView:
        """Return the candle of the run that contains this time; of a portfolio, that of this token. Raise
        `InvalidInput` outside of the run.
        """
        run = await run_read(self._backtests.find, principal, bot_id, run_id)
        refuse_without_details(run)
        if run.asked_tokens is not None and token_id is None:
            raise InvalidInput([FieldError("token", "is required: this run traded many tokens")])
        token_id = drawn_token(run, token_id)
        seconds = INTERVAL_SECONDS[run.kline_interval]
        opens = time // seconds * seconds
        if not run.start_time <= opens < run.end_time:
            span = f"{utc_moment(run.start_time):%Y-%m-%dT%H:%MZ} and {utc_moment(run.end_time):%Y-%m-%dT%H:%MZ}"
            raise InvalidInput([FieldError("time", f"must lie between {span}, which the run saw")])
        first = seen_from(run, opens)
        candles = await self._market.stored_candles(token_id, run.kline_interval, first, opens + seconds)
        place = await run_read(self._place, run, token_id, opens, seconds)
        return await computing(_explain, run, candles, opens, place)

    def _place(self, run: Backtest, token_id: str, time: int, seconds: int) -> _Place:
        with self._database.read() as session:
            trades = own_trades(session, run, token_id, 0, run.trade_count).trades
        still_open = (run.open_position if run.asked_tokens is None else held_of_token(run, token_id)) or {}
        entries, exits = trades["entry_time"], trades["exit_time"]
        held = np.flatnonzero((entries <= time) & (exits > time))
        ended = exits[exits <= time]
        entry_time = int(entries[held[0]]) if len(held) else None
        entry_price = float(trades["entry_price"][held[0]]) if len(held) else None
        opened = still_open.get("entry_time")
        if opened is not None and opened <= time:
            entry_time, entry_price = opened, still_open["entry_price"]
        return _Place(
            entry_time,
            entry_price,
            int(ended.max()) if len(ended) else None,
            buys=bool(np.any(entries == time + seconds)) or opened == time + seconds,
            sells=bool(np.any(exits == time + seconds)),
        )


def _explain(run: Backtest, candles: Candles, time: int, place: _Place) -> ExplanationView:
    dense = densify(candles, DataReport())[0]
    strategy = as_measured(run.strategy_as_run, dense.interval_seconds)
    i = int(np.searchsorted(dense.time, time))
    if i >= len(dense) or int(dense.time[i]) != time:
        raise InvalidInput([FieldError("time", "has no candle: nothing was traded, or it is no longer stored")])
    entry, exit_ = entry_reading(strategy, dense, i), exit_reading(strategy, dense, i)
    return ExplanationView(
        time=utc_moment(time),
        price=float(dense.close[i]),
        answer=_held_words(exit_, place) if place.entry_time is not None else _free_words(run, entry, time, place),
        held_since=None if place.entry_time is None else utc_moment(place.entry_time),
        entry=conditions_at(entry),
        exit=conditions_at(exit_),
    )


def conditions_at(side: SideReading) -> list[ConditionAt]:
    return [ConditionAt(condition=each.kind, met=each.fired, sentence=each.reason["text"]) for each in side.conditions]


def _held_words(exit_: SideReading, place: _Place) -> str:
    paid = "" if place.entry_price is None else f" at ${price_words(place.entry_price)}"
    since = f"{utc_moment(place.entry_time or 0):%Y-%m-%d %H:%M} UTC"
    held = f"It held a position, bought{paid} on {since}, and buys no second one."
    if not place.sells:
        return f"{held} Nothing made it sell at this candle."
    why = f": {exit_.why().words}" if exit_.fired else " by its stop, its target or its longest holding"
    return f"{held} It sold at the next candle{why}."


def _free_words(run: Backtest, entry: SideReading, time: int, place: _Place) -> str:
    if place.buys:
        return f"It bought at the next candle: {entry.why().words}."
    if not entry.fired:
        return f"It did not buy: {entry.waiting().words}."
    cooldown = run.strategy.risk_management.cooldown
    left = 0 if cooldown is None or place.last_exit is None else place.last_exit + duration_seconds(cooldown) - time
    if left > 0:
        return f"Its conditions were met, but it did not buy: {cooling_why(left).words}."
    guards = DataReport.model_validate(run.data_report).guards_summary if run.data_report else None
    last = "The run ended before the next candle."
    if run.asked_tokens is not None:
        last = "No place was free, the purse was empty, or the run ended before the next candle."
    return f"Its conditions were met, but it did not buy. {guards or last}"
