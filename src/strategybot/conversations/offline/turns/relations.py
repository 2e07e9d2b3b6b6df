"""Follow-ups that move the last value on: "now double that", "another point on top", "1% less", "cut it in half"."""

import re

from strategybot.conversations.offline.turns.last_change import JOINT, LEAD, Last, replaced
from strategybot.conversations.offline.turns.parts import (
    AMOUNT,
    END,
    amount_of,
    is_alike,
    named_parts,
    names_a_part,
    with_unit_of,
)

_UNITS = r"(?:point|percent|hour|minute|day)"
_SCALING = r"(?P<word>double|twice|triple|halve|half)"
_ENOUGH = r"(?: (?:will do|is enough))?"
_SCALED = re.compile(
    rf"(?P<lead>{LEAD}{JOINT}*(?:make it )?)(?:(?:use|take|only|just) )?{_SCALING}(?:(?: of)? (?:it|that)"
    rf"|(?P<long> as long)| as (?:much|big|wide|large|high)){_ENOUGH}{END}",
    re.IGNORECASE,
)
_SHARE_OF_LAST = re.compile(rf"\b{_SCALING}(?: of)? (?:that|it){END}", re.IGNORECASE)
_FACTORS = {"double": 2.0, "twice": 2.0, "triple": 3.0, "halve": 0.5, "half": 0.5}
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
    for rule in (_share, _scale, _halve, _further, _compare, _by):
        text = rule(text, last)
    return text


def _scale(text: str, last: Last) -> str:
    """ "now double that", "half of that will do", "twice as long"."""
    found = _SCALED.match(text)
    if found is None or last.only is None or (found["long"] and not is_alike("1h", last.only["now"] or "")):
        return text
    factor = _FACTORS[found["word"].lower()]
    return replaced(text, found, f"{ {2.0: 'double', 3.0: 'triple'}.get(factor, 'halve') } the {last.only['part']}")


def _share(text: str, last: Last) -> str:
    """ "make the target double that" after a stop of 4 is 8; where "that" may be several things, it is left out."""
    found = _SHARE_OF_LAST.search(text)
    if found is None or not last.said or not names_a_part(text[: found.start()]):
        return text
    named, held = named_parts(text[: found.start()]), amount_of((last.only or {}).get("now") or "")
    if last.only is None or held is None or held[0] != "%" or named == [last.only["part"]]:
        return text if last.only and named == [last.only["part"]] else replaced(text, found, "")
    return replaced(text, found, f"{held[1] * _FACTORS[found['word'].lower()]:g}%")


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
