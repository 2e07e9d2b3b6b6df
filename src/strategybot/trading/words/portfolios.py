"""Sentences about the choice of the tokens of a portfolio, and about those that died in it."""

from collections.abc import Sequence

import numpy as np

from strategybot.trading.language.values import plain

UNNAMED = "A token"


def survivors_words(tokens: int, younger: int) -> str:
    """Return what a list that was chosen today leaves out."""
    chosen = "This token was" if tokens == 1 else f"These {tokens} tokens were"
    are_younger = f"{'None is' if not younger else '1 is' if younger == 1 else f'{younger} are'} younger than the test"
    return f"{chosen} chosen today. {are_younger}; tokens that died meanwhile are not in it."


def each_day_words(tokens: int, mean: float) -> str:
    """Return what a list of each day has in it."""
    return (
        f"On each day it bought only tokens that were listed on that day: {tokens} in all, about {mean:.0f} a day. "
        "Those that died meanwhile are in it."
    )


def list_words(joined: Sequence[str], left: Sequence[str]) -> str | None:
    """Return which tokens a new list has, and which it has no longer; None if it is the same list."""
    parts = []
    if joined:
        parts.append(f"new on the list: {', '.join(joined)}")
    if left:
        parts.append(f"no longer on the list, and not bought again while they are not: {', '.join(left)}")
    return "; ".join(parts) or None


def death_words(symbol: str | None, last_candle: int, loss_percent: float, *, was_held: bool) -> str:
    """Return when a token stopped trading, and what became of its position."""
    day = np.datetime64(last_candle, "s").item()
    stopped = f"{symbol or UNNAMED} stopped trading on {day.day} {day:%B %Y}"
    if not was_held:
        return f"{stopped}."
    lost = "half" if loss_percent == 50 else f"{plain(loss_percent)} %"
    return f"{stopped}; its position was written down by {lost}."
