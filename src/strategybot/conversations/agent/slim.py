"""The results of tools as a language model reads them: clean, and without what only costs tokens."""

from typing import Any

from strategybot.conversations.hygiene import MOST_ENTRIES, clean

LONGEST_TEXT = 1000
SIGNIFICANT_DIGITS = 6
MARK = "untrusted"


def clean_result(answer: Any, most: int = MOST_ENTRIES) -> Any:
    """Return what a tool answered as JSON, with every text visible, on one line and of a bounded length; of a list at
    most so many entries.
    """
    return clean(answer, LONGEST_TEXT, most)


def slim(value: Any) -> Any:
    """Return a JSON value without nulls and repeated marks, and with at most 6 significant digits."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, float):
        rounded = float(f"{value:.{SIGNIFICANT_DIGITS}g}")
        return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded
    if isinstance(value, dict):
        return {key: slim(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, list | tuple):
        return [slim(_unmark(row) if place else row) for place, row in enumerate(value)]
    return value


def _unmark(row: Any) -> Any:
    """Return a row without the mark, which the first row has for all of them."""
    return {key: inner for key, inner in row.items() if key != MARK} if isinstance(row, dict) else row
