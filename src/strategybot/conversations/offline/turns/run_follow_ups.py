"""A word more about the last run: "same but 7", "make that 90 days", "and last week only?", "start it again"."""

import re
from typing import Any

from strategybot.conversations.offline.beside.speech import is_clear_order
from strategybot.conversations.offline.words.hearing import line_of
from strategybot.conversations.offline.words.quantities import DAY

_OPENING = (  # "wait 2 days" waits, "wait, 2 days" does not
    r"(?:(?:hm+|ok|okay|and|now|so|but|no|nah|wait(?=[,.])|actually|sorry|well|then|cool|nice|great)\b[\s,.]*)*"
)
_ENDING = r"(?:\s+(?:instead|please|pls|then|only|again|now|too|as well))*\s*[.!?]*"
_SAME = r"(?:(?:the )?same(?: (?:thing|test|backtest|run))?|again|once more)"
_PERIOD = r"(?:the )?(?:(?:last|past) )?(?:\d+ ?[a-z]+|an? [a-z]+|[a-z]+|[a-z]+ [a-z]+)"
_BARE_DAYS = re.compile(
    rf"{_OPENING}{_SAME},? (?:but |just |only |with |for |over |on )*(?P<days>\d+)"
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
_SAME_CHANGED = re.compile(  # "same with a 4% stop"
    rf"{_OPENING}{_SAME},? (?:(?:but|with|and)\s+)+(?:an? )?(?P<change>.+)", re.IGNORECASE | re.DOTALL
)
_WITH_SETTINGS = re.compile(rf"{_OPENING}{_SAME}?,? ?(?:but )?with (?P<settings>.+?){_ENDING}", re.IGNORECASE)
_ELSEWHERE = re.compile(rf"{_OPENING}(?:{_SAME},? (?:but )?)?on (?P<token>\$?[\w]+){_ENDING}", re.IGNORECASE)
_LONGER = re.compile(
    rf"{_OPENING}(?:make (?:it|that) )?(?P<times>twice|double|half)"
    rf"(?: as long| that long| that| the (?:time|days|period)){_ENDING}",
    re.IGNORECASE,
)
_SAME_TEST = re.compile(rf"{_OPENING}(?:run |do )?(?:the )?same (?:test|backtest){_ENDING}", re.IGNORECASE)
_TIMES = {"twice": 2.0, "double": 2.0, "half": 0.5}
_STARTED_AGAIN = re.compile(
    r"\b(?:re-?start (?:it|that|this)|(?:re-?)?(?:start|launch|begin)(?: (?:it|that|this))? "
    r"(?:over(?: again)?(?! (?:with|from|on)\b)|again|anew|afresh|once more))\b",
    re.IGNORECASE,
)


def run_again(text: str, memory: dict[str, Any], last_test: dict[str, Any]) -> str | None:
    """What it comes to as an order of its own, after a run; None when the message says anything else."""
    if memory.get("topic") == "simulation":
        resumed = _STARTED_AGAIN.sub("start the simulation", text)
        return resumed if resumed != text else None
    if last_test.get("days") and _SAME_TEST.fullmatch(text.strip()):
        return f"backtest {last_test['days']:g} days"
    if memory.get("topic") != "backtest":
        return None
    return _tested_again(text.strip()) or _tested_otherwise(text.strip(), last_test)


def _tested_otherwise(text: str, last_test: dict[str, Any]) -> str | None:
    """On the days of before, unless it is they that are changed; "and with 0.5% fees?" may ask about anything."""
    if "?" in text:
        return None
    if (longer := _LONGER.fullmatch(text)) is not None and last_test.get("days"):
        return f"backtest {last_test['days'] * _TIMES[longer['times'].lower()]:g} days"
    if (changed := _SAME_CHANGED.fullmatch(text)) is not None and is_clear_order(changed["change"]):
        named = line_of(changed["change"]).has("STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX")
        return f"{changed['change']}, then backtest it" if named else None
    if (beside := _WITH_SETTINGS.fullmatch(text)) is not None and line_of(beside["settings"]).has(
        "FEE|CANDLE|SLIPPAGE"
    ):
        return f"backtest with {beside['settings']}"
    if (elsewhere := _ELSEWHERE.fullmatch(text)) is not None and line_of(elsewhere["token"]).unknown:
        return f"backtest on {elsewhere['token']}"
    return None


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
