"""Sentences that tell how things are, in words of which each alone could stand in an order.

"I have a 5% stop", "thanks for removing the stop", "you keep changing it to 5%": nothing in them is asked for.
"""

from strategybot.conversations.offline.lines import Line

_PART = "STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX|CONDITION"
_NAMED = rf"(?: (?!(?:so|and|but|to)(?!\S))[^,;.:\s]+){{0,4}} (?:{_PART}|%)"  # in the same clause
_START = r"(?:^|[,;.:] )(?:(?:so|and|but|ok|well|yeah|yes|no|oh|hey|FILL|because|now|also|ADD|,) )*"
_OFTEN = r"(?: (?:always|never|still|just|already|currently|now|only|even|really|FILL|ADD|have|been|all))*"
_HAVE = "have(?! to)|has(?! to)|use|uses|keep|keeps|get|notice|observe|respect|match|play|ride"
_IS = "(?:has(?! to)|uses|is)"
_DOING = "using|running|keeping|setting|having|seeing|getting|holding|trading|testing|START|HOLD"
_FEELING = (
    "scared|sick|nervous|glad|happy|tired|proud|wary|sure|certain|careful|cautious|sorry|sad|serious|impatient|bad|good"
)
_CHANGES = "REMOVE|RAISE|REDUCE|ADD|HALVE|SWITCH|START|changing|setting|putting|moving"
_THANKED = "(?:thanks|thank you|cheers|sorry) for"
_STATED = (
    rf"{_START}(?:i|we|they){_OFTEN} (?:{_HAVE}){_NAMED}",  # "i have a 5% stop"
    rf"{_START}(?:im|we are|were|i am|ive been|i have been){_OFTEN} (?:{_DOING}){_NAMED}",
    rf"{_START}(?:it|this|that|there|BOT){_OFTEN} {_IS}(?: (?:a|an|the|only|now))+ (?:[%#~×] )?(?:{_PART})",
    rf"{_START}(?:theres|thats|its)(?: (?:a|an|only|now|already|still))+ [%#~×] (?:{_PART})",
    rf"(?:{_PART}) (?:has|have|had|s){_OFTEN} been",
    rf"{_START}hopefully|^(?:(?:so|and|but|hey|ok|FILL) )*wheres",
    rf"(?:im|am|are|is){_OFTEN} (?:{_FEELING}) (?:of|about|that|when){_NAMED}",
    rf"{_THANKED}{_NAMED}|{_THANKED} (?:{_CHANGES})",
    rf"you (?:keep|kept|always|constantly|never|still)(?: (?:on|just))* (?:{_CHANGES})",
    r"[%#~×$](?: (?:,|\.))* (?:right|correct|innit|huh)$",
)
_YOU_DID = (
    r"(?:you|u|youve|youre)(?: (?:just|already|have|finally|even|FILL))* "
    r"(?:REMOVE|RAISE|REDUCE|ADD|HALVE|SWITCH|changed|moved)"
)


def is_statement(line: Line) -> bool:
    return any(line.has(pattern) for pattern in _STATED) or _tells_what_was_done(line)


def _tells_what_was_done(line: Line) -> bool:
    """ "good that you removed the stop": by the form of its verb."""
    return any(line.items[last].text.lower().split()[0].endswith("ed") for _, last in line.spans(_YOU_DID))
