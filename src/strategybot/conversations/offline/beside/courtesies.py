"""Greetings and thanks around an order, which say nothing of it: "perfect, tp 12 please" is "tp 12"."""

import re

from strategybot.conversations.offline.words.hearing import line_of

_GREETING = (
    r"(?:hi|hiya|hey|hello|yo|gm|good (?:morning|evening|afternoon|day))(?: (?:there|bot|mate|bro|guys|dude|team))?"
)
_REMARK = (
    r"(?:ok|okay|alright|great|perfect|awesome|excellent|cool|nice|lovely|good|fine|thanks(?: a lot| so much)?|"
    r"thank you(?: so much| very much)?|thx|ty|cheers|wrong|whatever|got it|gotcha|understood|right|well|"
    r"um+|uh+|hm+|ah|oh|first time (?:here|user)|(?:(?:that|this|it) )?(?:looks|sounds) (?:good|great|fine|nice)|"
    r"i'?m (?:(?:quite |very |totally )?new|a (?:beginner|newbie|noob|rookie))"
    r"(?: here| to (?:this|trading|crypto|all this))*)"
)
_BEFORE = re.compile(
    rf"^\s*(?:(?:{_GREETING}|{_REMARK})\s*(?:[:;]-?[)D]|[,.!;]+)\s*"
    rf"|{_GREETING}\s+(?!(?:my|there|friend|world|all|everyone|is|are|was|bot|test)\b)|(?:um+|uh+|please|pls|plz)\s+)",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r",\s*(?:go(?: go)*|let'?s go|done|ok|okay)[\s.!]*$|(?<!called)(?<!named)(?<!call it)(?<!name it)[\s,;]+"
    r"(?:please|pls|plz|thanks(?: a lot| so much| in advance)?|thank you(?: so much| very much)?|thx|ty|cheers|asap|"
    r"[:;]-?[)D])[\s.!]*$",
    re.IGNORECASE,
)
_PLEADING = re.compile(  # "would you be so kind as to …?" asks for nothing but the order
    r"(?:^|(?<=[.!?,;:] ))(?:please )?(?:"
    r"(?:would|could) you be (?:so |very )?(?:kind|good|nice|sweet)(?: enough)?(?:(?: as)? to| and)|"
    r"(?:may|might|could|can) i (?:kindly )?(?:ask|trouble|bother|beg|request) you to|"
    r"i(?:'d| would) be (?:very |so |most |really |extremely )?(?:grateful|thankful|obliged|glad|delighted) "
    r"if you (?:could|would|can)|be (?:a dear|an angel|so (?:kind|good|nice)|kind enough)(?: and| as to| to)|"
    r"i (?:was|am|'m) wondering (?:if|whether) you (?:could|would|can)|i wonder (?:if|whether) you (?:could|would|can)|"
    r"i (?:kindly |hereby |would like to )?(?:request|ask|beg) you to|"
    r"(?:when|if) you(?:'ve got| have| get| find) (?:a|one) (?:minute|moment|sec|second)(?: to spare)?,|"
    r"if it(?: is|'s)(?: not|n't) too much (?:trouble|to ask),|if it isn'?t too much (?:trouble|to ask),|"
    r"do me (?:a|the) favou?r(?: and|,|:)|(?:can|could|would|will) you (?:possibly|kindly)(?! have\b))\s+"
    r"(?P<order>[^?.!]*(?:[.]\d[^?.!]*)*)\?*",
    re.IGNORECASE,
)


def undressed(text: str) -> str:
    """The order alone; a message that is nothing but courtesy stays as it is."""
    bare = _stripped(_PLEADING.sub(r"please \g<order>", text.replace("’", "'")))
    return bare if _says_something(bare) else text


def undressed_answer(text: str) -> str:
    """An answer alone: "yes, thanks" is a yes. "ok thanks" may only thank."""
    bare = _stripped(text)
    return text if not bare or bare.lower() in ("ok", "okay", "k") else bare


def _stripped(text: str) -> str:
    while (shorter := _BEHIND.sub("", _BEFORE.sub("", text))) != text:
        text = shorter
    return text


def _says_something(text: str) -> bool:
    items = line_of(text).items
    return any(item.is_number or item.is_duration or (item.name.isupper() and item.name != "FILL") for item in items)
