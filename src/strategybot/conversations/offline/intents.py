"""What a message is about: the first intent whose signs it shows."""

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from strategybot.conversations.offline.lines import UNKNOWN, Line
from strategybot.conversations.offline.mood import Mood, is_polite, mood_of

YES = re.compile(
    r"(?:yes|yeah|yep|yup|yea|ye|y|sure|ok|okay|k|please|please do|do it|do that|go ahead|apply|apply it|"
    r"confirm|confirmed|"
    r"sounds good|go for it|yes please|of course|absolutely|correct|right|exactly|yes do it|ok do it|sure thing|"
    r"yes apply it|yes go ahead)[.! ]*"
)
NO = re.compile(
    r"(?:no|nope|nah|n|no thanks|no thank you|dont|do not|rather not|not now|no dont|no way|please dont|cancel)[.! ]*"
)
_THANKS = re.compile(r"\b(?:thanks|thank you|thx|ty|cheers|appreciate)\b")
_GREETING = re.compile(r"^(?:hi|hello|hey|gm|yo|good (?:morning|evening|afternoon)|sup|hola|howdy)\b[^?]*$")
_HELP = re.compile(
    r"\b(?:help|what can you do|what can i (?:do|say)|how do(?:es)? (?:this|you|it) work|commands|how to use|"
    r"how do i start)\b"
)
_STRATEGIC = "BUY|SELL|STOP|TARGET|TRAIL|HOLDMAX|COOLDOWN|SIZE|DROP|RISE|VOLUME|REMOVE|WINDOW|ANY|ALL"
_MANY_BOTS = re.compile(
    r"\b(?:list|show|which|what|whats|how many|see|display|my|all|got any|have)\b.*\b(?:bots|robots)\b"
)
_OTHERS = re.compile(r"\b(?:other|users?|everyone|someone|people|their|friends?)\b")
_RENAMING = re.compile(r"\brename\b|\bchange (?:the|its|my bots?) name\b|\bcall (?:it|this bot|the bot) \w+")
_CHANGING_TO = re.compile(r"\b(?:go|lets go|change|switch|move) (?:back )?to\b|\binstead of\b")
_TOKENS_LIKE = re.compile(
    r"\b(?:which|what|any|some|all|list|show|got)\b.*\b(?:tokens?|coins?)\b.*\b(?:match(?:es|ing)?|like|named|called|with|"
    r"contain(?:s|ing)?|on|available|exist|there|have)\b"
)
_LAST_TEST = r"(?:SHOW|give|get|what|whats|how|where|wheres|see|open|SWITCH)(?: \S+){0,4} (?:(?:last|latest|previous|recent|my|the) TEST|(?:last|latest|previous) START)"
_TRADING = (
    r"(?:START|SWITCH)(?: (?:the|my|this|up|on|a))* (?:BOT|trading)(?: (?:on|now|up|please|pls|it|for|me|FILL))*$"
)
_BACK_TO = r"back to (?:the |my )*(?:UNKNOWN|«)"
_SHOWN = (
    r"(?:STRATEGY|BOT|CONDITION|STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX|SIZE|WINDOW|EARLIER|BUY|SELL)"
    r"(?: (?:STRATEGY|CONDITION|to|me|in|again|AGAIN|please|pls|now|for|once|more|simple|plain|easy|words|like|i|am|UNKNOWN|"
    r"FILL|of|my|the|BOT|and|or|does|do|is|are|looks|look|,|\.))*$"
)
_OWN_RISK = re.compile(r"\b(?:is|are) (?:it|this|that|the bot) (?:safe|risky|legit)\b(?! to (?:buy|trade|hold|sell))")
_ASKING_FOR_TOKEN = re.compile(
    r"\b(?:(?:contract|address|price|ticker|ca)(?: address)? (?:of|for)|(?:token|coin) (?:called|named)|how much is|"
    r"whats the price|trending|whats hot)\b"
)
_ASKING_FOR_RESULT = re.compile(
    r"\b(?:how was (?:it|the (?:back ?test|test|run))|did (?:it|the (?:back ?test|test|run)) finish|"
    r"how did (?:it|that|this|the|my|we|i)\b.*\b(?:go|do|perform|fare|work out|turn out)|"
    r"is (?:it|the (?:back ?test|test|run)) (?:done|finished|ready|over|complete)|how(?:s|"
    r" is) the (?:back ?test|test|run)|"
    r"was (?:it|that|this) (?:profitable|any good|good|worth it|a win)|did (?:it|i|we|the bot|my bot|that) (?:make|lose|win|earn)|"
    r"how many trades|how much (?:did|profit|money)|(?:back ?test|test|run) (?:done|finished|ready)|how (?:it|"
    r"that) went)\b"
)
_ITSELF = r"(?:it|this|that|i|we|the (?:strategy|bot|strat)|my (?:strategy|bot|strat))"
_FARED = r"(?:done|performed?|worked|made|earned|happened|gone|fared|looked|do|did|fare|been|lost|won|paid)"
_WOULD_HAVE = re.compile(
    rf"\bwould(?:a|ve| of)?\b.*\b{_ITSELF}\b.*\b{_FARED}\b|\b{_ITSELF} would(?:a|ve| of)? (?:have |of )?{_FARED}\b|"
    r"\bwhat would (?:have happened|(?:my|the|its) (?:profit|return|result|pnl|gain)s? have been)\b"
)
_ABOUT_CHANGE = re.compile(
    r"\d ?(?:%|percent|pct|x\b)|\b(?:stop|target|take profit|tp|sl|window|trailing|volume|drop|dip)\b"
)
_HOW_IT_DID = re.compile(
    rf"\bhow {_ITSELF} (?:did|does|performed|went|worked)\b|\bhow did {_ITSELF} (?:do|perform|work|go)\b"
)
_ELLIPTIC = re.compile(r"(?:ok |now |and |so )*(?:what about|how about|and|for|over)\b")


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
    SHOW = auto()
    TEST = auto()
    HELP = auto()
    GREETING = auto()
    THANKS = auto()
    OTHER = auto()


