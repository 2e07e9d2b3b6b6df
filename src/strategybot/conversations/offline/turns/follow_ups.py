"""A word more about the last change: "no, make that 14", "i meant 4 not 5", "hmm, 3 is better"."""

import re

from strategybot.conversations.offline.beside.speech import halves_of, is_clear_order
from strategybot.conversations.offline.history import Json
from strategybot.conversations.offline.turns.last_change import JOINT, REMOVING
from strategybot.conversations.offline.turns.parts import is_alike, is_same, named_parts, parts_in, with_unit_of
from strategybot.conversations.offline.turns.references import written_out
from strategybot.conversations.offline.turns.relations import RELATIVE
from strategybot.conversations.offline.words.hearing import line_of
from strategybot.conversations.offline.words.lexemes import Kind, Token
from strategybot.conversations.offline.words.lines import Line
from strategybot.conversations.offline.words.plain_words import words_of
from strategybot.conversations.offline.words.quantities import duration_text

LONGEST = 14
_AMOUNTS = frozenset({Kind.PERCENT, Kind.MULTIPLE, Kind.DURATION, Kind.NUMBER})
_CORRECTING = words_of(
    """
    no nope nah wait sorry oops whoops actually hmm hm uh um er oh ok okay well make it that this thats to i mean meant
    is was better would be should rather instead use go with try set change lets let us say just and on second thought
    please pls plz said my bad mistake about more like want wanted prefer at even still then now yeah yes lol bro
    need wrong typo must a an the number
    """
)
_SAME = r"(?:the )?same (?:thing |value |amount |number |percentage |percent )?"
_FOR_PART = rf"(?:(?:do|use|apply|take|set) )?{_SAME}(?:for|with|to|on) (?:the |my )?(?P<part>[a-z ]{{2,30}}?)"
_MADE_SAME = r"(?:(?:make|set|put) )?(?:the |my )(?P<made>[a-z ]{2,30}?)(?: to)? the same"
_BY_SAME = r"(?:the |my )(?P<moved>[a-z ]{2,30}?) by (?:the same(?: amount)?|as much)"
_SAME_FOR = re.compile(
    rf"{JOINT}*(?:{_FOR_PART}|{_BY_SAME}|{_MADE_SAME})(?: (?:please|pls|too|as well))*[.!]*",
    re.IGNORECASE,
)
_RUN_BEHIND = re.compile(r",? (?:and then|and|then) (?P<run>(?:back)?test\b.*)", re.IGNORECASE)
_REMOVE_IT = rf"{REMOVING} (?:it|them|that|those)"
_TOO = re.compile(  # "and the max hold as well", "the stop loss too, get rid of it"
    rf"(?P<joint>{JOINT}*)(?P<parts>(?:the |my )?[a-z ,]+?)(?P<too>(?: (?:too|as well|also))*)"
    rf"(?P<rid>[,.;]? {_REMOVE_IT}(?: (?:too|as well|also))*)?(?: (?:please|pls))?[.!]*",
    re.IGNORECASE,
)
_SETS = re.compile(r"\b(?:to|at|make|set|put|back|is|be)\b", re.IGNORECASE)
_TWICE = re.compile(rf"{JOINT}*(?:make it )?(?:double|twice|half|triple)(?: of)? (?:that|it)[\s.!]*", re.IGNORECASE)
_AND = re.compile(r"(?:ok(?:ay)?[\s,]+)?and\b", re.IGNORECASE)
_REFUSING = re.compile(r"(?:(?:wait|oh|hm+)[\s,]+)*(?:no|nope|nah|not)\b", re.IGNORECASE)
_ASKING = re.compile(  # "was 3x better", "is 4 better"; but "should be 4" orders
    r"(?:(?:so|and|hm+|ok|well|but)[ ,]+)*(?:is|was|are|would|will|should (?:it|that|this|we|i))\b", re.IGNORECASE
)
_DISMISSING = frozenset({"not", "instead", "rather", "and not"})
_MARKS = frozenset({",", ".", ";", ":"})


def continued(said: str, text: str, memory: Json) -> str | None:
    """The order that the message comes to together with the last one; None where it stands for itself.

    It is looked at as it was said, "please" and "ok" included, and as the bare text of it.
    """
    order, template = memory.get("repeat"), memory.get("template")
    said_again = repeated(text, order, memory.get("alike")) if isinstance(order, str) else None
    written = written_out(said, memory) or written_out(text, memory)
    more = corrected_and_more(text, memory.get("said") or [])
    return written or said_again or more or (corrected(text, memory.get("said") or []) if template else None)


