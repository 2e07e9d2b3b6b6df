"""An answer that is an order of its own: "the 3% one, yes, remove it", "no leave it. but set the target to 11".

It is written out with what the question was about, and is then read like any other message.
"""

import re

from strategybot.conversations.offline.history import Json
from strategybot.conversations.offline.turns.completions import completed
from strategybot.conversations.offline.turns.last_change import LEAD, REMOVING
from strategybot.conversations.offline.turns.parts import AMOUNT, amount_of, is_alike, named_parts, parts_in

_YES = r"(?:[\s,.]+(?:yes|yeah|please|pls))*"
_REMOVED = rf"(?:[\s,.;]+(?:please |just |and )*{REMOVING} (?:it|that|that one|them|those|both))?"
_THE_ONE = re.compile(
    rf"{LEAD}(?:i meant? )?(?:the )?(?P<new>{AMOUNT})(?: one)?{_YES}{_REMOVED}{_YES}[\s.!]*", re.IGNORECASE
)
_THESE = re.compile(
    rf"{LEAD}(?:(?:only|just|remove|drop|take away|take out) )*(?P<parts>(?:the |my )[a-z ,]+?)"
    r"(?:[,;.] (?:and )?(?:the (?:others|rest) stays?|keep the (?:others|rest)))?"
    rf"(?:,? (?:only|just)(?: (?:those|these)(?: two| three)?)?)?{_REMOVED}{_YES}[\s.!]*",
    re.IGNORECASE,
)
_MEANT = re.compile(r",?\s*(?<!\w)i meant?\s*(?=,)", re.IGNORECASE)
_OTHER_MEANING = re.compile(r"\b(?:what|that|as|like|how|if|not|which) i meant?\b", re.IGNORECASE)
_NO_BUT = re.compile(
    r"(?:no|nope|nah)\b[\s,.!]*(?:(?:leave|keep) (?:it|that|everything)(?: (?:as (?:it )?is|alone|there))?|"
    r"don'?t(?: do (?:it|that))?|forget (?:it|that)|never ?mind|not that)?[\s,.;!]*"
    r"\b(?:but|instead|rather)\b[\s,]*(?P<order>.+)",
    re.IGNORECASE | re.DOTALL,
)
_NO_ONLY = re.compile(
    r"(?:no|nope|nah)\b[\s,.!]*(?:only|just) (?P<order>(?:remove|drop|delete|set|change|raise|lower) .+)", re.IGNORECASE
)
_YES_WITH = re.compile(  # "yes add it, but with 3", of what was asked about
    rf"(?:yes|yeah|yep|ok|okay|sure)[\s,.!]+(?:please )?(?:(?:add|set|do|use|take) (?:it|that|one))?[\s,]*"
    rf"but (?:with|at|make it|use|only) (?P<new>{AMOUNT})(?: instead| please| then)*[\s.!]*",
    re.IGNORECASE,
)
_PART_MEANT = re.compile(
    rf"{LEAD}(?:i meant? )?(?P<part>(?:the |my )[a-z ]+?)(?: please| i meant?)*[\s.!]*", re.IGNORECASE
)
_CALLED = re.compile(r"(?:call|name) it [\w\"'-]+(?: [A-Z]\w+)*(?:[,;.:]| and| with| that| on| for) ", re.IGNORECASE)
_NAME_AND_MORE = re.compile(
    r"(?P<name>[A-Z][\w-]*(?: [A-Z][\w-]*){0,2})\s*[,;.:]\s+(?:and |it |should |that |which )*"
    r"(?P<rule>(?:buy|buys|buying|enter|when)\b.+)",
    re.DOTALL,
)
_CLAIMED, _WHICH = "You wrote ", "Which of them"


def rejoined(text: str, pending: Json, about: str | None = None) -> str | None:
    """The order that the answer comes to; None for any other answer. `about`: the part that a question was about."""
    if "?" in text:
        return None
    kind, asked, order = pending.get("kind"), str(pending.get("question") or ""), str(pending.get("text") or "")
    if kind == "more" and asked.startswith(_CLAIMED):
        return _with_amount(text, order)
    if kind == "more" and asked.startswith(_WHICH):
        found = _THESE.fullmatch(text)
        return f"remove {found['parts']}" if found and parts_in(found["parts"]) else None
    if kind == "more" and (whole := completed(order, text)) is not None:
        return whole
    if kind == "name":
        return _named(text)
    if kind in ("apply", "run") and (other := _otherwise(text, pending, about)) is not None:
        return other
    meant = _MEANT.sub("", text)
    return meant if meant != text and not _OTHER_MEANING.search(text) else None


def _otherwise(text: str, pending: Json, about: str | None) -> str | None:
    """What is to be done in the place of what was asked about."""
    if found := _NO_BUT.fullmatch(text) or _NO_ONLY.fullmatch(text):
        return found["order"]
    if pending.get("kind") != "apply":
        return None
    if about and (found := _YES_WITH.fullmatch(text)):
        return f"set the {about} to {found['new']}"
    found = _PART_MEANT.fullmatch(text)
    return _meant(found["part"], str(pending.get("order") or "")) if found else None


def _meant(part: str, order: str) -> str | None:
    """ "risk 2% of my cash", "the stop loss": the one amount, for the part that the order did not name."""
    amounts = re.findall(AMOUNT, order, re.IGNORECASE)
    if len(amounts) != 1 or len(parts_in(part)) != 1 or named_parts(order):
        return None
    return f"set {part} to {amounts[0]}"


def _named(text: str) -> str | None:
    """ "call it Pebble, and it buys …", "Pebble, buys …": a name with more behind it is the whole order at once."""
    if _CALLED.match(text):
        return f"create a bot, {text}"
    found = _NAME_AND_MORE.fullmatch(text.strip())
    return f'create a bot called "{found["name"]}": {found["rule"]}' if found else None


def _with_amount(text: str, order: str) -> str | None:
    """ "remove the 4% stop" with the 3 that it has."""
    found = _THE_ONE.fullmatch(text)
    amounts = re.findall(AMOUNT, order, re.IGNORECASE)
    if found is None or len(amounts) != 1 or amount_of(found["new"]) is None or not is_alike(amounts[0], found["new"]):
        return None
    return order.replace(amounts[0], found["new"])