@dataclass(frozen=True)
class Message:
    line: Line
    flat: str  # the text in small letters, without apostrophes
    memory: dict[str, Any]

    @property
    def orders(self) -> bool:
        return mood_of(self.line) is Mood.ORDER

    @property
    def has_number(self) -> bool:
        return any(item.is_number for item in self.line.items)

    @property
    def has_period(self) -> bool:
        return any(item.is_duration for item in self.line.items)

    @property
    def is_strategic(self) -> bool:
        return self.line.has(_STRATEGIC)

    @property
    def refuses(self) -> bool:
        return self.line.has("NOT")


def intent_of(line: Line, text: str, memory: dict[str, Any]) -> Intent:
    flat = re.sub(r"\s+", " ", text.lower().replace("'", "").replace("’", "")).strip()
    message = Message(line, flat, memory)
    return next((intent for intent, shows in _RULES if shows(message)), Intent.OTHER)


def _undoes(message: Message) -> bool:
    line = message.line
    meant = mood_of(line) in (Mood.ORDER, Mood.REPORT) or is_polite(line) or line.has("FORGET")
    elsewhere = line.has(r"UNDO (?:to )?(?:the |my )?UNKNOWN|SHOW")  # "go back to alpha", "show me the old one"
    return line.has("UNDO") and meant and not elsewhere and not message.refuses and not message.has_number


def _cancels(message: Message) -> bool:
    plain = all(item.name.islower() or item.name in ("FORGET", ",", ".", UNKNOWN) for item in message.line.items)
    return message.line.has("FORGET") and plain


def _creates(message: Message) -> bool:
    line = message.line
    if not message.orders or not line.has("BOT"):
        return False
    light = r"(?:(?:a|an|the|me|my|trading|TOKEN|CREATE|first|second|STRATEGY|please|up|one|more|for|us|FILL|nice) )*"
    nameless_rule = line.has("BUY|SELL|DROP|RISE|VOLUME") and not line.has(r"BOT (?:CALLED|«|UNKNOWN$)|CALLED")
    if line.has(r"START (?:the |my |this |that |up )+BOT"):
        return False
    if line.has(rf"(?:CREATE|ADD|START|need|want) {light}BOT"):
        return line.has("CREATE|ADD") or not nameless_rule
    return line.has(rf"make {light}BOT") and not nameless_rule


def _renames(message: Message) -> bool:
    return _RENAMING.search(message.flat) is not None and not message.line.has("CREATE")


def _lists(message: Message) -> bool:
    asked = _MANY_BOTS.search(message.flat) and not _OTHERS.search(message.flat)
    return bool(asked) and not message.line.has("NOT|CREATE|REMOVE|STOP") and not message.has_number


def _switches(message: Message) -> bool:
    line = message.line
    asked = line.has(
        r"^(?:ok |so |now |hey |, )*(?:can|could|may|shall) (?:we|i) (?:please |now |just )*(?:SWITCH|go|use)"
    )
    if not (message.orders or asked) or (message.has_number and not line.has("BOT")):
        return False
    if line.has(r"^(?:please |ok |now )*SWITCH (?:the |my )*BOT$|^(?:use|SWITCH) (?:the )?(?:UNKNOWN ?)+$"):
        return True
    if message.is_strategic or not line.has(f"{UNKNOWN}|«"):
        return False
    light = r"(?:(?:to|the|my|over|with|on|UNKNOWN|«|other|first|second|last|bot|called|CALLED|back) )*"
    to_bot = rf"(?:SWITCH|use|change|go|move|SHOW|using|take) {light}BOT"
    to_name = r"SWITCH (?:to |over |back )*(?:the |my )*(?:UNKNOWN|«)|BOT (?:to )?UNKNOWN$"
    return _CHANGING_TO.search(message.flat) is not None or line.has(f"{to_bot}|{to_name}|{_BACK_TO}")


