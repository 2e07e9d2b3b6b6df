"""Bots as they are pointed to after they were spoken of: "no, Beta", "the second one", "wrong bot, go back"."""

import re

from strategybot.conversations.offline.history import Json

_WRONG = r"(?:that'?s |that was )?(?:the )?wrong (?:bot|one)"
LEAD = rf"(?:(?:please|ok|okay|now|and|hey|no|ah|oh|oops|sorry|wait|actually|then|{_WRONG})[,.! ]+)*"
_TAKE = r"(?:(?:take|use|open|pick|choose|let'?s (?:use|take)|i meant?|(?:stay|stick) (?:on|with)) )?"
_BACK = re.compile(
    rf"{LEAD}(?:(?:go|switch|change|take me) )?back(?: (?:again|please|pls|now))*"
    r"(?: to (?:the )?(?:first|previous|last|old) (?:one|bot))?[\s.!]*",
    re.IGNORECASE,
)
_UNDO = re.compile(rf"{LEAD}(?:undo|revert)(?: (?:that|it|this|please|pls))*[\s.!]*", re.IGNORECASE)
_PLACES = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2}
_PLACED = re.compile(
    rf"{LEAD}{_TAKE}the (?P<place>{'|'.join(_PLACES)}) (?:one|bot)(?: please| pls)?[\s.!]*", re.IGNORECASE
)


def bot_meant(text: str, memory: Json) -> str | None:
    """The message as an order to change to the bot it points to; None where it points to none."""
    names, left = [str(name) for name in memory.get("names") or []], memory.get("left")
    if left and _BACK.fullmatch(text):
        return f"switch to {left}"
    placed = _PLACED.fullmatch(text)
    if placed and _PLACES[placed["place"].lower()] < len(names):
        return f"switch to {names[_PLACES[placed['place'].lower()]]}"
    for name in names:
        said = re.fullmatch(
            rf"{LEAD}{_TAKE}{re.escape(name)}(?: please| pls| again| i meant?)*(?P<rest>[\s.!]*|[,.;!]\s+.+)",
            text,
            re.IGNORECASE | re.DOTALL,
        )
        if said:
            return f"switch to {name}{said['rest'].rstrip()}"
    return None


def may_undo_either(text: str, memory: Json) -> bool:
    """Whether an undo right after a change of bots could mean that one."""
    return bool(memory.get("left")) and _UNDO.fullmatch(text) is not None
