"""What a message does: order something, ask, refuse, muse or tell. Only an order may act."""

import re
from enum import Enum, auto
from functools import lru_cache

from strategybot.conversations.offline.orders.statements import is_statement
from strategybot.conversations.offline.words.context import BEARABLE
from strategybot.conversations.offline.words.lines import Item, Line
from strategybot.conversations.offline.words.plain_words import PERSONS, TOLD, words_of

_OPENING = (
    r"^(?:(?:hi there|hey there|hello there|hi|hey|hello|yo|gm|ok|okay|so|well|and|but|please|pls|plz|alright|sorry|"
    r"btw|bro|ser|now|then|thanks|cool|great|nice|also|ADD|just|man|dude|FORGET|,|\.|"
    r"COOLDOWN(?! (?:should|shall|must|will) be)) )*"
)
_DOING = (
    r"(?:set|change|make|put|use|adjust|update|modify|edit|switch|SWITCH|turn|move|keep|ADD|REMOVE|RAISE|REDUCE|"
    r"HALVE|×|"
    r"CREATE|TEST|SIMULATION|START|BUY|SELL|SEARCH|SHOW|UNDO|give|get|have|let|bring|apply|setting|changing|"
    r"making|putting|"
    r"using|STOP|END|TRAIL|SIZE|TARGET|HOLD|COOLDOWN|CHECK|take|place|leave|shift)"
)
_ASKED_TO = r"(?:(?:please|pls|plz|kindly|just|maybe|also|ADD|now|mind|quickly) )*"
_POLITE = re.compile(rf"{_OPENING}(?:(?:can|could|will|would) (?:you|u|ya)|(?:can|could) we) {_ASKED_TO}{_DOING}(?!\S)")
_WOULD_YOU = re.compile(rf"{_OPENING}(?:will|would) (?:you|u) {_DOING}")
_ASKING = re.compile(
    rf"{_OPENING}(?:what|whats|why|how|hows|who|whos|where|which|is|are|am|was|were|does|do (?:i|you|u|we|they|"
    r"people)|did|"
    r"should|would|could|can|may|might|will|has|have (?:i|you|we)|when (?:will|does|do|did|is|would|should|can)|"
    r"shall|isnt|"
    r"arent|doesnt|UNKNOWN \?)(?!\S)"
)
_ASKING_LATER = (
    r"(?:,|\.|;) (?:so |but |and )?(?:what|whats|why|how|hows|which|who)"  # "with a 5% stop, what is my risk"
)
# "i removed the stop", "they raised it to 5%": what somebody has done, or does, is no order.
_DID = (
    r"^(?:(?:so|and|but|well|ok|oh|hey|hi|hello|FILL|UNKNOWN|,|\.) )*(?:i|we|they|he|she|you) "
    r"(?:(?:just|already|ADD|even|have|had|ve|did|only|simply|now) )*"
    r"(?:set|put|changed|moved|used|REMOVE|RAISE|REDUCE|HALVE|adjusted|updated|switched|turned|took|"
    r"kept)(?! my mind)(?!\S)"
)
_EXPLAINED = r"SHOW (?:me |us |to )*(?:how|why|whether)(?= (?:to|i|you|we|one))"  # "can you explain how to …"
_INTENDED = "(?:set|change|START|TEST|SIMULATION|SHOW|think|let|REMOVE|RAISE|REDUCE|put|keep|SWITCH|CREATE|UNDO)"
_MUSING = (
    r"what if|what happens|if only|"
    r"if (?:i|we|you|u|someone|somebody) "
    r"(?:set|had|would|could|change|used|use|RAISE|REDUCE|put|make|were|did|BUY|SELL|ADD|REMOVE)|"
    r"maybe|perhaps|might|how about|what about|should i|should we|would be|would have|could have|not sure|one ~|some ~|"
    r"should have (?:set|put|been|had|used|SELL|BUY|made|changed|RAISE|REDUCE|ADD|REMOVE|START|TEST|done|taken|kept|"
    r"gone)|"
    r"(?:i|we) (?:STRATEGY|UNKNOWN) to (?:set|change|make|move|put|use|REMOVE|RAISE|REDUCE|ADD)|"
    r"SHOW (?:me |us )?to|(?:was|were|am|im) (?:going|about|planning|trying|supposed|meant) to|"
    r"used to|^(?:\S+ ){0,2}id (?:set|change|make|move|put|use|REMOVE|RAISE|REDUCE|ADD)(?!\S)|^had (?:i|we)|"
    r"^(?:i|we) (?:like|love|hate) (?:a |an )?[%#~×] (?:STOP|TARGET|TRAIL|COOLDOWN)$|"
    r"(?:i|we) (?:normally|always)|(?:i|we|one|someone) could|^later|(?<!~ )later$|"
    r"next (?:week|month|year|time|day)|(?:^|lets |let us |we |i |just |please )(?:assuming|"
    r"assume)(?! .*(?:TEST|SIMULATION))|"
    rf"(?:i will|i ll|we will|we ll|ill|imma|(?:im|i am|were|we are) (?:going to|gonna)) {_INTENDED}"
)
# "i think 3 is too tight, make it 5": an opinion with an order behind it.
_JUDGED = (
    r"TOOMUCH .*(?:,|;|\.|so|and) (?:then |so |just |please )*"
    r"(?:make|set|use|put|START|go|lets|change|RAISE|REDUCE|try)"
)
# "my stop loss is 50%" says how things are, or how they should be: which of the two is asked.
_STATED = (
    r"^(?:(?:so|ok|and|but|well|no|FORGET|,|\.) )*"
    r"(?:(?:my|the|your) (?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX|SIZE)|TARGET for \S+) "
    r"(?:is|was) (?:\w+ )?[%#~]$|"
    r"^(?:(?:so|ok|and|but|well) )*(?:my|the|your|this) (?:STRATEGY|BOT) (?:has|had|uses|used)(?! to)"
)
# Somebody else's doings, by the shape of the sentence: whose it is, a noun that is no part of a strategy, a verb.
_OWNED = r"(?:my|his|her|our|their|your|the|a|an|some|this|that|these|those|most|many|one|every|another)"
_NOUN = r"(?!(?:price|prices|market|it|trade|trades|candle|chart|rest|idea|way|first|second)(?!\S))(?:[a-z]+|UNKNOWN)"
_ADVERB = r"(?:always|never|just|only|ADD|also|even|now|still|already|currently|actually|really|FILL)"
_DOINGS = words_of(
    """
    uses runs has sets takes took buys bought sells sold says said puts keeps kept likes loves prefers wants swears
    recommends recommended trades traded made makes gets got goes went does did holds held waits waited works worked
    tells told thinks suggests suggested advises advised loses lost enters entered exits exited cuts adds added removes
    removed moves moved changed changes raised raises lowered lowers switched switches opened opens closed closes ran
    used had ran started starts stopped risks risked bets invests invested gives gave tried tries swings scalps
    use run have set take buy sell put keep like love prefer want trade hold wait do go bet risk
    """
)
_SUBJECT = (
    r"(?:^|(?:,|\.|;|so|and|but|because|since|well|btw|hey|hi|ok|lol) )"
    rf"(?:{_OWNED} (?:{_NOUN} ){{0,2}}{_NOUN}|UNKNOWN)(?: {_ADVERB})*"
)
_OTHERS_DO = (
    r"(?:\S+ ){0,2}?"
    r"(?:BUY|SELL|use|uses|using|set|sets|has|have|like|likes|want|wants|keep|keeps|put|puts|trade|trades|STOP|"
    r"TARGET|TRAIL|make|makes|take|takes|go|goes|always|never|SIZE|LOSS|PROFIT|HOLD|DROP|RISE|TEST)(?!\S)"
)
# "PIPO is down 8%" tells how things are; "down 8%" alone may be a rule.
_STATE = (
    r"(?:NAME|UNKNOWN|it|its|price|market|TOKEN|€|this|that|CASH|i) "
    r"(?:(?:is|are|was|am|has|been|just|already|now|currently|still|down|up) )+(?:DROP|RISE|LOSS|PROFIT)"
)
# "backtests are boring", "the simulation was slow"
_RUNS_ARE = (
    r"^(?:(?:the|my|your|these|this|that|last|ALL) )*(?:TEST|SIMULATION)(?: RESULT)? "
    r"(?:is|are|was|were|has|had|looks|seems|takes)|^(?:this|that|it) (?:is|was) (?:just |only )?a TEST$|"
    r"^(?:hello|hi|hey|yo) (?:, )?TEST$"
)
_LOSING = r"(?:\S+ )*?(?:TOKEN|NAME|UNKNOWN|CASH|price|it|trades|trade|most|some) LOSS"
# "volume is 3x today", "a 5% drop happens daily": a sentence about the market in which nobody wants anything.
_MARKET = "DROP|RISE|VOLUME|LOSS|PROFIT|ABOVE|BELOW|CROSS|BREAK"
_TELLING = (
    r"is|are|am|im|its|was|ive|happens|happen|happening|occurs|keeps|has|looks|seems|sounds|UNKNOWN (?:DROP|RISE)|"
    r"(?:it|price|NAME|TOKEN|market|this|€) (?:just |always |still |even )*(?:DROP|RISE)"
)
_WANTING = (
    r"if|when|whenever|once|after|until|while|BUY|SELL|ADD|REMOVE|GONE|RAISE|REDUCE|HALVE|REPLACE|INSTEAD|CREATE|TEST|"
    r"set|change|make|use|put|want|need|like|should|must|lets|try|START|measure|only|:|ALL|ANY|CONDITION|SAME|waits|"
    r"STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX|HOLD|SIZE|WINDOW|TOOMUCH|look|give|get|go|wanna|move|update|adjust|STRATEGY|"
    r"(?:has|have|needs|ought) to|enough|plenty|suffices"
)
_ONCE = r"(?:BOT|«|i|we|he|she|they)(?: «| UNKNOWN| CALLED)* once"
_CONDITIONAL = frozenset({"if", "when", "whenever", "once", "after", "has", "have", "until", "that", "while"})


