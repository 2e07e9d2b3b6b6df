"""Guards, compiled: the state that they need of a run, and when they refuse an entry.

A guard reads past closes and fills only. It refuses entries and changes nothing else.
"""

from typing import NamedTuple

from strategybot.trading.engine.jit import inlined
from strategybot.trading.engine.risk import FOREVER, LONG_AGO
from strategybot.trading.language.guards import Guards
from strategybot.trading.language.values import duration_seconds

NOT_REFUSED, MAX_DRAWDOWN, LOSING_STREAK, DAILY_TRADES = 0, 1, 2, 3
DAY = 86_400


class GuardTerms(NamedTuple):
    """The limits of the guards. A guard that is off has a limit that cannot be reached."""

    fall: float  # as a share of the highest equity
    losses: int
    pause: int
    daily_buys: int


class Watch(NamedTuple):
    """The state of the guards in a run."""

    peak_equity: float  # highest at a close so far, the initial cash included
    halt_time: int  # the candle whose close reached the maximum drawdown
    losses: int  # losing trades in a row, up to the last one
    paused_until: int
    day: int  # of the last buy, in days of unix time
    buys: int  # on that day
    refused_time: int  # the last candle whose close would have bought
    skipped_by_drawdown: int  # entries; candles in a row at which one was refused count as one entry
    skipped_by_streak: int
    skipped_by_day: int


NO_GUARDS = GuardTerms(2.0, FOREVER, 0, FOREVER)


def guard_terms(guards: Guards | None) -> GuardTerms:
    if guards is None:
        return NO_GUARDS
    fall, streak, daily = guards.max_drawdown_percent, guards.losing_streak, guards.max_trades_per_day
    return GuardTerms(
        fall=NO_GUARDS.fall if fall is None else fall / 100,
        losses=FOREVER if streak is None else streak.losses,
        pause=0 if streak is None else duration_seconds(streak.pause),
        daily_buys=FOREVER if daily is None else daily,
    )


@inlined
def opening_watch(cash: float) -> Watch:
    return Watch(cash, FOREVER, 0, LONG_AGO, LONG_AGO, 0, LONG_AGO, 0, 0, 0)


@inlined
def watches_equity(guards: GuardTerms) -> bool:
    return guards.fall < 1.0


@inlined
def after_fills(guards: GuardTerms, watch: Watch, time: int, bought: bool, sold: bool, lost: bool) -> Watch:
    """Return the watch after the purchase and the sale of a candle, in this order."""
    peak_equity, halt_time, losses, paused_until, day, buys, refused_time, by_drawdown, by_streak, by_day = watch
    if bought:
        buys = buys + 1 if time // DAY == day else 1
        day = time // DAY
    if sold:
        losses = losses + 1 if lost else 0
        if losses >= guards.losses:
            paused_until = time + guards.pause
    return Watch(peak_equity, halt_time, losses, paused_until, day, buys, refused_time, by_drawdown, by_streak, by_day)


@inlined
def after_close(guards: GuardTerms, watch: Watch, time: int, equity: float) -> Watch:
    """Return the watch after a close with this equity; unchanged if no guard depends on the equity."""
    if not watches_equity(guards):
        return watch
    peak_equity, halt_time, losses, paused_until, day, buys, refused_time, by_drawdown, by_streak, by_day = watch
    peak_equity = max(peak_equity, equity)
    if halt_time == FOREVER and (peak_equity - equity) / peak_equity >= guards.fall:
        halt_time = time
    return Watch(peak_equity, halt_time, losses, paused_until, day, buys, refused_time, by_drawdown, by_streak, by_day)


@inlined
def refusal(guards: GuardTerms, watch: Watch, time: int, interval: int, decided: int) -> int:
    """Return the guard that refuses an entry decided at the close of this candle, or NOT_REFUSED.

    `decided` is the number of other entries that are decided and not filled yet.
    The entry would fill one interval later, and it counts for the day of its fill. A gap in the candles can only move
    the fill to a later day, which has no buy yet.
    """
    if watch.halt_time != FOREVER:
        return MAX_DRAWDOWN
    if time < watch.paused_until:
        return LOSING_STREAK
    buys = watch.buys if (time + interval) // DAY == watch.day else 0
    if buys + decided >= guards.daily_buys:
        return DAILY_TRADES
    return NOT_REFUSED


@inlined
def after_refusal(watch: Watch, time: int, interval: int, by: int) -> Watch:
    peak_equity, halt_time, losses, paused_until, day, buys, refused_time, by_drawdown, by_streak, by_day = watch
    more = 0 if refused_time + interval == time else 1
    by_drawdown += more if by == MAX_DRAWDOWN else 0
    by_streak += more if by == LOSING_STREAK else 0
    by_day += more if by == DAILY_TRADES else 0
    return Watch(peak_equity, halt_time, losses, paused_until, day, buys, time, by_drawdown, by_streak, by_day)
