"""What a message is about: the one intent that its line shows."""

import re
from enum import Enum, auto

from strategybot.conversations.offline.lines import UNKNOWN, Line
from strategybot.conversations.offline.mood import Mood, is_polite, mood_of

YES = re.compile(
    r"(?:yes|yeah|yep|yup|y|sure|ok|okay|k|please do|do it|go ahead|apply|apply it|confirm|confirmed|sounds good|go for it|yes please|"
    r"of course|absolutely|correct|right|exactly|yes do it|ok do it|sure thing|yes apply it|yes go ahead|please|do that|yea|ye)[.! ]*"
)
NO = re.compile(
    r"(?:no|nope|nah|n|no thanks|no thank you|dont|do not|rather not|not now|no dont|no way|please dont|cancel)[.! ]*"
)
_THANKS = re.compile(r"\b(?:thanks|thank you|thx|ty|cheers|appreciate)\b")
_GREETING = re.compile(r"^(?:hi|hello|hey|gm|yo|good (?:morning|evening|afternoon)|sup|hola|howdy)\b[^?]*$")
_HELP = re.compile(
    r"\b(?:help|what can you do|what can i (?:do|say)|how do(?:es)? (?:this|you|it) work|commands|how to use|how do i start)\b"
)


class Intent(Enum):
    UNDO = auto()
    CANCEL = auto()
    LIST_BOTS = auto()
    SWITCH_BOT = auto()
    CREATE_BOT = auto()
    RENAME_BOT = auto()
    RISK = auto()
    SEARCH = auto()
    RESULT = auto()
    STOP_SIMULATION = auto()
    SIMULATE = auto()
    TEST = auto()
    HELP = auto()
    GREETING = auto()
    THANKS = auto()
    OTHER = auto()


def intent_of(line: Line, text: str, memory: dict[str, object]) -> Intent:
    flat = re.sub(r"\s+", " ", text.lower().replace("'", "").replace("’", "")).strip()
    for intent, shows in _RULES:
        if shows(line, flat, memory):
            return intent
    return Intent.OTHER


def _orders(line: Line) -> bool:
    return mood_of(line) is Mood.ORDER


def _undoes(line: Line, flat: str, _memory: object) -> bool:
    return (
        line.has("UNDO")
        and not line.has("NOT")
        and not _numbers(line)
        and (_orders(line) or is_polite(line) or line.has("FORGET"))
    )


def _cancels(line: Line, flat: str, _memory: object) -> bool:
    return line.has("FORGET") and all(
        item.name.islower() or item.name in ("FORGET", ",", ".", UNKNOWN) for item in line.items
    )


def _lists(line: Line, flat: str, _memory: object) -> bool:
    foreign = re.search(r"\b(?:other|users?|everyone|someone|people|their|friends?)\b", flat)
    asked = re.search(
        r"\b(?:list|show|which|what|whats|how many|see|display|my|all|got any|have)\b.*\b(?:bots|robots)\b", flat
    )
    return bool(asked) and not foreign and not line.has("NOT|CREATE|REMOVE|STOP") and not _numbers(line)


def _creates(line: Line, flat: str, _memory: object) -> bool:
    if not _orders(line) or not line.has("BOT"):
        return False
    light = r"(?:(?:a|an|the|me|my|trading|TOKEN|CREATE|first|second|STRATEGY|please|up|one|more|for|us|FILL|nice|simple) )*"
    named = line.has(r"BOT (?:CALLED|«|UNKNOWN$)") or line.has("CALLED")
    stated = line.has("BUY|SELL|DROP|RISE|VOLUME")
    if line.has(rf"(?:CREATE|ADD|START|need|want) {light}BOT") and line.has("CREATE|START|ADD|need|want"):
        return line.has("CREATE|ADD") or not stated or named
    return line.has(rf"make {light}BOT") and (named or not stated)


def _renames(line: Line, flat: str, _memory: object) -> bool:
    return bool(
        re.search(r"\brename\b|\bchange (?:the|its|my bots?) name\b|\bcall (?:it|this bot|the bot) \w+", flat)
    ) and not line.has("CREATE")


def _switches(line: Line, flat: str, _memory: object) -> bool:
    if not _orders(line) or _numbers(line) and not line.has("BOT"):
        return False
    named = UNKNOWN in {item.name for item in line.items} or line.has("«")
    if (
        re.search(r"\b(?:go|lets go|change|switch|move) (?:back )?to\b|\binstead of\b", flat)
        and named
        and not _strategic(line)
    ):
        return True
    light = r"(?:(?:to|the|my|over|with|on|UNKNOWN|«|other|first|second|last|bot|called|CALLED|back) )*"
    return (
        named
        and (
            line.has(rf"(?:SWITCH|use|change|go|move|SHOW|using|take) {light}BOT")
            or line.has(r"SWITCH (?:to |over |back )*(?:the |my )*(?:UNKNOWN|«)|BOT (?:to )?UNKNOWN$")
        )
        and not _strategic(line)
    )


def _risks(line: Line, flat: str, _memory: object) -> bool:
    own = line.has("STRATEGY|STOP|TRAIL|BOT|TARGET|SIZE|CASH") or re.search(
        r"\b(?:is|are) (?:it|this|that|the bot) (?:safe|risky|legit)\b", flat
    )
    return line.has("RISK") and not _numbers(line) and not own and not line.has("NOT")


def _searches(line: Line, flat: str, _memory: object) -> bool:
    if line.has("NOT") or _numbers(line):
        return False
    wants = r"\b(?:(?:contract|address|price|ticker|ca)(?: address)? (?:of|for)|(?:token|coin) (?:called|named)|(?:how much is|whats the price)|trending|whats hot)\b"
    return line.has("SEARCH") or re.search(wants, flat) is not None


