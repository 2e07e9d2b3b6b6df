"""A part of the strategy found fault with, or praised, before an order: "3% stop keeps getting me out, set it to 5%".

What the order points at with "it" is the part that was named; a value that was named has to be the one there is.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from strategybot.conversations.offline.reading import Claim
from strategybot.conversations.offline.words.hearing import line_of
from strategybot.conversations.offline.words.lines import UNKNOWN, Item, Line
from strategybot.conversations.offline.words.plain_words import words_of

PARTS = {
    "STOP": "stop loss",
    "TARGET": "take profit",
    "TRAIL": "trailing stop",
    "COOLDOWN": "cooldown",
    "HOLDMAX": "max holding time",
    "HOLD": "max holding time",
    "SIZE": "position size",
    "CASH": "position size",
    "DROP": "price drop",
    "RISE": "price rise",
    "VOLUME": "volume",
    "WINDOW": "window",
    "SELL": "sell level",
}
FIELDS = {
    "STOP": "stop_loss_percent",
    "TARGET": "take_profit_percent",
    "TRAIL": "trailing_stop_percent",
    "COOLDOWN": "cooldown",
    "HOLDMAX": "max_holding",
    "HOLD": "max_holding",
    "SIZE": "position_percent",
    "CASH": "position_percent",
    "DROP": "price_drop",
    "RISE": "price_rise",
    "VOLUME": "volume_spike",
    "SELL": "price_level",
}
_FIELD_NAMES = FIELDS.keys() - {"SELL"}  # "keeps getting me out" names no sale
_OPINION = r"(?:(?:i (?:think|feel)(?: that)?|imo|imho|honestly|tbh|to be honest|sorry but|for me|well|ok|so)[, ]+)*"
_MUCH = (
    r"(?:(?:way|far|a bit|a little|really|so|just|very|quite|pretty|simply|totally|a|an|still|kind of|kinda|much) )*"
)
_BAD = (
    r"(?:too [a-z]+|tight|wide|small|big|short|long|low|high|noisy|cheap|expensive|crazy|insane|annoying|ridiculous|"
    r"greedy|ambitious|optimistic|pessimistic|conservative|aggressive|risky|scary|lot|nothing|useless|pointless|stupid|"
    r"dumb|silly|nonsense|bad|wrong|loose|strict|slow|fast|early|late|boring|unrealistic|timid|steep|shallow|joke|"
    r"peanuts|overkill|terrible|awful|rare|[a-z]+ing (?:me|my|us|the)\b[^,;.:?%\d]*|"
    r"not (?:ok|okay|good|great|enough|working|realistic|for me|right|sufficient))"
)
_WHY = r"(?: (?:for|on|in|with|at|these|lately|anymore|now|today|imo|lol|to)\b[^,;.:?%\d]*)?"
_SELDOM = r"(?:(?:almost |nearly )?never|rarely|hardly ever|hardly|barely|always|constantly|seldom)"
_FAULT = re.compile(
    rf"(?:(?:is|was|are|were|'s|feels?|seems?|looks?|sounds?|felt)(?: like)? {_MUCH}{_BAD}{_WHY}"
    rf"|(?:isn'?t|is not|wasn'?t|aren'?t) {_MUCH}(?:enough|good|great|working|ok|okay|right|realistic|sufficient){_WHY}"
    r"|(?:keeps?|kept) (?:on )?\w+ing\b[^,;.:?%\d]*"
    rf"|(?:is|was|has been|have been|has|have) {_SELDOM} (?:been )?(?:hit|reached|triggered|touched|filled|met)"
    r"|isn'?t|is not|are not|aren'?t"
    rf"|{_SELDOM} (?:gets?|got|triggers?|fires?|fills?|works?|kicks?|happens?|stops?|takes?|throws?|kicked|comes?)\b"
    r"[^,;.:?%\d]*"
    r"|[a-z]+s (?:me|us|my [a-z]+)\b[^,;.:?%\d]*"  # "kicks me out too early"
    r"|(?:is|was|gets?|got|comes?) (?:[a-z]+ )?(?:too|very|so|way too|far too) (?:often|frequently|early|late|soon|"
    r"quickly|fast|easily)"
    r"|(?:sucks|blows|does nothing(?: for me)?|makes no sense(?: to me| here)?)(?: lol)?"
    r"|i (?:don'?t|do not|no longer) (?:need|want|like|use)(?: any ?more| any longer)?)"
)
_DISLIKED = re.compile(  # "i never liked the trailing stop"
    r"(?:i )?(?:never (?:liked|trusted|understood)|(?:can'?t|cannot) (?:sleep|live|relax|deal|work) with|"
    r"hate|dislike|can'?t stand|(?:don'?t|do not) (?:like|trust|need|want)|"
    r"(?:am|'m) (?:sick of|tired of|fed up with|annoyed (?:by|with)|done with))\s+"
    r"(?P<subject>[^,;.:?]+?)(?: any ?more| any longer| at all)?"
)
_FOUND = re.compile(rf"^i find ((?:the|my|this|that|a|an) [^,;.:?]+?) ({_MUCH}{_BAD})$")  # "i find the rule annoying"
_ALL_BUT = re.compile(  # "everything's fine except the cooldown"
    r"(?:i'?m (?:happy|ok|okay|fine|good) with |i like |i love )?(?:everything|all of it|it all)"
    r"(?:'s| is| looks| seems)?"
    r"(?: (?:ok|okay|fine|good|great|perfect|right))?,? (?:but|except|apart from|besides)(?: for)? "
    r"(?P<subject>[^,;.:?]+?)(?: (?:is|looks) (?:ok|okay|fine|good|great|perfect))?"
)
_PHRASED = (  # parts that are said without their names
    (re.compile(r"\b(?:per|in (?:one|a|each|every|a single)) (?:single )?trade$"), "of the cash"),
    (re.compile(r"\bbetween (?:the )?(?:trades|buys|entries)$"), "cooldown"),
    (re.compile(r"\b(?:my|of my|of the) cash of the cash$"), "of the cash"),
)
_PRAISE = re.compile(
    r"(?:is|are|was|'s|looks|seems|feels) (?:(?:all|just|totally|very|really|pretty|quite) )*"
    r"(?:ok|okay|fine|good|great|perfect|right|nice|alright)"
)
_LIGHT = words_of("the my a an this that your of only just current its FILL price loss level at for with CONDITION")
_DISTRUST = re.compile(r"\b(?:if|when|unless|maybe|perhaps|would|could|might|said|says|told|he|she|they|friend)\b")
_CURRENT = re.compile(r"\b(?:it|that|them)\b", re.IGNORECASE)
_ONE = re.compile(r"\bone\b(?=\s+(?:of|at|with|to)\b)", re.IGNORECASE)
_WISHED = (
    r"(?:i (?:want|need|prefer)|i'?d (?:like|prefer|rather have)|i would (?:like|prefer|rather have)|"
    r"(?:it )?(?:should|must|needs to|has to) be|give me|make it|make that|set it(?: to| at)?|put it(?: to| at| on)?|"
    r"change it to|move it to|"
    r"(?:(?:go|come)|(?:bring|take|move|get|push|lower|raise|reduce|cut) it) (?:down|up|back)? ?to|"
    r"use|try|go with|go for|do|make|take|set|better|rather|just)"
)
_NEW_VALUE = re.compile(  # "make it 5%", "i want 5x", "20% please", "15 minutes is plenty"
    rf"(?:(?:please|pls|just|so|then|ok|kindly|lets|let's|can you|could you) )*(?:{_WISHED} )?"
    r"(?:(?:a|an|to|at|it|about) )*"
    r"(?P<amount>[^,;:?]*?[^,;:?\s.])(?: (?:(?:is|are) (?:plenty|enough|fine|better|ok|okay|good|sufficient)|will do))?"
    r"(?: (?:please|pls|instead|then|thanks|for me|from now on|now))*[.! ]*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Complaint:
    part: str | None  # the concept of what was named
    amount: Item | None
    praises: bool = False

    @property
    def claim(self) -> Claim | None:
        token = self.amount.token if self.amount else None
        if token is None or self.amount is None:
            return None
        share = 100 if self.amount.name == "½" and token.value <= 1 else 1
        return Claim(token.value * share, self.amount.is_duration)


@lru_cache(maxsize=256)
def complaint_in(text: str) -> Complaint | None:
    """What the words find fault with, or praise; None where they say anything else."""
    plain = re.sub(rf"^{_OPINION}", "", text.lower().replace("’", "'").strip(" .,!;:"))
    plain = _FOUND.sub(r"\1 is \2", plain)
    if _DISTRUST.search(plain) or _names_another(text):
        return None
    disliked = _ALL_BUT.fullmatch(plain) or _DISLIKED.fullmatch(plain.replace("i'm", "i 'm").replace("i  ", "i "))
    if disliked:
        return _about(disliked["subject"], praises=False)
    for shape in (_PRAISE, _FAULT):
        for found in shape.finditer(plain):
            judged = line_of(found[0])
            if (
                found.end() == len(plain)
                and found.start()
                and not any(item.name in _FIELD_NAMES for item in judged.items)
            ):
                return _about(plain[: found.start()].strip(" ,"), shape is _PRAISE)
    return None


def _names_another(text: str) -> bool:
    """ "the stop is too tight for KOI": a bot or a token, by its capital."""
    items = line_of(text).items[1:]
    return not text.isupper() and any(item.name == UNKNOWN and item.text[:1].isupper() for item in items)


def _about(subject: str, praises: bool) -> Complaint | None:
    """The subject has to be one part, one amount, or both, and nothing besides."""
    for phrase, part in _PHRASED:
        subject = phrase.sub(part, subject)
    items = line_of(subject).items
    amounts = [item for item in items if item.is_number or item.is_duration]
    parts = {item.name for item in items if item.name in PARTS}
    strange = [item for item in items if item not in amounts and item.name not in PARTS and item.name not in _LIGHT]
    if strange or len(amounts) > 1 or len(parts) > 1 or not (amounts or parts) or (praises and not parts):
        return None
    if "SELL" in parts and not amounts:
        return None
    if "SELL" in parts and amounts[0].name not in "#$":  # "selling at 5%" is the take profit, "at 0.012" a level
        parts = {"TARGET"}
    return Complaint(next(iter(parts), None), amounts[0] if amounts else None, praises)


def pointed(order: str, complaint: Complaint) -> str:
    """The order with the part that its "it" stands for."""
    value = new_value(order)
    if value is not None and complaint.part is not None:
        return f"change the {PARTS[complaint.part]} to {value}"
    if value is not None and complaint.amount is not None:
        return f"change {complaint.amount.text} to {value}"
    if complaint.part is None:
        return order
    if complaint.part == "CASH":
        order = re.sub(r"\bof (?:it|that)\b", "of the cash", order)
    one = _ONE.sub(f"a {PARTS[complaint.part]}", order, count=1)
    return one if one != order else _CURRENT.sub(f"the {PARTS[complaint.part]}", order, count=1)


def new_value(order: str) -> str | None:
    """The amount of an order that says nothing else: "make it 5%"."""
    meant = _NEW_VALUE.fullmatch(order.strip())
    return meant["amount"] if meant and _is_lone_amount(line_of(meant["amount"])) else None


def _is_lone_amount(line: Line) -> bool:
    return len(line.items) == 1 and (line.items[0].is_number or line.items[0].is_duration)
