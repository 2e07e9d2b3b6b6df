"""Reasons as data: a code and its values for programs, and a sentence for people.

Rows of older versions have only the exact words. It imports little, so that a command starts soon.
"""

from collections.abc import Iterable
from typing import Annotated, Literal, NamedTuple

from pydantic import Field
from typing_extensions import TypedDict  # Pydantic refuses that of `typing` before Python 3.12

ReasonCode = Literal[
    "condition_met",
    "condition_unmet",
    "condition_unknown",
    "decided",
    "stop_loss",
    "take_profit",
    "trailing_stop",
    "break_even",
    "ladder",
    "entry_gap",
    "stop_unknown",
    "max_holding",
    "holding",
    "cooling_down",
    "guard_max_drawdown",
    "guard_losing_streak",
    "guard_max_trades_per_day",
    "paused",
    "not_bought",
    "pool_changed",
]
Scalar = bool | int | float | str | None


class Reason(TypedDict):
    """Why something was decided. `values` holds the figures behind `text`; which ones, depends on `code`."""

    code: Annotated[ReasonCode, Field(description="What decided")]
    values: Annotated[dict[str, Scalar], Field(description="The figures behind the text")]
    text: Annotated[str, Field(description="The same in words")]


Reasons = Annotated[
    list[Reason], Field(description="The reason as data; empty for rows that older versions wrote without it")
]


class Why(NamedTuple):
    """The exact words of a decision, and the same as data; no data for decisions of versions that stored only words."""

    words: str
    reasons: list[Reason]


NO_DECISION = Why("", [])


def all_of(reasons: Iterable[Reason]) -> Why:
    """Return the reasons together; the texts of met conditions are their exact words."""
    found = list(reasons)
    return Why("; ".join(each["text"] for each in found), found)
