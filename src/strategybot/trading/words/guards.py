"""What the guards of a strategy refused, in words."""

import numpy as np

from strategybot.trading.engine.guards import LOSING_STREAK, MAX_DRAWDOWN, Watch
from strategybot.trading.language.guards import Guards
from strategybot.trading.language.values import plain


def refusal_words(guards: Guards, watch: Watch, by: int) -> str:
    """Return why an entry was refused at a close."""
    return f"not buying: {_cause(guards, watch, by)}"


def skipped_summary(guards: Guards | None, watch: Watch) -> str | None:
    """Return how many entries the guards refused, and why; None if they refused none."""
    if guards is None:
        return None
    counts = (watch.skipped_by_drawdown, watch.skipped_by_streak, watch.skipped_by_day)
    said = [
        f"{count} {'entry was' if count == 1 else 'entries were'} skipped: {_cause(guards, watch, by)}."
        for by, count in enumerate(counts, MAX_DRAWDOWN)
        if count > 0
    ]
    return " ".join(said) or None


def _cause(guards: Guards, watch: Watch, by: int) -> str:
    if by == MAX_DRAWDOWN and guards.max_drawdown_percent is not None:
        fall, since = plain(guards.max_drawdown_percent), utc_words(watch.halt_time)
        return f"the max drawdown guard ended buying at {since} (equity {fall} % under its highest)"
    if by == LOSING_STREAK and guards.losing_streak is not None:
        losses, until = guards.losing_streak.losses, utc_words(watch.paused_until)
        row = "a loss" if losses == 1 else f"{losses} losses in a row"
        return f"the losing streak guard paused until {until} ({row})"
    most = guards.max_trades_per_day
    return f"the daily guard allows {most} {'buy' if most == 1 else 'buys'} a day (UTC)"


def utc_words(time: int) -> str:
    """Return unix seconds as 2026-03-02 14:00 UTC."""
    return f"{np.datetime64(int(time), 's').item():%Y-%m-%d %H:%M} UTC"