def doubtful(text: str, memory: Json) -> str | None:
    """What is asked where a mere amount may be a value or a step, or may be meant for another part."""
    said = memory.get("said") or []
    if said and memory.get("topic") and _TWICE.fullmatch(text.strip()):  # of "stop 4 and test 30 days"
        return f"Do you mean the days of the test, or the {said[0]['part']}?"
    amount = corrected(text, said) if len(said) == 1 else None
    if amount is None or _SETS.search(text):
        return None
    if said[0]["by"]:  # "raise the stop by 1", "no, 2"
        return f"Should the {said[0]['part']} be {amount}, or change by that much?"
    return f"What should be {amount}?" if _AND.match(text) else None


def corrected_and_more(text: str, said: list[Json]) -> str | None:
    """ "wrong number, 12, and the stop 4": a correction of the one part, and an order behind it."""
    for ahead, _, behind in halves_of(text):
        amount = corrected(ahead, said) if len(said) == 1 and not said[0]["by"] else None
        if (
            amount
            and not _AND.match(ahead)
            and is_alike(said[0]["now"] or "", amount)
            and named_parts(behind)
            and is_clear_order(behind)
        ):
            return f"set the {said[0]['part']} to {with_unit_of(said[0]['now'], amount)}, {behind}"
    return None


def repeated(text: str, order: str, alike: list[str] | str | None) -> str | None:
    """ "now do the same for the take profit", "and the max hold as well": the last order, about something else.

    A change is repeated only for one part that is like the last; a removal for any. "No, …" is no repetition.
    """
    text = text.strip()
    if _REFUSING.match(text):
        return None
    if (behind := _RUN_BEHIND.search(text)) is not None:  # "the price level too, and test 30 days"
        again = repeated(text[: behind.start()], order, alike)
        return f"{again}, and {behind['run']}" if again else None
    asked = _SAME_FOR.fullmatch(text)
    if asked:
        if asked["moved"] and " by " not in order:
            return None
        part = _other_stop(asked["part"] or asked["made"] or asked["moved"], alike)
        return order.format(part) if alike is None or _is_one_of(parts_in(part), alike) else None
    also = _TOO.fullmatch(text)
    if also is None or not (also["too"] or also["joint"]) or (alike is not None and not also["too"]):
        return None
    named = parts_in(also["parts"])
    if also["rid"] and named:
        return f"remove the {' and the '.join(named)}"
    meant = bool(named) if alike is None else _is_one_of(named, alike)
    return order.format(" and the ".join(named)) if meant else None


def _is_one_of(named: list[str], alike: list[str] | str) -> bool:
    return len(named) == 1 and named[0] in ([alike] if isinstance(alike, str) else alike)


def _other_stop(part: str, alike: list[str] | str | None) -> str:
    """ "the other stop": the one of the two that was not meant before."""
    stops = [stop for stop in ("stop loss", "trailing stop") if stop in (alike or [])]
    return stops[0] if part.strip() == "other stop" and len(stops) == 1 else part


def corrected(text: str, said: list[Json]) -> str | None:
    """The one amount that a correction comes to; None when the message says anything else.

    What it dismisses has to be what was said: "not 5, 6" after a 5.
    """
    line = line_of(text)
    if len(line.items) > LONGEST or "?" in text or _ASKING.match(text) or line.has(RELATIVE):
        return None
    wanted, before = [], ""
    for item in _without_thanks(line).items:
        if item.token is not None and item.name in _AMOUNTS:
            if before not in _DISMISSING:
                wanted.append(_written(item.token))
            elif not any(is_same(each["now"] or "", _written(item.token)) for each in said):
                return None
        elif not _corrects(item.text.lower(), item.name):
            return None
        before = "instead" if item.name == "INSTEAD" else item.text.lower()
    return wanted[0] if len(wanted) == 1 else None


def _written(amount: Token) -> str:
    if amount.kind is Kind.DURATION:
        return duration_text(amount.value) or amount.text
    return f"{amount.value:g}{ {Kind.PERCENT: '%', Kind.MULTIPLE: 'x'}.get(amount.kind, '') }"


def _without_thanks(line: Line) -> Line:
    return Line(tuple(item for item in line.items if item.name not in ("thanks", "thx", "please")))


def _corrects(text: str, name: str) -> bool:
    return (
        name in _MARKS
        or name in ("INSTEAD", "TOOMUCH", "FILL", "no")
        or text in _DISMISSING
        or all(word in _CORRECTING for word in text.split())
    )