class Mood(Enum):
    ORDER = auto()
    QUESTION = auto()
    REFUSAL = auto()
    MUSING = auto()
    REPORT = auto()


def mood_of(line: Line) -> Mood:
    if line.has("NOT") or (line.has("END") and any(item.is_number for item in line.items)):
        return Mood.REFUSAL
    return mood_behind_refusal(line)


@lru_cache(maxsize=64)  # asked for again and again of the same line
def mood_behind_refusal(line: Line) -> Mood:
    """What the message does once every "not" in it is explained: "why do i never hold longer than a day" asks."""
    if line.has(_EXPLAINED):
        return Mood.QUESTION
    if is_polite(line):
        return Mood.ORDER
    if line.has(_MUSING) or line.has(_STATED) or _has_done(line) or _is_told(line) or _is_about_others(line):
        return Mood.MUSING
    if is_statement(line):
        return Mood.MUSING
    if _ASKING.match(line.text) or line.has(_ASKING_LATER) or "?" in (item.name for item in line.items):
        return Mood.QUESTION
    return Mood.REPORT if _tells(line) else Mood.ORDER


def _is_told(line: Line) -> bool:
    told = any(item.text.lower() in TOLD and item.name != "want" for item in line.items) or any(
        item.text.lower() == "say" and not _is_amount(following)
        for item, following in zip(line.items, line.items[1:], strict=False)
    )
    return told and not line.has(_JUDGED)


