"""A retort that puts something else in the place of the last change: "not that, the target", "no, the trailing stop".

What it comes to is an order for the strategy as it was before that change, so that one undo takes it back.
"""

import re

from strategybot.conversations.offline.history import Json
from strategybot.conversations.offline.turns.last_change import REMOVING
from strategybot.conversations.offline.turns.parts import AMOUNT, is_alike, is_same, parts_in
from strategybot.conversations.offline.words.hearing import line_of

_HESITATING = r"(?:wait|oh|ah|hm+|ok|okay|well|actually|please|argh|damn)[\s,.!]+"
_WRONG = (
    r"(?:(?:no|nope|oops|whoops|sorry|wrong(?: one| field| part| thing)?|not that(?: one)?|my (?:bad|mistake))[\s,.!]+"
    r"|i (?:meant?|said|wanted) )"
)
_SIGN = rf"(?:{_HESITATING})*{_WRONG}(?:{_HESITATING}|{_WRONG})*"
_PART = r"(?:the |my )[a-z][a-z ]*?"  # "no target" is no retort
_AS_IT_WAS = r"(?:as|how|where|like|what|the way) it was(?: before)?"
_OLD = (
    rf"(?:(?:leave|keep|put|set|bring) )?(?P<old>{_PART})(?: (?:back|goes back|should go back|stays|remains))?"
    rf"(?: (?:to|at))? (?:{_AS_IT_WAS}|(?P<was>{AMOUNT}))"
)
_LINK = r"(?:(?:and|so|please|but|sorry|pls)[\s,.]+)*"
_OTHER_PART = re.compile(
    rf"{_SIGN}(?P<part>{_PART})(?: instead| i meant?| i said|,? (?:and )?not (?P<not>{_PART}))?"
    rf"(?:[\s,.;]+{_LINK}{_OLD})?[\s.!]*(?:sorry)?[\s.!]*",
    re.IGNORECASE,
)
_BACK = (
    r"(?:(?:i (?:want|need)|bring|put|give me|leave|keep|add) )?(?P<back>(?:the |my )[a-z ]+?)"
    rf"(?: (?:back(?: in)?|stays|in|alone|{_AS_IT_WAS}))"
)
_OTHER_REMOVED = re.compile(
    rf"{_SIGN}(?:{REMOVING} )?(?P<part>{_PART})(?: instead| i meant?| i said)?(?:[\s,.;!]+{_LINK}{_BACK})?[\s.!]*",
    re.IGNORECASE,
)
_BACK_WITH = re.compile(
    r"(?:(?:no|ok|okay|wait|actually|hm+|oops|sorry|oh)[\s,.!]+)*(?:bring|put|add|take|get) it back(?: in)?,?"
    rf"(?: (?:and|but|with|at|to|then|make it))* (?P<new>{AMOUNT})(?: (?:this time|instead|now|please|then))*[\s.!]*",
    re.IGNORECASE,
)
_UNDO_KEEPING = re.compile(
    r"(?:please )?(?:undo|revert|take back) (?:that|it|(?:the|my) last (?:one|change|edit|thing))[\s,.;]+(?:but |and )*"
    rf"(?:leave|keep) (?P<part>(?:the |my )[a-z ]+?)(?: as (?:it )?is(?: now)?| at (?P<now>{AMOUNT}))?[\s.!]*",
    re.IGNORECASE,
)
_OLD_ENTRY = re.compile(
    r"(?:no[\s,]+)?(?:(?:put|bring|get|give me|i want|restore) )?(?:the |my )(?:old|previous|earlier) "
    r"(?:entry|buy (?:rule|condition|signal)|entry (?:rule|condition)|way to buy)(?: back)?(?: please| pls)?"
    r"(?:[\s,.;]+(?:and |then )*(?P<order>.+))?",
    re.IGNORECASE | re.DOTALL,
)
_CONDITIONS = ("price drop", "price rise", "volume spike", "window", "price drop window", "price rise window")
UNDO = ""


def in_its_place(text: str, memory: Json) -> str | None:
    """The order for the strategy before the last change, `UNDO` for none at all; None for any other message."""
    said, gone = memory.get("said") or [], memory.get("gone") or []
    if "?" in text or not (said or gone):
        return None
    kept = _undone_keeping(text, [*(each["part"] for each in said), *gone])
    if kept is not None:
        return kept
    if len(gone) == 1 and not said:
        return _back_with(text, gone[0]) or _other_removed(text, gone[0])
    if said and not gone and (entry := _OLD_ENTRY.fullmatch(text)):
        return (entry["order"] or UNDO) if all(each["part"] in _CONDITIONS for each in said) else None
    return _other_part(text, said[0]) if len(said) == 1 and not gone and not said[0].get("scaled") else None


def _other_part(text: str, last: Json) -> str | None:
    """ "no i meant the trailing stop, put the stop loss back to 5"."""
    found = _OTHER_PART.fullmatch(text)
    part = _part(found["part"]) if found else None
    if found is None or part is None or part == last["part"] or last["by"] or not last["now"]:
        return None
    if any(found[name] and _part(found[name]) != last["part"] for name in ("old", "not")):
        return None
    if found["was"] and not is_same(last["was"] or "", found["was"]):
        return None
    return f"set the {part} to {last['now']}" if is_alike(_example(part), last["now"]) else None


def _other_removed(text: str, gone: str) -> str | None:
    """ "wait no, remove the take profit! i want the stop loss back"."""
    found = _OTHER_REMOVED.fullmatch(text)
    part = _part(found["part"]) if found else None
    if found is None or part is None or part == gone or (found["back"] and _part(found["back"]) != gone):
        return None
    return f"remove the {part}"


def _back_with(text: str, gone: str) -> str | None:
    """ "bring it back, with 4x this time"."""
    found = _BACK_WITH.fullmatch(text)
    return f"change the {gone} to {found['new']}" if found and is_alike(_example(gone), found["new"]) else None


def _undone_keeping(text: str, changed: list[str]) -> str | None:
    """ "undo the last one but keep the stop loss as it is now", which the last one did not touch."""
    found = _UNDO_KEEPING.fullmatch(text)
    part = _part(found["part"]) if found else None
    return UNDO if part is not None and part not in changed and not (found and found["now"]) else None


def _part(text: str) -> str | None:
    """The one part that the text names, a window included."""
    if (fields := parts_in(text)) and len(fields) == 1:
        return fields[0]
    line = line_of(text)
    kinds = {"VOLUME": "volume spike window", "DROP": "price drop window", "RISE": "price rise window"}
    named = [kinds[item.name] for item in line.items if item.name in kinds]
    others = [item for item in line.items if item.name not in (*kinds, "WINDOW", "the", "my")]
    return named[0] if len(named) == 1 and line.has("WINDOW") and not others else None


def _example(part: str) -> str:
    """A value such as the part holds."""
    timed = part.endswith("window") or part in ("cooldown", "longest holding time")
    return "1h" if timed else "3x" if part == "volume spike" else "3%"
