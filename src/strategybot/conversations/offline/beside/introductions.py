"""A new bot said together with its rule, in one form: "I want a bot. Name: Heron. Entry: …", "bot 'Sniper' - buy if …".

The name is taken as it is written, before any of its words could be read as something else.
"""

import re

from strategybot.conversations.offline.orders.names import NAMELESS
from strategybot.conversations.offline.words.hearing import line_of

_PLEASE = r"(?:(?:please|pls|plz|can you|could you|ok|now|and|so)[\s,]+)*"
_WANTED = (
    r"(?:(?:(?:i'?d|i would) (?:like|love)|i (?:want|need))(?: to (?:have|make|create|build))?|i wanna have|"
    r"(?:create|make|build|set ?up|start|open|add|launch|give)(?: me| us)?|new)"
)
_SORT = r"(?:\s(?:a|an|another|one more|my|new|first|second|third|trading|little|extra))*"
_QUOTED = r"\"[^\"]{1,60}\"|'[^']{1,60}'|“[^”]{1,60}”|‘[^’]{1,60}’"
_CAPITAL = r"(?-i:[A-Z][a-z][\w-]*)"
_NAMING = (
    r"(?:\s(?:called|named|by the name of|with the name)|[,.]?\s(?:call|name) it|"
    r"[,.]?\s(?:its |the )?name(?: is|:| should be| shall be)?)"
)
_NAMED = rf"{_NAMING}\s+(?P<given>{_QUOTED}|[a-z][\w-]*(?: {_CAPITAL}){{0,2}})"
_MARK = r"\s*[:;,.–—-]\s*"
_WHO = r"(?:(?:and |strategy ?: ?)*(?:(?:it|that|which|who)(?: (?:should|shall|must|will|is to))?\s+)?)"
_FOR_ME = r"(?:\s(?:for me|please|pls|plz|thanks))*"
_GOES_ON = r"(?=(?:that|which|who|it|and it|buy|buys|buying|when|with|strategy)\b)"  # else the name does: "night owl"
_WITH_RULE = re.compile(
    rf"(?P<lead>{_PLEASE})(?:{_WANTED}{_SORT}\s(?:bot|robot){_NAMED}{_FOR_ME}(?:{_MARK}|\s+{_GOES_ON}){_WHO}"
    rf"|(?:{_WANTED}{_SORT}\s)?(?:bot|robot)\s+(?P<name>{_QUOTED}|{_CAPITAL}(?: {_CAPITAL}){{0,2}})"
    rf"{_FOR_ME}{_MARK}{_WHO})"
    r"(?P<rule>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_LATER = (
    r"(?:(?:i'?ll|i will|we'?ll) (?:add|give|tell|set|write|do)(?: it| you)?(?: a| the| its)? (?:strategy|rules?)|"
    r"(?:the |its )?(?:strategy|rules?)(?: comes?| follows?)?) later"
)
_NO_RULE = (
    r"(?:(?:(?:but |and )?(?:don'?t|do not|no need to) (?:give|add|set|put|write)(?: it| in| on| up)* (?:a |any )?"
    r"(?:strategy|rules?)|(?:but )?(?:without|with no|no) (?:a |any )?(?:strategy|rules?)|leave it empty)"
    rf"(?: (?:yet|for now|to it|on it|at first))*|{_LATER})"
)
_WITHOUT_RULE = re.compile(
    rf"{_PLEASE}{_WANTED}{_SORT}(?:\s(?:bot|robot){_NAMED}{_FOR_ME}[\s,.;]+{_NO_RULE}|"
    rf"\s(?:empty|blank) (?:bot|robot){_NAMED.replace('given', 'empty')}{_FOR_ME})[\s.!]*",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    rf"(?:(?:and|now|also|then|ok|great|please)[\s,.!]+)*(?:another|one more|a second|a third)(?: one| bot)?"
    rf"{_NAMED}{_FOR_ME}[\s.!]*",
    re.IGNORECASE,
)
_QUOTES = "\"'“”‘’"
_RULES = "BUY|SELL|DROP|RISE|VOLUME|STOP|TARGET|TRAIL"


def introduced(text: str, beside_bots: bool) -> str | None:
    """The message as one order to create the bot; None for any other. `beside_bots`: bots were spoken of last."""
    said = _WITH_RULE.fullmatch(text.strip())
    if said and line_of(said["rule"]).has(_RULES) and _is_name(said["given"] or said["name"]):
        return f"{said['lead']}{_order(said['given'] or said['name'])}: {said['rule']}"
    if bare := _WITHOUT_RULE.fullmatch(text.strip()):
        return _order(bare["given"] or bare["empty"])
    another = _ANOTHER.fullmatch(text.strip()) if beside_bots else None
    return _order(another["given"]) if another else None


def _is_name(words: str) -> bool:
    """ "bot Please, …" and "name it whatever" name nothing."""
    return words.split(maxsplit=1)[0].lower() not in NAMELESS


def _order(name: str) -> str:
    return f'create a bot called "{name.strip(_QUOTES)}"'