def _has_done(line: Line) -> bool:
    """ "i removed the stop"; but "i no longer want it" removes it now."""
    return any(not line.items[last].text.lower().startswith("no ") for _, last in line.spans(_DID))


def _is_amount(item: Item) -> bool:
    return item.is_number or item.is_duration or item.name in (",", "a", "about")


def _is_about_others(line: Line) -> bool:
    """ "he buys every 5% dip", "my buddy uses a 2% stop"."""
    for place, item in enumerate(line.items):
        owned = (
            place > 0 and line.items[place - 1].name == "my" and item.text.lower() in ("bro", "buddy", "mate", "pal")
        )
        heading = place == 0 or line.items[place - 1].name not in ("when", "if", "whenever", "once", "while", "like")
        if (
            ((item.text.lower() in PERSONS and item.name not in ("that", "kept")) or owned)
            and heading
            and line.items[place + 1 : place + 2]
            and line.items[place + 1].name != ","
            and line.part(place + 1, len(line.items)).has(f"^{_OTHERS_DO}")
        ):
            return True
    return any(
        _is_doing(line.items[place : place + 2])
        for first, last in line.spans(_SUBJECT)
        for place in range(_noun_after(line, first) + 1, last + 2)
    )


def _noun_after(line: Line, first: int) -> int:
    """Where the noun of a subject may stand: a name at once, any other behind its article, and both behind a joint."""
    joints = 0 if line.part(first, first + 1).has(f"^(?:{_OWNED}|UNKNOWN)$") else 1
    named = line.items[first + joints].name == "UNKNOWN"
    return first + joints + (0 if named else 1)


def _is_doing(behind: tuple[Item, ...]) -> bool:
    """Whether the verb behind a noun says what somebody does: "runs", "is using"; of many "use"."""
    words = [item.text.lower().split()[0] for item in behind if item.text.strip()]
    if len(words) > 1 and words[0] in ("is", "are", "was", "were", "s") and words[1].endswith("ing"):
        return True
    return bool(words) and words[0] in _DOINGS


def is_polite(line: Line) -> bool:
    """ "could you set …" is an order in the form of a question; "would you buy …?" is a question."""
    if _WOULD_YOU.match(line.text) and not line.has("please|pls|plz|mind"):
        return False
    return _POLITE.match(line.text) is not None


def _recalls(line: Line) -> bool:
    """ "my bot once bought …": the once of another time, and no condition."""
    return any(item.past for _, last in line.spans(_ONCE) for item in line.items[last + 1 : last + 2])


def _tells(line: Line) -> bool:
    """Whether something in it has happened already: "it fell 5% today", but not "when it fell 5%"."""
    if line.has(f"{BEARABLE} (?:LOSS|STOP)"):
        return False
    if line.has(_RUNS_ARE) or _recalls(line):
        return True
    if (line.has(_STATE) or line.has(_LOSING)) and not line.has("if|when|whenever|once|after|until|BUY|SELL|ADD"):
        return True
    if line.has(_MARKET) and line.has(_TELLING) and not line.has(_WANTING):
        return True
    conditional = False
    for item in line.items:
        if item.name in (",", ".", ";"):
            conditional = False
        conditional = conditional or item.name in _CONDITIONAL
        if item.past and not conditional:
            return True
    return False
