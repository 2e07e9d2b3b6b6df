"""Sentences that order nothing: who speaks, how the market is, what has happened.

A remark is known by its shape: a speaker, something of his or the market, and a verb that tells. Whatever supposes,
quotes, refuses, waits or wishes is none, nor is anything that this module has no shape for.
"""

import re

from strategybot.conversations.offline.hearing import line_of
from strategybot.conversations.offline.speech import has_amount

_LEADING = re.compile(
    r"^(?:(?:so|well|ok|okay|and|but|oh|ah|hm+|look|listen|honestly|basically|actually|tbh|btw|by the way|you know|"
    r"because|since|cause|cuz|as you know|fyi|also)\b[,:]?\s*)+"
)
# Each of these makes a sentence suppose, wait, quote, refuse, wish or speak of another bot.
_DOUBT = re.compile(
    r"""["“”«»?]|\b(?:if|when|whenever|unless|until|till|once|while|provided|only|except|maybe|perhaps|might|may|could|
    would|should|must|shall|can|suppos\w*|imagin\w*|pretend\w*|assum\w*|hypothe\w*|jok\w+|kidding|example|instance|note|
    remind\w*|wonder\w*|consider\w*|tempted|tomorrow|later|soon|next|eventually|someday|told|says?|said|saying|tells?|
    heard|hear|wrote|writt?\w*|quot\w+|suggest\w*|recommend\w*|advis\w+|accord\w+|claim\w*|ask\w*|wait|nvm|nevermind|
    forget|cancel|undo|scratch|instead|rather|bluff\w*|troll\w*|lying|liar|pulling|drunk|dream\w*|other|another|else|both|bots?|alert|case|sure|unsure|guess|think\w*|
    thought|believe\w*|hop(?:e|es|ing)|wish\w*|plan\w*|intend\w*|going|gonna|will|ll|want\w*|need\w*|prefer\w*|test\w*|
    this|these|those|that|changed|mind|sarcas\w+|poem|song|story|following|not|never|no|don'?t|doesn'?t|didn'?t|
    isn'?t|wasn'?t|aren'?t|won'?t|can'?t|cannot|nothing|nobody|none|without)\b""",
    re.VERBOSE,
)
_HARMLESS = re.compile(  # what would be doubtful elsewhere
    r"\b(?:told (?:me|us) about|heard (?:about|of)|all this|(?:in )?no (?:hurry|rush)|not in a (?:hurry|rush)|"
    r"not (?:a native|an expert|a pro|very experienced|great|good at)|this (?:morning|week|month|year|afternoon|"
    r"coin|token|thing|market|one)|these days|going (?:crazy|wild|nuts|up|down)|no (?:clue|idea about|experience))\b"
)
_ORDERING = re.compile(  # "i am from Hamburg and set the stop to 5" holds an order
    r"(?:[,;:]\s|\b(?:and|so|then|please|pls|just)\s)(?:please |just |also |now |then |lets |let's )*"
    r"(?:set|make|change|put|use|add|remove|raise|lower|increase|decrease|buy|sell|start|run|backtest|simulate|give|"
    r"move|keep|leave|delete|kill|tighten|widen|sl|tp|stop|target|trail\w*|cooldown)\b"
)
_FRAGMENT = re.compile(  # what is said without a verb
    r"(?:first|second) time (?:here|user|trader)|(?:(?:a |an )?(?:newbie|noob|beginner|new|complete beginner)) here|"
    r"(?:(?:i'?m )?(?:so |very )?sorry|excuse me|apologies) (?:for|about) my (?:bad |poor |broken )?(?:english|writing|"
    r"typos|spelling|grammar|language)|(?:excuse|pardon|forgive) my (?:bad |poor |broken )?(?:english|french|typos|"
    r"spelling|grammar)|(?:long ?time|happy) (?:user|lurker|customer|trader)(?: here)?|(?:a )?quick (?:one|request)|"
    r"(?:dear|hello|hi|hey) (?:team|friends?|sirs?|madam|sir or madam|all|everyone|folks|support|bot|robot|assistant|"
    r"mate|people|ladies and gentlemen)|greetings(?: from [a-z ]+)?|(?:kind|best|warm) regards(?: from [a-z ]+)?|"
    r"lol|haha+|ugh+|omg|wow|ouch|damn|man|jeez|phew|yikes|argh+|what a (?:day|week|mess|ride|dump|month)|"
    r"(?:no|not in a) (?:rush|hurry)|all good|great work|nice (?:app|tool|bot|work)|love (?:it|this app|the app)"
)
_CONSIDERED = re.compile(  # "after thinking about it all weekend"
    r"(?:after|upon|on|following) (?:(?:careful|some|much|long|further|due|a lot of|lots of) )*"
    r"(?:consideration|thought|reflection|deliberation|thinking|reading|sleeping|reflecting|talking|discussing|"
    r"pondering|studying)\b[^,.;:%]*"
)
_WHEN = re.compile(  # "on 12 March", "in the last backtest", "last week"
    r"^(?:(?:on|in|at|during|over|since) (?:the |my |our )?(?:last |past )?(?:\d{1,2}(?:st|nd|rd|th)? )?"
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|"
    r"wednesday|thursday|friday|saturday|sunday|backtest|test|run|week|month|year|weekend|days?|hours?|"
    r"night)(?: \d{1,2}(?:st|nd|rd|th)?| \d{4})?|last (?:week|month|year|night|time)|yesterday|today|this morning|"
    r"recently|lately),?\s+"
)
_ADVERB = r"(?:(?:just|also|already|always|really|still|often|recently|again|now|currently|actually|simply|ever)\s+)*"
_BUSY = (  # what the speaker is about to do, or would bear, is no remark
    r"(?:using|setting|changing|putting|buying|selling|trading|looking|running|trying|about|at|on|with|in(?! no)|ok|"
    r"okay|fine|happy|willing|ready|prepared|comfortable|interested|for|after|against|adding|removing|moving|holding)\b"
)
_BEING = rf"(?:i'?m|i am|we'?re|we are)\s+{_ADVERB}(?!{_BUSY})"
_DONE = (
    r"(?:lost|made|got|missed|bought|sold|slept|watched|started|joined|learn(?:ed|t)|traded|panicked|woke|spent|"
    r"earned|blew|burn(?:ed|t)|went|came|lived|retired|worked|read about|was|were|had|entered|exited|held|saw|hated|"
    r"gained|won|dropped|bled|paid|followed|enjoyed|grew|moved to|quit|waited|looked at|checked)"
)
_TOLD_OF_ONESELF = rf"(?:i|we)\s+{_ADVERB}{_DONE}\b"
_BEEN = rf"(?:i'?ve|i have|we'?ve|we have)\s+{_ADVERB}(?:been|had|lost|made|got|missed|learned|traded|watched|seen)\b"
_OWNING = r"(?:i|we) (?:have|got)(?! to\b| set\b| put\b)"
_LIVING = (
    rf"(?:i|we)\s+{_ADVERB}(?:live|work|come|hate|love|feel|panic|sleep|lose|trust|"
    r"get (?:nervous|scared|stopped|wicked|rekt|burned|shaken|bored)|keep \w+ing|come from|know|enjoy|check)\b"
)
_MINE = r"(?:my|our) (?:[a-z']+ ){1,3}?"
_MINE_IS = rf"{_MINE}(?:is|are|has|have|keeps?|gets?|looks?|feels?|shakes?|hurts?|sucks?|loves?|hates?)\b"
_COIN = (
    r"(?:it|(?:the |this |my )?(?:price|market|volume|coin|token|chart|crypto|candle|bag|pump|dump|dip)|things|"
    r"ticker|btc|eth|sol|bitcoin|ethereum|solana|doge)"
)
_TICKER = re.compile(r"\$[A-Za-z]+|\b[A-Z][A-Z0-9]{1,7}\b")
_HAPPENED = (
    r"(?:dropped|fell|went|was|were|pumped|dumped|moved|made|did|lost|gained|rose|crashed|tanked|mooned|nuked|hit|"
    r"jumped|spiked|bounced|plunged|sank|climbed|surged|rallied|slid|swung|doubled|halved|has been|have been|'?s been|"
    r"had|closed|opened|bled|broke|ran|stood|traded|started|kept)"
)
_HAPPENS = r"(?:is|are|'s|moves?|swings?|goes|looks?|feels?|seems?|keeps?|jumps?|bleeds?|pumps?|dumps?|trades)"
_LATELY = (
    r"\b(?:now|today|a day|per day|daily|each day|every day|currently|at the moment|right now|this (?:morning|week|"
    r"afternoon|month)|lately|these days|an hour ago|yesterday|a week|per hour|an hour)\b"
)
_IDLE = (  # with "it is" it may be the order that is meant
    r"(?:it'?s|it is) (?!(?:been|too|so|super|very|crazy|wild|volatile|pumping|dumping|falling|rising|raining|late|"
    r"hot)\b)"
)
_OLD_NEWS = re.compile(
    rf"^(?:{_TOLD_OF_ONESELF}|{_BEEN}|{_MINE}(?:was|were|got|lost|had|{_HAPPENED})\b|{_COIN}\s+{_ADVERB}{_HAPPENED}\b)"
)
_STATE = re.compile(
    rf"^(?!{_IDLE})(?:{_BEING}|{_OWNING}|{_LIVING}|{_MINE_IS}|{_COIN}(?:\s+|(?=')){_ADVERB}{_HAPPENS}\b)"
)
_OF_ONESELF = re.compile(rf"^(?:{_BEING}\d{{1,2}}(?: years old| y/?o)?$|{_OWNING} \d+ [a-z]+(?: and \d+ [a-z]+)*$)")
_MARKET_NOW = re.compile(rf"^{_COIN}(?:\s+|(?=')){_ADVERB}{_HAPPENS}\b.*{_LATELY}")
_STRATEGIC = "BUY|SELL|TEST|SIMULATION|END|START|STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX|WINDOW|REMOVE|ADD|RAISE|REDUCE"
_CHANGING = re.compile(  # a verb of changing, ordered or told: either way more than a remark
    r"\b(?:set|put|changed?|moved? the|removed?|raised?|lower(?:ed)?|add(?:ed)?|switch(?:ed)?|uses?|using|typed|meant|"
    r"mistake|make|increase|decrease|buy|sell|leave|delete|kill|tighten|widen|give|run|please|pls)\b"
)
_STATED = (  # "… and a 5% stop": a part with its value, which nobody tells for nothing
    r"(?:[%#~×½$] (?:\S+ )?(?:STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX)|(?:STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX) "
    r"(?:(?:at|of|to|is|was|:) )*[%#~×½$])"
)
_COUNTED = re.compile(r"\d+ [a-z]+")  # "… and 1 mortgage"


