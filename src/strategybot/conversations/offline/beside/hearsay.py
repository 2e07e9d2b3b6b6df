"""A value that somebody else has or likes, beside the speaker's own word on it.

"My wife says I may only use 20% of the cash, so set that" takes it over, "he uses a 10% stop but I want 7" does not.
What is only told, without such a word, orders nothing.
"""

import re

from strategybot.conversations.offline.beside.complaints import PARTS, Complaint, new_value
from strategybot.conversations.offline.words.hearing import line_of
from strategybot.conversations.offline.words.lines import Item
from strategybot.conversations.offline.words.plain_words import words_of

_SOMEBODY = (
    r"(?:i|we|(?:my|the|a|an|this|that|our|some|his|her) (?:[a-z']+ ){0,2}?[a-z']+|he|she|they|people|everyone|"
    r"everybody|most people|someone|somebody)"
)
_LIKES = (
    r"(?:always |usually |also |just |only |once |now |really |kind of )*(?:uses?|used|has|have|had|runs?|says?|said|"
    r"tells? (?:me|us)|told (?:me|us)|recommends?|recommended|suggests?|suggested|advises?|advised|likes?|liked|"
    r"loves?|loved|prefers?|preferred|swears by|wants?|thinks?|allows? me|lets me|read about|saw|go with|goes with|"
    r"sets?|puts?)"
)
_TOLD = re.compile(rf"(?:and )?(?:{_SOMEBODY} )?{_LIKES}\b(?P<what>.+)")
_UNCERTAIN = re.compile(
    r"[\"“”?]|\b(?:not|never|no|don'?t|doesn'?t|isn'?t|can'?t|won'?t|shouldn'?t|without|against|avoid|if|when|unless|"
    r"until|maybe|perhaps|might|could|would|between|least|most|more|less|under|over|above|below|around|about|stupid|bad|"
    r"wrong|terrible|crazy|dumb|silly|too|than|instead|other|another|bots?)\b"
)
_LIGHT = words_of(
    """
    a an the of to use be is at it its for with in my i you we me us may only should must always just that loss level
    trade per each every CHECK FILL CONDITION put set keep have take about belongs and , : position
    """
)
_TAKEN_OVER = re.compile(
    r"(?:(?:so|and|then|please|pls|just|kindly|now|lets|let's|let us|i want to|i'd like to) )*"
    r"(?:set|put|use|do|apply|take|make|have|go with|give me|set up|i want|i'd like)(?: it)? "
    r"(?:exactly )?(?:that|this|the same|it)"
    r"(?: (?:in|up|too|then|on|as well|for me|now|please|pls|so|here|value))*[.! ]*",
    re.IGNORECASE,
)
_OWN_WISH = re.compile(
    r"(?:but |so |and |me,? )*(?:i (?:want|need|prefer)|i'?d (?:like|prefer|rather have|rather use|rather)|"
    r"i would (?:like|prefer|rather have)|give me|make mine|set mine to|mine (?:should|must) be)\b",
    re.IGNORECASE,
)


def told_value(text: str) -> Complaint | None:
    """The one part and its one value that the words tell of; None where there is any doubt about it."""
    plain = text.lower().replace("’", "'").strip(" .,!;:")
    told = _TOLD.fullmatch(plain)
    if told is None or _UNCERTAIN.search(plain):
        return None
    items = line_of(told["what"].strip()).items
    amounts = [item for item in items if item.is_number or item.is_duration]
    parts = {PARTS[item.name]: item.name for item in items if item.name in PARTS}
    others = [item for item in items if item not in amounts and item.name not in PARTS and item.name not in _LIGHT]
    if len(amounts) != 1 or len(parts) != 1 or others:  # "had a 10% stop and lost everything" is no example
        return None
    return Complaint(next(iter(parts.values())), amounts[0])


def own_order(order: str, told: Complaint) -> str | None:
    """What the speaker makes of it: the same, or another value of the same part."""
    if told.part is None or told.amount is None:
        return None
    if _TAKEN_OVER.fullmatch(order.strip()):
        return f"change the {PARTS[told.part]} to {_written(told.amount)}"
    value = new_value(order) if _OWN_WISH.match(order.strip()) else None
    return f"change the {PARTS[told.part]} to {value}" if value else None


def _written(amount: Item) -> str:
    """With its unit, which its text may lack."""
    signs = {"%": "%", "×": "x"}
    value = amount.token.value if amount.token else 0
    return f"{value:g}{signs[amount.name]}" if amount.name in signs else amount.text