def _risks(message: Message) -> bool:
    own = message.line.has(
        "REDUCE|RAISE|less|more|STRATEGY|STOP|TRAIL|BOT|TARGET|my (?:CASH|SIZE)"
    ) or _OWN_RISK.search(message.flat)
    return message.line.has("RISK") and not (own or message.has_number or message.refuses)


def _searches(message: Message) -> bool:
    if message.refuses or message.has_number:
        return False
    asked = _ASKING_FOR_TOKEN.search(message.flat) or _TOKENS_LIKE.search(message.flat)
    return message.line.has("SEARCH") or asked is not None


def _results(message: Message) -> bool:
    line = message.line
    if message.refuses or message.has_period or message.has_number:
        return False
    if _ASKING_FOR_RESULT.search(message.flat) or (
        line.has(_LAST_TEST) and not line.has("AGAIN|SAME|START (?:my|the|a)")
    ):
        return True
    short = len(line.items) < 4 or mood_of(line) is Mood.QUESTION
    told = line.has("RESULT") and (short or line.has("SHOW|TEST|the RESULT|my RESULT|last RESULT"))
    return told and not _would_have(message)


def _stops_simulation(message: Message) -> bool:
    line = message.line
    if message.refuses or not message.orders or message.has_number:
        return False
    light = r"(?:(?:the|my|this|that|all|ALL|running|current|it|a|BOT|live|LIVE|please|now|START) )*"
    ends = rf"(?:STOP|END|REMOVE|FORGET|COOLDOWN|SELL|STOP it) {light}SIMULATION|SIMULATION (?:STOP|END|off)"
    parted = rf"(?:END|turn|switch|take|put|bring|shut) {light}SIMULATION (?:DROP|off|END|STOP|SELL|down)"
    if line.has(f"{ends}|{parted}") or line.has(rf"(?:STOP|END) {light}(?:BOT|START|trading|trade|now)$"):
        return True
    bare = line.has("^(?:please |ok |now )*(?:STOP|END)(?: it| now| that| please| pls)*$")
    return bare and message.memory.get("topic") == "simulation"


def _simulates(message: Message) -> bool:
    meant = message.line.has("SIMULATION") or (message.line.has(_TRADING) and not message.has_number)
    return meant and message.orders and not message.refuses


def _would_have(message: Message) -> bool:
    """ "how would it have done last month?" is a question that only a test can answer."""
    return _WOULD_HAVE.search(message.flat) is not None and not _ABOUT_CHANGE.search(message.flat)


def _tests(message: Message) -> bool:
    if message.refuses:
        return False
    changes = message.has_number and message.is_strategic
    if _would_have(message) or (message.has_period and _HOW_IT_DID.search(message.flat) and not changes):
        return True
    return (message.orders and message.line.has("TEST")) or _tests_again(message)


def _tests_again(message: Message) -> bool:
    """After a test "now on 1m candles" and "and over 90 days?" ask for another one."""
    line = message.line
    if message.memory.get("topic") != "backtest" or (message.has_number and message.is_strategic):
        return False
    if message.has_period and not message.is_strategic and _ELLIPTIC.match(message.flat):
        return True
    longer = message.has_period and line.has("SAME|last|past|RAISE|now|for|on|over|ABOVE|REDUCE|try|START")
    return message.orders and not line.has("SHOW") and (longer or line.has("AGAIN|CANDLE"))


def _shows(message: Message) -> bool:
    """ "explain my strategy", "show me the rules": an order that only reads."""
    plain = message.line.has(
        r"^(?:please |pls |now |ok )*SHOW(?: it| that| this| me| please| pls| everything)*$|SHOW (?:me )?what it"
    )
    shown = plain or message.line.has(
        rf"SHOW (?:(?:me|us|my|the|this|that|of|a|your|ALL|current|whole|BOT|in|for|,) )*{_SHOWN}"
    )
    return shown and not message.has_number and not message.refuses and not message.line.has("REMOVE|ADD|RAISE|REDUCE")


def _helps(message: Message) -> bool:
    return _HELP.search(message.flat) is not None and not message.has_number


def _thanks(message: Message) -> bool:
    return _THANKS.search(message.flat) is not None and not message.is_strategic and len(message.line.items) < 9


def _greets(message: Message) -> bool:
    return _GREETING.match(message.flat) is not None and not message.is_strategic


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
    (Intent.SHOW, _shows),
    (Intent.SIMULATE, _simulates),
    (Intent.TEST, _tests),
    (Intent.SEARCH, _searches),
    (Intent.HELP, _helps),
    (Intent.THANKS, _thanks),
    (Intent.GREETING, _greets),
)