def is_remark(text: str) -> bool:
    """Whether every clause of the words only tells something."""
    named = text if text.isupper() else _TICKER.sub("ticker", text)
    plain = named.lower().replace("’", "'").strip(" .,!;:-()")
    if _ORDERING.search(plain):
        return False
    clauses = [clause for clause in re.split(r",\s+|\s+but\s+|\s+so\s+|:\s+", plain) if clause]
    return all(_tells(clause) for clause in clauses)


def is_heading(text: str) -> bool:
    """Whether an order may follow behind a colon: "after thinking about it all weekend: …"; "i found: …" quotes."""
    plain = text.lower().replace("’", "'").strip(" .,!;:-()")
    said = (_LEADING.sub("", clause).strip() for clause in re.split(r",\s+", plain))
    return all(not each or _FRAGMENT.fullmatch(each) or _CONSIDERED.fullmatch(each) for each in said)


def _tells(clause: str) -> bool:
    said = _LEADING.sub("", clause).strip()
    if not said or _FRAGMENT.fullmatch(said) or _CONSIDERED.fullmatch(said):
        return True
    said = _WHEN.sub("", said)
    line = line_of(said)
    if _DOUBT.search(_HARMLESS.sub("so", said)) or _CHANGING.search(said) or line.has(_STATED):
        return False
    if any(not _goes_on(rest) for rest in re.split(r"\s+and\s+", said)[1:]):
        return False
    told = _OLD_NEWS.search(said) is not None
    if has_amount(line) or any(letter.isdigit() for letter in said):
        return told or any(shape.search(said) for shape in (_OF_ONESELF, _MARKET_NOW))
    return told or (_STATE.search(said) is not None and not line.has(_STRATEGIC))


def _goes_on(rest: str) -> bool:
    """What stands behind an "and" may hold no amount, unless it tells by itself or only counts."""
    line = line_of(rest)
    harmless = not has_amount(line) and not line.has(_STRATEGIC)
    return harmless or (_COUNTED.fullmatch(rest) is not None and not line.has(_STRATEGIC)) or _tells(rest)
