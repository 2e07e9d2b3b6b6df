"""What a follow-up leaves unsaid, written out: "now double that" after a target is "now double the take profit".

What the last answer left behind says which part "it", "that" or "not 4" stands for. The message so written out is read
like any other one: whatever else it says is weighed there, and where it stays unclear nothing is written out at all.
"""

import re
from collections.abc import Callable

from strategybot.conversations.offline.history import Json
from strategybot.conversations.offline.turns.last_change import LEAD, REMOVING, Last, last_of, replaced
from strategybot.conversations.offline.turns.parts import (
    AMOUNT,
    END,
    amount_of,
    is_alike,
    names_a_part,
    parts_in,
    with_unit_of,
)
from strategybot.conversations.offline.turns.relations import moved_on
from strategybot.conversations.offline.turns.rewordings import reworded
from strategybot.conversations.offline.words.hearing import line_of

_SETTING = r"set|put|make|change|move|bring|take|raise|lower|increase|decrease|reduce|bump|widen|tighten|shorten|extend"
_STAY = re.compile(
    rf"\b(?:(?:leave|keep) (?:it|that) at|(?:let'?s )?(?:stick|stay) (?:with|at|to)) (?P<new>{AMOUNT}){END}",
    re.IGNORECASE,
)
_KEEP_IT = re.compile(
    r"(?:(?:on second thought|actually|no|wait|hm+|sorry|oops)[\s,.!]+)+(?:please )?keep it|"
    rf"{LEAD}(?:add|bring) it back(?: in)?",
    re.IGNORECASE,
)
_SET_IT = re.compile(
    rf"\b(?P<verb>{_SETTING}) (?:it|that)(?: up| down| back)*(?P<how>(?: (?:to|at|by))?) (?P<new>{AMOUNT})",
    re.IGNORECASE,
)
_REMOVE_IT = re.compile(rf"\b{REMOVING} (?:it|that)(?: again)?{END}", re.IGNORECASE)
_NOT_BUT = re.compile(
    rf"(?P<lead>{LEAD})not (?P<old>{AMOUNT})[,;]? (?:but |rather )?(?P<new>{AMOUNT})(?=[\s.,;!]|$)", re.IGNORECASE
)
_KEPT_AMOUNT = re.compile(
    rf"\b(?:(?:keep|leave) (?:the )?(?P<old>{AMOUNT})(?= (?:but|and)\b|\s*[,.;]|$)|"
    rf"the (?P<fine>{AMOUNT}) is (?:fine|good|ok|okay|right){END})",
    re.IGNORECASE,
)
_BETTER = re.compile(
    rf"{LEAD}(?:(?P<old>{AMOUNT}) (?:was|is) (?:better|fine|good|okay|ok)|"
    rf"i (?:liked|preferred) (?P<liked>{AMOUNT})(?: better| more)?)"
    rf"(?:,?(?: (?:so|please|just|and))* (?:put|set|change|bring|switch) (?:it|that) back(?: to (?:that|it))?)?{END}",
    re.IGNORECASE,
)
_ADDING = r"(?:add|use|give me|include|put in|set|want|like|have)"
_ONE = re.compile(
    rf"\b{_ADDING} (?:one(?: in)?(?:,? (?:with|of|at|to|set to))* (?P<new>{AMOUNT})|an? (?P<such>{AMOUNT}) one)",
    re.IGNORECASE,
)
_AGREED = re.compile(
    rf"(?:(?:ok|okay|yes|yeah|sure|alright|fine|then)[\s,.!]+)+(?:(?:then|make it|with|let'?s say|say) )*"
    rf"(?P<new>{AMOUNT})(?: then| please)*[\s.!]*",
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
    rf"{LEAD}(?:(?P<up>{_UP}),? not {_DOWN}|(?P<down>{_DOWN}),? not {_UP}|"
    rf"i meant? (?:a |it )?(?:(?P<rise>{_UP})|{_DOWN}))(?=\s*(?:$|[,.;!]))"
    r"(?:[,.;!]+ (?:and )?(?:the )?(?:rest|other things|everything else)(?: of (?:it|that))? "
    r"(?:is|was|are|were|stays) (?:right|fine|ok|okay|good|correct|the same))?"
    r"(?:[,.;!]+ (?:typo|sorry|my (?:bad|mistake)))?[.!]*",
    re.IGNORECASE,
)


_REMOVED_AGAIN = re.compile(
    rf"\b(?:{REMOVING} (?P<part>(?:the |my )[a-z ]+?)|take (?P<taken>(?:the |my )[a-z ]+?) (?:out|off|away))"
    rf" again{END}",
    re.IGNORECASE,
)
_SWAPPED = re.compile(
    r"(?:(?:no|oops|whoops|sorry|wait|oh|actually|hm+|ah|please)[\s,.!]+)*"
    r"(?:(?:that'?s wrong|wrong|i (?:mixed|mix) (?:them|those|these|the two) up|i got (?:them|it) mixed up)[\s,.!]+)*"
    r"(?:it'?s |i meant? |make it )?(?:swap (?:them|those|these|the two|the numbers|both)(?: around| round)?|"
    r"(?:the )?other way (?:round|around)|vice versa|switch (?:them|the two) around)(?: please| pls)?[\s.!]*",
    re.IGNORECASE,
)
_SAME_WINDOW = re.compile(
    rf"(?:(?:and|now|also|then|ok|use|the)[\s,]+)*same window (?:for|on) (?:the )?(?P<kind>volume|drop|rise)"
    rf"(?: condition| filter| spike)?(?: too| as well| also| please)*{END}",
    re.IGNORECASE,
)


