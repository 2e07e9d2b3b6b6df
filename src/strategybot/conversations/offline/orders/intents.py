"""What a message is about: the first intent whose signs it shows."""

import re
from enum import Enum, auto
from typing import Any

from strategybot.conversations.offline.orders import signs
from strategybot.conversations.offline.orders.message import Message
from strategybot.conversations.offline.orders.mood import Mood, is_polite, mood_behind_refusal, mood_of
from strategybot.conversations.offline.orders.token_names import named_token
from strategybot.conversations.offline.words.lines import UNKNOWN, Line


class Intent(Enum):
    UNDO = auto()
    CANCEL = auto()
    LIST_BOTS = auto()
    SWITCH_BOT = auto()
    CREATE_BOT = auto()
    RENAME_BOT = auto()
    DELETE_BOT = auto()
    REAL_MONEY = auto()
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


def intent_of(line: Line, text: str, memory: dict[str, Any]) -> Intent:
    flat = re.sub(r"\s+", " ", text.lower().replace("'", "").replace("’", "")).strip()
    message = Message(line, flat, memory)
    return next((intent for intent, shows in _RULES if shows(message)), Intent.OTHER)


def _undoes(message: Message) -> bool:
    line = message.line
    meant = mood_behind_refusal(line) in (Mood.ORDER, Mood.REPORT) or is_polite(line) or line.has("FORGET")
    elsewhere = line.has(r"UNDO (?:to )?(?:the |my )?UNKNOWN|SHOW")  # "go back to alpha", "show me the old one"
    # "dont undo that", "undo, but not now"; but "that's not what i wanted, undo" is no refusal
    refused = line.has(r"NOT (?:[^,;.]+ )?UNDO|UNDO(?: [,;.]| but| and)* NOT (?:now|yet)")
    return line.has(f"UNDO|{signs.BARE_BACK}") and meant and not (elsewhere or refused or message.has_amount)


def _cancels(message: Message) -> bool:
    plain = all(item.name.islower() or item.name in ("FORGET", ",", ".", UNKNOWN) for item in message.line.items)
    return message.line.has("FORGET") and plain


def _creates(message: Message) -> bool:
    line = message.line
    if message.orders and line.has(r"CREATE (?:one )?CALLED"):  # "make another one called Pebble"
        return True
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
    return signs.RENAMING.search(message.flat) is not None and not message.line.has("CREATE")


def _deletes(message: Message) -> bool:
    """No tool can do it, so that asking and refusing are answered alike."""
    return message.line.has(r"REMOVE (?:(?:the|my|this|that|a|old|whole|current|ALL|UNKNOWN|«) )*BOT$") or (
        signs.DELETING.search(message.flat) is not None
    )


def _wants_real_money(message: Message) -> bool:
    meant = signs.REAL_MONEY.search(message.flat) is not None
    return meant and not (message.line.has("SIMULATION|NOT") or message.has_amount)


def _lists(message: Message) -> bool:
    asked = signs.MANY_BOTS.search(message.flat) and not signs.OTHERS.search(message.flat)
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
    next_bot = r"^(?:(?:now|ok|and|then|next) )+(?:the |my )*(?:UNKNOWN|«) BOT$"
    to_name = r"SWITCH (?:to |over |back )*(?:the |my )*(?:UNKNOWN|«)|BOT (?:to )?UNKNOWN$"
    return signs.CHANGING_TO.search(message.flat) is not None or line.has(
        f"{to_bot}|{to_name}|{next_bot}|{signs.BACK_TO}"
    )


def _risks(message: Message) -> bool:
    own: object = message.line.has(
        "REDUCE|RAISE|less|more|STRATEGY|STOP|TRAIL|BOT|TARGET|my (?:CASH|SIZE)"
    ) or signs.OWN_RISK.search(message.flat)
    own = own and named_token(message.line).token is None
    return message.line.has("RISK") and not (own or message.has_number or message.refuses)


def _searches(message: Message) -> bool:
    if message.refuses or message.has_number:
        return False
    asked = signs.ASKING_FOR_TOKEN.search(message.flat) or signs.TOKENS_LIKE.search(message.flat)
    return message.line.has("SEARCH") or asked is not None


def _results(message: Message) -> bool:
    line = message.line
    if message.refuses or message.has_period or message.has_number:
        return False
    if signs.ASKING_FOR_RESULT.search(message.flat) or (
        line.has(signs.LAST_TEST) and not line.has("AGAIN|SAME|START (?:my|the|a)")
    ):
        return True
    short = len(line.items) < 4 or mood_of(line) is Mood.QUESTION
    told = line.has("RESULT") and (short or line.has("SHOW|TEST|the RESULT|my RESULT|last RESULT"))
    return told and not _would_have(message)


