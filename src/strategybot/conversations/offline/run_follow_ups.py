"""A word more about the last run: "same but 7", "make that 90 days", "and last week only?", "start it again"."""

import re
from typing import Any

from strategybot.conversations.offline.hearing import line_of
from strategybot.conversations.offline.quantities import DAY

_OPENING = r"(?:(?:hm+|ok|okay|and|now|so|but|no|nah|wait|actually|sorry|well|then|cool|nice|great)\b[\s,.]*)*"
_ENDING = r"(?:\s+(?:instead|please|pls|then|only|again|now|too|as well))*\s*[.!?]*"
_PERIOD = r"(?:the )?(?:(?:last|past) )?(?:\d+ ?[a-z]+|an? [a-z]+|[a-z]+|[a-z]+ [a-z]+)"
_BARE_DAYS = re.compile(
    rf"{_OPENING}(?:the )?same(?: (?:thing|test|again))?,? (?:but |just |only |with |for |over |on )*(?P<days>\d+)"
    rf"{_ENDING}",
    re.IGNORECASE,
)
_OTHER_PERIOD = re.compile(
    rf"{_OPENING}(?:(?:make|do|try) (?:it|that|this) |(?:only|just|over|for) )*(?P<period>{_PERIOD}){_ENDING}",
    re.IGNORECASE,
)
_WITH_CHANGE = re.compile(
    rf"{_OPENING}(?P<period>{_PERIOD}) again,? (?:but )?with (?:a |an |the )?(?P<change>.+)", re.IGNORECASE | re.DOTALL
)
_STARTED_AGAIN = re.compile(
    r"\b(?:re-?start (?:it|that|this)|(?:re-?)?(?:start|launch|begin)(?: (?:it|that|this))? "
    r"(?:over(?: again)?|again|anew|afresh|once more))\b",
    re.IGNORECASE,
)


def run_again(text: str, memory: dict[str, Any]) -> str | None:
    """What it comes to as an order of its own, after a run; None when the message says anything else."""
    if memory.get("topic") == "simulation":
        resumed = _STARTED_AGAIN.sub("start the simulation", text)
        return resumed if resumed != text else None
    return _tested_again(text.strip()) if memory.get("topic") == "backtest" else None


def _tested_again(text: str) -> str | None:
    if (same := _BARE_DAYS.fullmatch(text)) is not None:
        return f"backtest {same['days']} days"
    if (other := _OTHER_PERIOD.fullmatch(text)) is not None and _is_period(other["period"]):
        return f"backtest {other['period']}"
    if (changed := _WITH_CHANGE.fullmatch(text)) is not None and _is_period(changed["period"]):
        return f"{changed['change']}, then backtest {changed['period']}"
    return None


def _is_period(text: str) -> bool:
    """Whether it is a time of days or more, and nothing else."""
    items = [item for item in line_of(text).items if item.name not in ("the", "last", "past", "ABOVE")]
    return len(items) == 1 and items[0].is_duration and items[0].token is not None and items[0].token.value >= DAY