def written_out(text: str, memory: Json) -> str | None:
    """The message with what it points to named; None where it points to nothing."""
    if "?" in text:
        return None
    last = last_of(memory)
    result = text
    for rule in _POINTING:
        result = rule(result, last)
    result = reworded(moved_on(result, last))
    return result if result != text else None


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
    return replaced(text, found, f"{verb} the {part}{found['how']} {found['new']}")


def _stay(text: str, last: Last) -> str:
    """ "actually leave it at 3", "let's stick with 3"."""
    found = _STAY.search(text)
    part = last.part(found["new"]) if found else None
    if found is None or part is None or names_a_part(text[: found.start()]):
        return text
    return replaced(text, found, f"set the {part} to {found['new']}")


def _keep_it(text: str, last: Last) -> str:
    """ "on second thought, keep it", of what has just been removed."""
    return "undo that" if last.gone and not last.said and _KEEP_IT.fullmatch(text.strip(" .!")) else text


def _remove(text: str, last: Last) -> str:
    """ "remove it again": only what has been added, as else the change may be meant."""
    found = _REMOVE_IT.search(text)
    added = last.only is not None and last.only["was"] is None and last.only["now"] is not None
    if found is None or last.only is None or not added or names_a_part(text[: found.start()]):
        return text
    return replaced(text, found, f"remove the {last.only['part']}")


def _not_but(text: str, last: Last) -> str:
    found = _NOT_BUT.match(text)
    part = last.holding("now", found["old"]) if found else None
    if found is None or part is None or not is_alike(part["now"], found["new"]):
        return text
    return replaced(text, found, f"change the {part['part']} to {with_unit_of(part['now'], found['new'])}")


def _keep(text: str, last: Last) -> str:
    """ "keep the 28 but …", "…, the 28 is fine"."""
    found = _KEPT_AMOUNT.search(text)
    part = last.holding("now", found["old"] or found["fine"]) if found else None
    return text if found is None or part is None else replaced(text, found, f"keep the {part['part']}")


def _better(text: str, last: Last) -> str:
    """ "3x was better, put it back", "i liked 3 better": of the one part that was so before."""
    found = _BETTER.match(text)
    part = last.holding("was", found["old"] or found["liked"]) if found else None
    if found is None or part is None:
        return text
    return replaced(text, found, f"change the {part['part']} to {part['was']}")


def _one(text: str, last: Last) -> str:
    """ "what is a trailing stop?", "ok add one with 3%"."""
    found = _ONE.search(text)
    if found is None or last.about is None or names_a_part(text[: found.start()]):
        return text
    return replaced(text, found, f"add a {last.about} of {found['new'] or found['such']}")


def _agreed(text: str, last: Last) -> str:
    """ "should i use a trailing stop?", "ok, 4%"; a bare number may be anything."""
    found = _AGREED.fullmatch(text)
    amount = amount_of(found["new"]) if found else None
    if found is None or amount is None or amount[0] == "#" or last.about is None or last.said:
        return text
    return f"set the {last.about} to {found['new']}"


def _retime(text: str, last: Last) -> str:
    """ "in 2h rather", of the move to sell on; that of a move to buy on is its window."""
    found = _OTHER_TIME.match(text)
    if found is None or last.move.get("verb") != "sell" or not is_alike("1h", found["new"]):
        return text
    return replaced(text, found, _moving(last.move, last.move["drops"], found["new"]))


def _remove_again(text: str, last: Last) -> str:
    """ "take the volume out again", which has just been added."""
    found = _REMOVED_AGAIN.search(text)
    part = (found["part"] or found["taken"]) if found else ""
    added = [each["part"] for each in last.said if each["was"] is None]
    named = parts_in(part) or (["volume spike"] if part and line_of(part).has("^(?:the |my )?VOLUME$") else [])
    if found is None or len(named) != 1 or named[0] not in added:
        return text
    return replaced(text, found, f"remove the {named[0]}")


def _swap(text: str, last: Last) -> str:
    """ "oops the other way round", of the two values that were set."""
    if len(last.said) != 2 or last.gone or _SWAPPED.fullmatch(text) is None:
        return text
    first, second = last.said
    if any(each["by"] or each.get("scaled") for each in last.said) or first["part"] == second["part"]:
        return text
    if not is_alike(first["now"] or "", second["now"] or ""):
        return text
    return f"set the {first['part']} to {second['now']} and the {second['part']} to {first['now']}"


def _same_window(text: str, last: Last) -> str:
    """ "same window for the volume too"."""
    found = _SAME_WINDOW.match(text)
    windows = [each["now"] for each in last.said if each["part"].endswith("window") and each["now"]]
    if found is None or len(windows) != 1:
        return text
    return replaced(text, found, f"set the {found['kind']} window to {windows[0]}")


def _turn(text: str, last: Last) -> str:
    """ "rise, not drop! the rest was right", "sorry, i meant rises"."""
    found = _TURNED.fullmatch(text)
    drops = found is not None and not (found["up"] or found["rise"])
    if found is None or not last.move or last.move["drops"] == drops:
        return text
    return _moving(last.move, drops, last.move["in"])


def _moving(move: Json, drops: bool, window: str) -> str:
    return f"{move['verb']} when the price {'drops' if drops else 'rises'} {move['by']} in {window}"


_POINTING: tuple[Callable[[str, Last], str], ...] = (
    _better, _not_but, _turn, _retime, _one, _agreed, _stay, _set, _keep_it, _remove, _remove_again, _keep, _swap,
    _same_window,
)  # fmt: skip
