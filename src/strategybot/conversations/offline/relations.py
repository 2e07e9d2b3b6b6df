"""Follow-ups that move the last value on: "now double that", "another point on top", "1% less", "cut it in half"."""

import re

from strategybot.conversations.offline.last_change import JOINT, LEAD, Last, replaced
from strategybot.conversations.offline.parts import AMOUNT, END, is_alike, names_a_part, with_unit_of

_UNITS = r"(?:point|percent|hour|minute|day)"
_SCALED = re.compile(
    rf"(?P<lead>{JOINT}*(?:make it )?)(?:(?:use|take|only|just) )?(?P<word>double|twice|triple|halve|half)(?: of)? "
    rf"(?:it|that)(?P<please> (?:please|pls))?{END}",
    re.IGNORECASE,
)
_HALVED = re.compile(rf"\b(?:cut|chop|split) (?:it|that) in (?:half|two){END}", re.IGNORECASE)
_ANOTHER = re.compile(
    rf"(?P<lead>{JOINT}*)(?:another|one more|a further) (?P<new>{AMOUNT}|{_UNITS})"
    rf"(?P<top> (?:on top|more|higher|up))?(?P<off> (?:less|lower|off|down))?{END}",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    rf"(?P<lead>{LEAD}{JOINT}*)(?:make it |give it |by )?(?:(?P<new>{AMOUNT})|an? (?P<unit>{_UNITS})) "
    rf"(?:(?P<more>more|higher|wider|looser|longer|bigger|larger)|less|lower|tighter|shorter|smaller|closer){END}",
    re.IGNORECASE,
)
_BY = re.compile(
    rf"(?P<lead>{LEAD}{JOINT}*)(?:(?P<more>raise|increase|bump|widen|extend)|lower|reduce|decrease|tighten|shorten) by "
    rf"(?P<new>{AMOUNT}){END}",
    re.IGNORECASE,
)
_ONES = {"point": "1%", "percent": "1%", "hour": "1h", "minute": "1m", "day": "1d"}
RELATIVE = r"[%#~×] (?:more|less|extra|RAISE|REDUCE|ADD|off)|(?:by|another|extra|CREATE) [%#~×]"


def moved_on(text: str, last: Last) -> str:
    for rule in (_scale, _halve, _further, _compare, _by):
        text = rule(text, last)
    return text


def _scale(text: str, last: Last) -> str:
    """ "now double that", "half of that"; a mere "double that" may only be a thought."""
    found = _SCALED.match(text)
    if found is None or last.only is None:
        return text
    halves = found["word"].lower().startswith("hal")
    if not (found["lead"] or found["please"] or halves):
        return text
    word = "halve" if halves else "triple" if found["word"].lower() == "triple" else "double"
    return replaced(text, found, f"{word} the {last.only['part']}")


def _halve(text: str, last: Last) -> str:
    found = _HALVED.search(text)
    if found is None or last.only is None or names_a_part(text[: found.start()]):
        return text
    return replaced(text, found, f"halve the {last.only['part']}")


def _further(text: str, last: Last) -> str:
    """ "another point on top": the way it went last, or the one that is said."""
    found = _ANOTHER.match(text)
    if found is None or last.only is None:
        return text
    signs = {sign for sign in (last.only["by"], 1 if found["top"] else 0, -1 if found["off"] else 0) if sign}
    return _moved(text, found, last, signs == {1}, found["new"]) if len(signs) == 1 else text


def _compare(text: str, last: Last) -> str:
    """ "5 points more please", "make it 2 hours less"."""
    found = _COMPARED.match(text)
    said = (found["new"] or found["unit"]) if found else "one"
    if found is None or said.lower() == "one":  # "one more" may be one of anything
        return text
    return _moved(text, found, last, bool(found["more"]), said)


def _by(text: str, last: Last) -> str:
    """ "raise by 1"."""
    found = _BY.match(text)
    return text if found is None else _moved(text, found, last, bool(found["more"]), found["new"])


def _moved(text: str, found: re.Match[str], last: Last, up: bool, said: str) -> str:
    amount = _ONES.get(said.lower(), said)
    held = [each for each in last.said if is_alike(each["now"] or "", amount)]
    if len(held) != 1:
        return text
    verb = "raise" if up else "lower"
    return replaced(text, found, f"{verb} the {held[0]['part']} by {with_unit_of(held[0]['now'], amount)}")