def _results(line: Line, flat: str, _memory: object) -> bool:
    if line.has("NOT") or any(item.is_duration for item in line.items) or _numbers(line):
        return False
    asked = re.search(
        r"\b(?:how did (?:it|that|this|the|my|we|i)\b.*\b(?:go|do|perform|fare|work out|turn out)|is (?:it|the (?:back ?test|test|run)) (?:done|finished|ready|over|complete)|"
        r"how(?:s| is) the (?:back ?test|test|run)|how many trades|how much (?:did|profit|money)|(?:back ?test|test|run) (?:done|finished|ready)|how (?:it|that) went)\b",
        flat,
    )
    told = line.has("RESULT") and (
        line.has("SHOW|TEST|the RESULT|my RESULT|last RESULT") or mood_of(line) is Mood.QUESTION or len(line.items) < 4
    )
    return bool(asked) or (told and not _would_have(flat))


def _stops_simulation(line: Line, flat: str, memory: dict[str, object]) -> bool:
    if line.has("NOT") or not _orders(line) or _numbers(line):
        return False
    light = r"(?:(?:the|my|this|that|all|ALL|running|current|it|a|BOT|live|LIVE|please|now|START) )*"
    if line.has(rf"(?:STOP|END|REMOVE|FORGET|COOLDOWN|SELL|STOP it) {light}SIMULATION") or line.has(
        r"SIMULATION (?:STOP|END|off)"
    ):
        return True
    running = memory.get("topic") == "simulation"
    return line.has(rf"(?:STOP|END) {light}(?:BOT|START|trading|trade|now)$") or (
        running and line.has("^(?:please |ok |now )*(?:STOP|END)(?: it| now| that| please| pls)*$")
    )


def _simulates(line: Line, flat: str, _memory: object) -> bool:
    return line.has("SIMULATION") and _orders(line) and not line.has("NOT")


def _would_have(flat: str) -> bool:
    """ "how would it have done last month?" is a question that only a test can answer."""
    if re.search(
        r"\d+(?:\.\d+)? ?(?:%|percent|pct|x\b)|\b(?:stop|target|profit target|take profit|tp|sl|window|trailing|volume|drop|dip)\b",
        flat,
    ):
        return False
    subject = r"(?:it|this|that|i|we|the (?:strategy|bot|strat)|my (?:strategy|bot|strat))"
    doing = r"(?:done|performed?|worked|made|earned|happened|gone|fared|looked|do|did|perform|fare|been|lost|won|paid)"
    return bool(
        re.search(rf"\bwould(?:a|ve| of)?\b.*\b{subject}\b.*\b(?:have |of |ve )?{doing}\b", flat)
        or re.search(rf"\b{subject} would(?:a|ve| of)? (?:have |of )?{doing}\b", flat)
        or re.search(
            r"\bwhat would (?:have happened|(?:my|the|its) (?:profit|return|result|pnl|gain)s? have been)\b", flat
        )
    )


def _tests(line: Line, flat: str, memory: dict[str, object]) -> bool:
    if line.has("NOT"):
        return False
    if _would_have(flat):
        return True
    period = any(item.is_duration for item in line.items)
    if period and re.search(
        r"\bhow (?:it|this|that|the (?:strategy|bot)) (?:did|does|performed|went|worked)\b|\bhow did (?:it|this|that|the (?:strategy|bot)|my (?:strategy|bot)) (?:do|perform|work|go)\b",
        flat,
    ):
        return not _strategic_numbers(line)
    elliptic = re.match(r"(?:ok |now |and |so )*(?:what about|how about|and|for|over)\b", flat) and not _strategic(line)
    if period and elliptic and memory.get("topic") == "backtest":
        return True
    if not _orders(line):
        return False
    if line.has("TEST"):
        return True
    followed = memory.get("topic") == "backtest" and not _strategic_numbers(line)
    return followed and (
        line.has("AGAIN|CANDLE") or (period and line.has("SAME|last|past|RAISE|now|for|on|over|ABOVE|REDUCE|try|START"))
    )


def _helps(line: Line, flat: str, _memory: object) -> bool:
    return _HELP.search(flat) is not None and not _numbers(line)


def _greets(line: Line, flat: str, _memory: object) -> bool:
    return _GREETING.match(flat) is not None and not _strategic(line)


def _thanks(line: Line, flat: str, _memory: object) -> bool:
    return _THANKS.search(flat) is not None and not _strategic(line) and len(line.items) < 9


def _numbers(line: Line) -> bool:
    return any(item.is_number for item in line.items)


def _strategic_numbers(line: Line) -> bool:
    return _numbers(line) and _strategic(line)


def _strategic(line: Line) -> bool:
    names = "BUY|SELL|STOP|TARGET|TRAIL|HOLDMAX|COOLDOWN|SIZE|DROP|RISE|VOLUME|REMOVE|WINDOW|ANY|ALL"
    return line.has(names)


_RULES = (
    (Intent.UNDO, _undoes),
    (Intent.CANCEL, _cancels),
    (Intent.CREATE_BOT, _creates),
    (Intent.RENAME_BOT, _renames),
    (Intent.LIST_BOTS, _lists),
    (Intent.SWITCH_BOT, _switches),
    (Intent.STOP_SIMULATION, _stops_simulation),
    (Intent.RISK, _risks),
    (Intent.RESULT, _results),
    (Intent.SIMULATE, _simulates),
    (Intent.TEST, _tests),
    (Intent.SEARCH, _searches),
    (Intent.HELP, _helps),
    (Intent.THANKS, _thanks),
    (Intent.GREETING, _greets),
)
