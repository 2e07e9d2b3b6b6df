"""What a follow-up leaves unsaid, written out: "now double that" after a target is "now double the take profit".

What the last answer left behind says which part "it", "that" or "not 4" stands for. The message so written out is read
like any other one: whatever else it says is weighed there, and where it stays unclear nothing is written out at all.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from strategybot.conversations.offline.history import Json
from strategybot.conversations.offline.parts import (
    AMOUNT,
    END,
    is_alike,
    is_same,
    named_parts,
    names_a_part,
    with_unit_of,
)
from strategybot.conversations.offline.rewordings import reworded

LEAD = r"(?:(?:no|nope|nah|ok|okay|oops|whoops|oh|hm+|sorry|actually|wait|well|yes|yeah)[\s,.!]+)*"
_JOINT = r"(?:(?:and|now|then|ok|okay|so|please|pls|also|great|cool|nice)[\s,.!]+)"
_SETTING = r"set|put|make|change|move|bring|take|raise|lower|increase|decrease|reduce|bump|widen|tighten|shorten|extend"
_REMOVING = r"(?:remove|delete|scrap|ditch|get rid of|take off|take out|drop|lose)"
_SET_IT = re.compile(
    rf"\b(?P<verb>{_SETTING}) (?:it|that)(?: up| down| back)*(?P<how>(?: (?:to|at|by))?) (?P<new>{AMOUNT})",
    re.IGNORECASE,
)
_REMOVE_IT = re.compile(rf"\b{_REMOVING} (?:it|that)(?: again)?{END}", re.IGNORECASE)
_SCALED = re.compile(
    rf"(?P<lead>{_JOINT}*)(?:(?:make it|use|take|only|just) )?(?P<word>double|triple|halve|half)(?: of)? "
    rf"(?:it|that){END}",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    rf"(?P<lead>{_JOINT}*)(?:another|one more|a further) (?P<new>{AMOUNT}|point|percent|hour|minute|day)"
    rf"(?P<top> (?:on top|more|higher|up))?(?P<off> (?:less|lower|off|down))?{END}",
    re.IGNORECASE,
)
_NOT_BUT = re.compile(
    rf"(?P<lead>{LEAD})not (?P<old>{AMOUNT})[,;]? (?:but |rather )?(?P<new>{AMOUNT})(?=[\s.,;!]|$)", re.IGNORECASE
)
_KEPT_AMOUNT = re.compile(
    rf"\b(?P<verb>keep|leave) (?:the )?(?P<old>{AMOUNT})(?= (?:but|and)\b|\s*[,.;]|$)", re.IGNORECASE
)
_BETTER = re.compile(
    rf"{LEAD}(?P<old>{AMOUNT}) (?:was|is) better,?(?: (?:so|please|just))* "
    rf"(?:put|set|change|bring|switch) (?:it|that) back(?: to (?:that|it))?{END}",
    re.IGNORECASE,
)
_ONE = re.compile(
    r"\b(?:add|use|give me|include|put in|set|want|like|have) one(?: in)?(?:,? (?:with|of|at|to|set to))* "
    rf"(?P<new>{AMOUNT})",
    re.IGNORECASE,
)
_OTHER_TIME = re.compile(
    rf"{LEAD}(?:in|within|over) (?P<new>{AMOUNT}),? (?:rather|instead|i meant?|please)\b", re.IGNORECASE
)
_UP, _DOWN = (
    r"(?:rise|rises|rising|up|pump|pumps|gain|gains|climb)",
    r"(?:drop|drops|dropping|down|fall|falls|dip|dump)",
)
_TURNED = re.compile(
    rf"{LEAD}(?:(?P<up>{_UP}),? not {_DOWN}|(?P<down>{_DOWN}),? not {_UP})(?=\s*(?:$|[,.;!]))"
    r"(?:[,.;!]+ (?:and )?(?:the )?(?:rest|other things|everything else)(?: of (?:it|that))? "
    r"(?:is|was|are|were|stays) (?:right|fine|ok|okay|good|correct|the same))?[.!]*",
    re.IGNORECASE,
)
_ONES = {"point": "1%", "percent": "1%", "hour": "1h", "minute": "1m", "day": "1d"}


@dataclass(frozen=True)
class Last:
    """What the last answer was about."""

    said: list[Json] = field(default_factory=list)  # parts with what they hold now and held before
    about: str | None = None  # the one part that was asked about
    move: Json = field(default_factory=dict)  # the one drop or rise to buy or sell on

    def part(self, amount: str) -> str | None:
        """The one part that can take such an amount."""
        found = [each["part"] for each in self.said if each["now"] and is_alike(each["now"], amount)]
        return found[0] if len(found) == 1 else self.about if not self.said else None

    def holding(self, key: str, amount: str) -> Json | None:
        """The one part that holds the amount now, or was holding it before."""
        found = [each for each in self.said if is_same(each[key] or "", amount)]
        return found[0] if len(found) == 1 else None

    @property
    def only(self) -> Json | None:
        return self.said[0] if len(self.said) == 1 else None


def written_out(text: str, memory: Json) -> str | None:
    """The message with what it points to named; None where it points to nothing."""
    if "?" in text:
        return None
    last = Last(memory.get("said") or [], memory.get("about") or _asked_back(memory), memory.get("move") or {})
    result = text
    for rule in _POINTING:
        result = rule(result, last)
    result = reworded(result)
    return result if result != text else None


def _asked_back(memory: Json) -> str | None:
    """The one part of the order that we had a question about."""
    parts = {*named_parts(str((memory.get("pending") or {}).get("text") or ""))}
    return parts.pop() if len(parts) == 1 else None


def _replaced(text: str, found: re.Match[str], order: str) -> str:
    return f"{text[: found.start()]}{order}{text[found.end() :]}"


def _set(text: str, last: Last) -> str:
    """ "set it to 4 and test it", "raise it by one": the part is named, unless the message names one before."""
    found = _SET_IT.search(text)
    part = last.part(found["new"]) if found else None
    if found is None or part is None or names_a_part(text[: found.start()]):
        return text
    if not found["how"] and found["verb"].lower() != "make":
        return text
    verb = (
        "set"
        if found["how"].strip() in ("to", "at") and found["verb"].lower() in ("put", "bring", "take")
        else found["verb"]
    )
    return _replaced(text, found, f"{verb} the {part}{found['how']} {found['new']}")


def _remove(text: str, last: Last) -> str:
    """ "remove it again": only what has been added, as else the change may be meant."""
    found = _REMOVE_IT.search(text)
    added = last.only is not None and last.only["was"] is None and last.only["now"] is not None
    if found is None or last.only is None or not added or names_a_part(text[: found.start()]):
        return text
    return _replaced(text, found, f"remove the {last.only['part']}")


def _scale(text: str, last: Last) -> str:
    """ "now double that", "half of that"; a mere "double that" may only be a thought."""
    found = _SCALED.match(text)
    if found is None or last.only is None or not (found["lead"] or found["word"].lower().startswith("hal")):
        return text
    word = "halve" if found["word"].lower().startswith("hal") else found["word"]
    return _replaced(text, found, f"{found['lead']}{word} the {last.only['part']}")


def _further(text: str, last: Last) -> str:
    """ "another point on top": the way it went last, or the one that is said."""
    found = _ANOTHER.match(text)
    if found is None or last.only is None:
        return text
    amount = _ONES.get(found["new"].lower(), found["new"])
    signs = {sign for sign in (last.only["by"], 1 if found["top"] else 0, -1 if found["off"] else 0) if sign}
    if len(signs) != 1 or not is_alike(last.only["now"] or "", amount):
        return text
    verb = "raise" if signs == {1} else "lower"
    return _replaced(
        text, found, f"{found['lead']}{verb} the {last.only['part']} by {with_unit_of(last.only['now'], amount)}"
    )


def _not_but(text: str, last: Last) -> str:
    found = _NOT_BUT.match(text)
    part = last.holding("now", found["old"]) if found else None
    if found is None or part is None or not is_alike(part["now"], found["new"]):
        return text
    return _replaced(text, found, f"change the {part['part']} to {with_unit_of(part['now'], found['new'])}")


def _keep(text: str, last: Last) -> str:
    """ "keep the 28 but …"."""
    found = _KEPT_AMOUNT.search(text)
    part = last.holding("now", found["old"]) if found else None
    return text if found is None or part is None else _replaced(text, found, f"{found['verb']} the {part['part']}")


def _better(text: str, last: Last) -> str:
    """ "3x was better, put it back": of the one part that was so before."""
    found = _BETTER.match(text)
    part = last.holding("was", found["old"]) if found else None
    return (
        text if found is None or part is None else _replaced(text, found, f"change the {part['part']} to {part['was']}")
    )


def _one(text: str, last: Last) -> str:
    """ "what is a trailing stop?", "ok add one with 3%"."""
    found = _ONE.search(text)
    if found is None or last.about is None or names_a_part(text[: found.start()]):
        return text
    return _replaced(text, found, f"add a {last.about} of {found['new']}")


def _retime(text: str, last: Last) -> str:
    """ "in 2h rather", of the move to sell on; that of a move to buy on is its window."""
    found = _OTHER_TIME.match(text)
    if found is None or last.move.get("verb") != "sell" or not is_alike("1h", found["new"]):
        return text
    return _replaced(text, found, _moving(last.move, last.move["drops"], found["new"]))


def _turn(text: str, last: Last) -> str:
    """ "rise, not drop! the rest was right"."""
    found = _TURNED.fullmatch(text)
    drops = found is not None and found["down"] is not None
    if found is None or not last.move or last.move["drops"] == drops:
        return text
    return _moving(last.move, drops, last.move["in"])


def _moving(move: Json, drops: bool, window: str) -> str:
    return f"{move['verb']} when the price {'drops' if drops else 'rises'} {move['by']} in {window}"


_POINTING: tuple[Callable[[str, Last], str], ...] = (
    _better, _not_but, _turn, _retime, _one, _set, _remove, _scale, _further, _keep,
)  # fmt: skip
