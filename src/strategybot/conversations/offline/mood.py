"""What a message does: order something, ask, refuse, muse or tell. Only an order may act."""

import re
from enum import Enum, auto

from strategybot.conversations.offline.lines import Line
from strategybot.conversations.offline.plain_words import words_of

_OPENING = (
    r"^(?:(?:hi|hey|hello|yo|gm|ok|okay|so|well|and|but|please|pls|plz|alright|sorry|btw|bro|ser|now|then|"
    r"thanks|cool|great|"
    r"nice|also|ADD|just|COOLDOWN|there|man|dude|FORGET|,|\.) )*"
)
_DOING = (
    r"(?:set|change|make|put|use|adjust|update|modify|edit|switch|SWITCH|turn|move|keep|ADD|REMOVE|RAISE|REDUCE|"
    r"HALVE|×|"
    r"CREATE|TEST|SIMULATION|START|BUY|SELL|SEARCH|SHOW|UNDO|give|get|have|let|bring|apply|setting|changing|"
    r"making|putting|"
    r"using|STOP|END|TRAIL|SIZE|TARGET|HOLD|COOLDOWN|CHECK|take|place|leave|shift)"
)
_ASKED_TO = r"(?:(?:please|pls|plz|kindly|just|maybe|also|ADD|now|mind|quickly) )*"
_POLITE = re.compile(rf"{_OPENING}(?:can|could|will|would) (?:you|u|ya) {_ASKED_TO}{_DOING}(?!\S)")
_WOULD_YOU = re.compile(rf"{_OPENING}would (?:you|u) {_DOING}")
_ASKING = re.compile(
    rf"{_OPENING}(?:what|whats|why|how|hows|who|whos|where|which|is|are|am|was|were|does|do (?:i|you|u|we|they|"
    r"people)|did|"
    r"should|would|could|can|may|might|will|has|have (?:i|you|we)|when (?:will|does|do|did|is|would|should|can)|"
    r"shall|isnt|"
    r"arent|doesnt|UNKNOWN \?)(?!\S)"
)
_MUSING = (
    r"what if|what happens|if only|if (?:i|we|you|u|someone|somebody) (?:set|had|would|could|change|used|use|"
    r"RAISE|REDUCE|put|"
    r"make|were|did|BUY|SELL|ADD|REMOVE)|maybe|perhaps|might|how about|what about|should i|should we|would be|"
    r"would have|"
    r"could have|not sure|one ~|some ~"
)
_MUSING_WORDS = words_of(
    """
    imagine suppose supposing hypothetically thinking wondering wonder wish someday considering dreaming tempted
    theoretically guess unsure eventually tomorrow hope hoping believe think thought remember heard read said says
    """
)
# "PIPO is down 8%" tells how things are; "down 8%" alone may be a rule.
_STATE = (
    r"(?:NAME|UNKNOWN|it|its|price|market|TOKEN|€|this|that|CASH|i) "
    r"(?:(?:is|are|was|am|has|been|just|already|now|currently|still|down|up) )+(?:DROP|RISE|LOSS|PROFIT)"
)
_CONDITIONAL = frozenset({"if", "when", "whenever", "once", "after", "has", "have", "until", "that"})


class Mood(Enum):
    ORDER = auto()
    QUESTION = auto()
    REFUSAL = auto()
    MUSING = auto()
    REPORT = auto()


def mood_of(line: Line) -> Mood:
    if line.has("NOT") or (line.has("END") and any(item.is_number for item in line.items)):
        return Mood.REFUSAL
    if is_polite(line):
        return Mood.ORDER
    if line.has(_MUSING) or any(item.text.lower() in _MUSING_WORDS for item in line.items):
        return Mood.MUSING
    if _ASKING.match(line.text) or "?" in (item.name for item in line.items):
        return Mood.QUESTION
    return Mood.REPORT if _tells(line) else Mood.ORDER


def is_polite(line: Line) -> bool:
    """ "could you set …" is an order in the form of a question; "would you buy …?" is a question."""
    if _WOULD_YOU.match(line.text) and not line.has("please|pls|plz|mind"):
        return False
    return _POLITE.match(line.text) is not None


def _tells(line: Line) -> bool:
    """Whether something in it has happened already: "it fell 5% today", but not "when it fell 5%"."""
    if line.has(_STATE) and not line.has("if|when|whenever|once|after|until|BUY|SELL|ADD"):
        return True
    conditional = False
    for item in line.items:
        if item.name in (",", ".", ";"):
            conditional = False
        conditional = conditional or item.name in _CONDITIONAL
        if item.past and not conditional:
            return True
    return False
