"""Orders in a roundabout form, said plainly: "go back to 4 on the trail" is "set the trail to 4"."""

import re

from strategybot.conversations.offline.turns.parts import AMOUNT, END, amount_of, parts_in

_BACK_ON = re.compile(
    rf"\b(?:(?:go|move|get|switch) )?back to (?P<new>{AMOUNT}) (?:on|for|with) (?P<part>(?:the |my )[a-z ]+?){END}",
    re.IGNORECASE,
)
_SO_MUCH = re.compile(
    rf"\b(?P<verb>raise|increase|bump|widen|lower|reduce|decrease|tighten|cut) (?P<part>(?:the |my )[a-z ]+?) by "
    rf"(?P<by>{AMOUNT}),? so (?:to |at |it'?s |that is )?(?P<new>{AMOUNT})(?=[\s.!]*$)",
    re.IGNORECASE,
)
_LESS = frozenset({"lower", "reduce", "decrease", "tighten", "cut"})
_EMPHATIC = re.compile(
    r"\b(but|and|please) do (?=(?:set|make|change|add|remove|raise|lower|put|use|keep)\b)", re.IGNORECASE
)


_ALL_THAT = re.compile(r"\b(?P<verb>(?:back)?test|simulate) all (?:of )?(?:that|this|it)\b", re.IGNORECASE)


def reworded(text: str) -> str:
    for rule in (_back_on, _so_much, _plain):
        text = rule(text)
    return text


def _replaced(text: str, found: re.Match[str], order: str) -> str:
    return f"{text[: found.start()]}{order}{text[found.end() :]}"


def _back_on(text: str) -> str:
    """ "go back to 4 on the trail"."""
    found = _BACK_ON.search(text)
    return (
        text
        if found is None or not parts_in(found["part"])
        else _replaced(text, found, f"set {found['part']} to {found['new']}")
    )


def _so_much(text: str) -> str:
    """ "raise the stop by one, so 4": it has to be 3 now."""
    found = _SO_MUCH.search(text)
    by, new = (amount_of(found["by"]), amount_of(found["new"])) if found else (None, None)
    if found is None or by is None or new is None or "~" in (by[0], new[0]) or not parts_in(found["part"]):
        return text
    old = new[1] + by[1] if found["verb"].lower() in _LESS else new[1] - by[1]
    return _replaced(text, found, f"change {found['part']} from {old:g} to {new[1]:g}") if old > 0 else text


def _plain(text: str) -> str:
    """ "but do make the drop 9%", "then backtest all that"."""
    return _ALL_THAT.sub(r"\g<verb> it", _EMPHATIC.sub(r"\1 ", text))
