"""From when on the series of a strategy are known in a run, and why its entry conditions were never known."""

import numpy as np

from strategybot.trading.engine.candles import Candles, DataReport, SeriesWarmUp
from strategybot.trading.engine.comparisons import series_reach, series_values, series_warm_up
from strategybot.trading.engine.conditions import series_of
from strategybot.trading.engine.indicators.longer import longer_candles
from strategybot.trading.engine.instruments import INTERVAL_SECONDS
from strategybot.trading.language.conditions import Compare, Condition, Group, PriceDrop, PriceRise, VolumeSpike
from strategybot.trading.language.series_kind import Series
from strategybot.trading.language.strategy import Strategy

UNDEFINED = "has no value in this run"


def with_warm_up(report: DataReport, strategy: Strategy, candles: Candles) -> DataReport:
    """Return the report of a run's candles with what it says about the series of the strategy."""
    start = report.warm_up_candles
    if start is None:
        return report
    series = {_words(each): each for each in series_of(strategy)}
    known = {words: _first_known(each, candles, start) for words, each in series.items()}
    rows = [
        SeriesWarmUp(
            series=words,
            needed=series_reach(each, candles.interval_seconds),
            had=start,
            known_from=None if (first := known[words]) is None else f"{_moment(candles, first)}:00Z",
        )
        for words, each in series.items()
    ]
    late = [row for row in rows if row.had < row.needed and known[row.series] != start]
    found = {
        "warm_up": rows,
        "warm_up_summary": " ".join(_late_words(row, candles, known[row.series]) for row in late) or None,
        "untested": untested(strategy, candles, start, is_cut=report.warm_up_cut),
    }
    return report.model_copy(update=found)


def untested(strategy: Strategy, candles: Candles, start: int, *, is_cut: bool = False) -> str | None:
    """Return why the entry conditions were unknown at every candle from `start` on; None if they were known once.

    With `is_cut` the market may have earlier candles, which were not fetched.
    """
    whose = "this run has" if is_cut else "this token has"
    reasons = [_why_unknown(each, candles, start, whose) for each in strategy.conditions]
    unknown = [reason for reason in reasons if reason is not None]
    if not unknown or (strategy.match == "any" and len(unknown) < len(reasons)):
        return None
    return f"Nothing could be tested: {unknown[0]}."


def _first_known(series: Series, candles: Candles, start: int) -> int | None:
    """Return the first candle from `start` on with a value. Values do not depend on later candles."""
    size = max(start, series_warm_up(series, candles.interval_seconds)) + 1
    while True:
        known = np.flatnonzero(~np.isnan(series_values(series, candles[:size])[start:]))
        if len(known):
            return start + int(known[0])
        if size >= len(candles):
            return None
        size *= 2


def _why_unknown(condition: Condition, candles: Candles, start: int, whose: str) -> str | None:
    """Return why the condition was unknown at every candle from `start` on; None if it was known at one.

    Of a group, why a member was, if it cannot be true without it.
    """
    if isinstance(condition, Group):
        reasons = [_why_unknown(each, candles, start, whose) for each in condition.conditions]
        enough = reasons.count(None) >= (condition.needed if condition.match != "none" else len(reasons))
        return None if enough else next(reason for reason in reasons if reason is not None)
    needed = condition.warm_up(candles.interval_seconds)
    size = max(start, needed) + 1
    while not condition.known(candles[:size], {})[start:].any():
        if size >= len(candles):
            return _lack_words(condition, needed, candles, start, whose)
        size *= 2
    return None


def _lack_words(condition: Condition, needed: int, candles: Candles, start: int, whose: str) -> str:
    if not isinstance(condition, Compare):
        if len(candles) > needed:
            return f"the volume {UNDEFINED}: {Series.undefined}"
        what = (
            f"a window of {condition.window}"
            if isinstance(condition, PriceDrop | PriceRise | VolumeSpike)
            else "a cross"
        )
        return f"{what} needs {needed + 1:,} candles, {whose} {len(candles):,}"
    unknown = [each for each in condition.series() if _first_known(each, candles, start) is None]
    series = unknown[0] if len(unknown) == 1 else condition.last_known(candles.interval_seconds)
    own, unit = _own_candles(series, candles)
    enough = series.warm_up() + series.offset + 1
    if own < enough:
        return f"{_words(series)} needs {enough:,} {unit}, {whose} {own:,}"
    if condition.crosses and own == enough:
        return f"a cross of {_words(series)} needs {enough + 1:,} {unit}, {whose} {own:,}"
    return f"{_words(series)} {UNDEFINED}: {series.undefined}"


def _own_candles(series: Series, candles: Candles) -> tuple[int, str]:
    """Return how many candles the series has, on longer ones if it is computed on them, and what they are called."""
    seconds = candles.interval_seconds if series.interval is None else INTERVAL_SECONDS[series.interval]
    if seconds <= candles.interval_seconds:
        return len(candles), "candles"
    return len(longer_candles(candles, seconds)), "of them"


def _words(series: Series) -> str:
    """Return the series in words, without what changes its value afterwards."""
    return series.model_copy(update={"times": 1, "plus": 0}).phrase()


def _late_words(row: SeriesWarmUp, candles: Candles, known: int | None) -> str:
    since = "was never known"
    if known is not None:
        since = f"is known from {_moment(candles, known).replace('T', ' ')} UTC"
    return f"{row.series} had {row.had:,} candles before the start instead of {row.needed:,} and {since}."


def _moment(candles: Candles, i: int) -> str:
    """Return the time of a candle, such as 2026-03-01T04:00."""
    return str(np.datetime64(int(candles.time[i]), "s").astype("datetime64[m]"))