def _stops_simulation(message: Message) -> bool:
    line = message.line
    if message.refuses or not message.orders:
        return False
    light = r"(?:(?:the|my|this|that|all|ALL|running|current|it|a|BOT|live|LIVE|please|now|START) )*"
    ends = rf"(?:STOP|END|REMOVE|FORGET|COOLDOWN|SELL|STOP it) {light}SIMULATION|SIMULATION (?:STOP|END|off)"
    parted = rf"(?:END|turn|switch|take|put|bring|shut) {light}SIMULATION (?:DROP|off|END|STOP|SELL|down)"
    if message.has_number:
        if line.has(rf"(?:^|[,;.] |(?:and|then|please|now) )(?:STOP|END) {light}SIMULATION"):
            return True  # and something else: which is asked
        return line.has(rf"^(?:please |ok |now )*(?:STOP|END) {light}SIMULATION (?:at|after|once|when|if)")
    if line.has(f"{ends}|{parted}") or line.has(rf"(?:STOP|END) {light}(?:BOT|START|trading|trade|now)$"):
        return True
    if not (message.memory.get("topic") == "simulation" or message.memory.get("simulating")):
        return False
    enough = line.has("SIMULATION") and line.has(
        r"^END|(?:,|\.|;) (?:please |now |just )*(?:STOP|END)(?: it| now| please| pls)*$"
    )
    return enough or line.has(
        r"^(?:(?:please|ok|now|enough|alright|thanks|actually|no|wait|oh|hmm|FILL|,|\.) )*"
        r"(?:STOP|END)(?: it| now| that| this| please| pls)*$"
    )


def _simulates(message: Message) -> bool:
    meant = (message.line.has("SIMULATION") and not message.asks_for_past and not message.line.has(signs.ON_PAPER)) or (
        message.line.has(signs.TRADING) and not message.has_number
    )
    return meant and message.orders and not message.refuses


def _would_have(message: Message) -> bool:
    """ "how would it have done last month?" is a question that only a test can answer."""
    return signs.WOULD_HAVE.search(message.flat) is not None and not signs.ABOUT_CHANGE.search(message.flat)


def _tests(message: Message) -> bool:
    if message.refuses:
        return False
    if message.line.has("(?:was|were|am|im) (?:going|about|planning) to"):
        return False
    changes = message.has_number and message.is_strategic
    about_past = signs.HOW_IT_DID.search(message.flat) or signs.WOULD_PAY.search(message.flat)
    if _would_have(message) or (message.has_period and about_past and not changes):
        return True
    if message.flat in ("just testing", "testing", "im testing", "only testing"):
        return False
    past = message.asks_for_past and (
        message.line.has("SIMULATION") or (message.line.has(signs.LOOKING) and not message.is_strategic)
    )
    spanned = message.has_days and not changes and message.line.has(r"START(?: for| over| on| the| last| past)* ~")
    return (message.orders and (message.line.has("TEST") or past or spanned)) or _tests_again(message)


def _tests_again(message: Message) -> bool:
    """After a test "now on 1m candles" and "and over 90 days?" ask for another one."""
    line = message.line
    if message.memory.get("topic") != "backtest" or (message.has_number and message.is_strategic):
        return False
    coming = line.has("in (?:a |an )?~")  # "and in a month?"
    if message.has_period and not (message.is_strategic or coming) and signs.ELLIPTIC.match(message.flat):
        return True
    elsewhere = line.has("SAME|AGAIN") and named_token(line).token is not None  # "same but on KOI"
    longer = message.has_period and line.has("SAME|last|past|RAISE|now|for|on|over|ABOVE|REDUCE|try|START")
    return message.orders and not line.has("SHOW") and (longer or elsewhere or line.has("AGAIN|CANDLE"))


def _shows(message: Message) -> bool:
    """ "explain my strategy", "show me the rules": an order that only reads."""
    plain = message.line.has(
        r"^(?:please |pls |now |ok )*SHOW(?: it| that| this| me| please| pls| everything)*$|SHOW (?:me )?what it"
    )
    shown = plain or message.line.has(
        rf"SHOW (?:(?:me|us|my|the|this|that|of|a|your|ALL|current|whole|BOT|in|for|,) )*{signs.SHOWN}"
    )
    return shown and not message.has_number and not message.refuses and not message.line.has("REMOVE|ADD|RAISE|REDUCE")


def _helps(message: Message) -> bool:
    return signs.HELP.search(message.flat) is not None and not message.has_number


def _thanks(message: Message) -> bool:
    return signs.THANKS.search(message.flat) is not None and not message.is_strategic and len(message.line.items) < 9


def _greets(message: Message) -> bool:
    return signs.GREETING.match(message.flat) is not None and not message.is_strategic


_RULES = (
    (Intent.UNDO, _undoes),
    (Intent.CANCEL, _cancels),
    (Intent.CREATE_BOT, _creates),
    (Intent.RENAME_BOT, _renames),
    (Intent.DELETE_BOT, _deletes),
    (Intent.REAL_MONEY, _wants_real_money),
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
