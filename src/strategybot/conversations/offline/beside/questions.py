"""Plain questions of information beside an order: "…, and how long is the cooldown?". They are answered, it is done.

A question for advice, or about the order itself ("is that wise?"), has no shape here: it holds the order back.
"""

import re

from strategybot.conversations.offline import replies
from strategybot.conversations.offline.words.hearing import line_of

_LEAD = (
    r"(?:(?:and|also|oh|btw|by the way|just|so|ps|p\.s|quick question|one (?:more )?question|out of curiosity|"
    r"just curious|curious|question|"
    r"before i forget|remind me|tell me|please|pls|(?:can|could|would) you (?:please )?(?:tell|remind|"
    r"show) me|do you know|again|ok|anyway|hey|hm+)[,:]?\s+)*"
)
_OF_STRATEGY = (
    r"(?:stop(?:[- ]?loss)?|sl|take[- ]?profit|tp|(?:profit )?target|trailing(?: stop)?|trail|cool ?down|pause|"
    r"(?:max(?:imum)? |longest )?hold(?:ing)?(?: time| period)?|position(?: size)?|size|window|drop|dip|rise|"
    r"volume(?: multiplier| spike| average)?|multiplier|strategy|entry|exit|conditions?|rules?)s?"
)
_WORD = rf"(?:{_OF_STRATEGY}|fees?|slippage|back ?test|simulation|paper trading|price (?:drop|rise|level))"
_TAIL = (
    r"(?:\s+(?:again|now|right now|currently|at the moment|at|set to|set at|on|btw|by the way|exactly|actually|then|"
    r"please|today|of (?:it|this|the bot|this bot)|in (?:simple|plain) (?:words|terms)|here|for|mean|do|work))*"
)
_SHAPES = (
    (  # "what's my target again?", "how long is the cooldown?"
        r"(?:what(?:'?s| is| are| was| were)|how (?:long|big|high|low|large|wide|far|much) (?:is|are|was)) "
        rf"(?:(?:my|the|its|our|current|present|old) )+{_WORD}{_TAIL}"
    ),
    rf"what (?:does|do|is|are)(?: (?:a|an|the))? {_WORD}{_TAIL}",
    rf"what(?:'?s)? (?:a|an) {_WORD}{_TAIL}",
    rf"how (?:does|do)(?: (?:a|an|the|my))? (?:{_WORD}|that|this|it) work{_TAIL}",
    r"what(?:'?s| is) the difference between [^?,;:]+",
    (
        r"(?:which|what) (?:token|coin|bot|chain) (?:is|are) (?:this|it|the bot|this bot|we|i)(?: bot)?"
        rf"(?: trading| using)?{_TAIL}"
    ),
    r"(?:does|will) (?:that|this|it) (?:also )?(?:apply|count|reset|hold|start) [^?,;:]+",
    r"(?:is|are) (?:that|this|it|they) (?:also )?(?:counted|measured|calculated|applied|reset|included)\b[^?,;:]*",
    rf"(?:is there|do i have|have i got|does it have|do we have) (?:an?|any|already an?) {_WORD}(?: set|{_TAIL})",
    (
        r"how much (?:is|would|will) (?:that|it)(?: be)?"
        r"(?: (?:in (?:dollars|usd|cash|total)|(?:out of|of|with|on|from) [$\d.,k ]+"
        r"(?:dollars|usd|bucks)?))+"
    ),
    (
        r"(?:did|does|will|would) (?:it|that|the (?:bot|strategy)) (?:beat|outperform) (?:just |simply )?"
        r"(?:holding|hodling|buy(?:ing)? and hold(?:ing)?|the market)"
    ),
    (
        r"how many (?:trades|bots|conditions|tokens|coins) "
        r"(?:are there|do i have|did it (?:make|do)|does it have|were there)"
    ),
)
_PLAIN = re.compile(rf"{_LEAD}(?:{'|'.join(_SHAPES)})\s*\?+", re.IGNORECASE)
_TELL_ME = re.compile(  # without a question mark: "… and tell me which token this is on"
    r"(?:(?:and|then|also|please|pls|btw) )*(?:show me (?:the|my) (?:new |whole |current )?(?:strategy|rules|settings)|"
    rf"(?:tell me|remind me|show me|explain|explain to me) (?:{'|'.join(_SHAPES)}|"
    rf"what (?:an?|the|my) {_WORD} (?:is|does|means)|how (?:an?|the|my) {_WORD} works|"
    r"(?:which|what) (?:token|coin|bot|chain) (?:this|it|that)(?: bot)? is(?: on| for| using| trading)?|"
    rf"what (?:my|the) {_WORD} (?:is|are){_TAIL}|how (?:long|big|high|wide) (?:my|the) {_WORD} is{_TAIL}))[.!? ]*",
    re.IGNORECASE,
)
_RISK = re.compile(
    rf"{_LEAD}(?:how (?:risky|safe|dangerous|legit) is (?P<other>\$?[A-Za-z]{{2,10}})|"
    r"(?:is|are) (?P<token>\$?[A-Za-z]{2,10}) (?:a |an )?(?:(?:very|really|so|that|too) )?"
    r"(?:risky|safe|legit|a scam|scam|dangerous|rug)(?: (?:token|coin|one))?"
    r")(?: (?:btw|by the way|anyway|actually|now))?\s*\?+",
    re.IGNORECASE,
)
_POINTING = frozenset({"that", "it", "this", "they", "those", "these", "one"})
_ABOUT_WORDS = re.compile(r"\b(?:a|an|mean|do|does|work|difference)\b")


def is_plain_question(text: str) -> bool:
    said = text.strip().replace("’", "'")
    return bool(_PLAIN.fullmatch(said) or _TELL_ME.fullmatch(said)) or asks_for_risk(said)


def asks_for_risk(text: str) -> bool:
    """Of a token by its name: "is that risky?" asks about the order."""
    asked = _RISK.fullmatch(text.strip())
    return asked is not None and (asked["token"] or asked["other"]).lower() not in _POINTING


def explanation(question: str) -> str:
    """What a word means; what a part is set to is read out with the strategy anyway."""
    if not _ABOUT_WORDS.search(question.lower()):
        return ""
    line = line_of(question)
    return next((words for name, words in replies.GLOSSARY.items() if line.has(name)), "")
