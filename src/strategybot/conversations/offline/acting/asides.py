"""One clear order among words that are none: remarks, complaints, plain questions. What is doubtful stays as it was."""

import re
from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from strategybot.conversations.offline import replies
from strategybot.conversations.offline.acting.token_plans import token_risk
from strategybot.conversations.offline.beside.complaints import FIELDS, Complaint, complaint_in, new_value, pointed
from strategybot.conversations.offline.beside.hearsay import own_order, told_value
from strategybot.conversations.offline.beside.questions import asks_for_risk, explanation, is_plain_question
from strategybot.conversations.offline.beside.remark_words import PAST, PAST_TIME
from strategybot.conversations.offline.beside.remarks import is_heading, is_remark
from strategybot.conversations.offline.beside.speech import (
    halves_of,
    has_amount,
    is_clear_order,
    sentences_of,
    unlinked,
)
from strategybot.conversations.offline.history import Call, Outcome
from strategybot.conversations.offline.steps import Plan, Say, saying
from strategybot.conversations.offline.strategy.claims import holds
from strategybot.conversations.offline.strategy.strategy_reading import read_strategy
from strategybot.conversations.offline.words.hearing import line_of
from strategybot.conversations.offline.words.plain_words import PERSONS

_PART = "STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX"
_MOVES = "DROP|RISE|VOLUME|LOSS|PROFIT|CROSS|BREAK|ABOVE|BELOW"
_MADE_ANOTHER = (  # "i never liked the trail. change it to a stop of 6%": it may go, or stay
    rf"(?:make|change|turn|SWITCH) (?:it|that)(?: (?:to|into|a|an|with))* (?:[%#~] )?(?:{_PART})"
)
_POINTS_BACK = re.compile(r"\b(?:it|that|this|one|them|they|so)\b")
_UNWANTED = re.compile(
    r"(?:as |because |since )?i (?:don'?t|do not|no longer) (?:want|need|like|use) (?:one|it|them|that)"
    r"(?: (?:any ?more|any longer|at all|now))?[.! ]*",
    re.IGNORECASE,
)
_CALM = re.compile(
    r"(?:because |as |since )?i(?:'?m| am) (?:in no (?:hurry|rush)|not in a (?:hurry|rush)|patient|impatient|nervous|"
    r"scared|cautious|careful|risk averse|tired|greedy|new (?:here|to this)|a beginner|"
    r"(?:fed up with|tired of|sick of|done with|annoyed (?:by|with)|over) (?:it|them|that))[.! ]*",
    re.IGNORECASE,
)
_ITS_FAULT = re.compile(  # "…, it never gets hit", "…, it keeps kicking me out"
    r"(?:because |since |as |cause )?it(?= (?:keeps|kept|never|rarely|hardly|always|constantly|is never|is always|"
    r"sucks|annoys|kills|hurts|scares|bothers)\b)\s+",
    re.IGNORECASE,
)
_SPEAKER = re.compile(  # what of oneself or the market may follow an order
    r"(?:(?:i|we) (?:lost|got|blew|have \d)|my (?:hands|nerves|account|heart|bags?)|the market|this (?:coin|token)|"
    r"crypto|btc|bitcoin|it (?:dropped|fell|crashed|dumped|pumped|tanked))\b",
    re.IGNORECASE,
)
_NOUN = re.compile(
    r"(?:an?|the|some|no|\W*\d|stop|sl|tp|take|target|trail\w*|cool ?down|size|position)\b", re.IGNORECASE
)
_TAKEN_BACK = re.compile(
    r"[.!,;]\s*(?:(?:but|oh|no|wait|sorry|hm+|actually),? )*(?:i|we)(?:'ve| have)?(?: just)? "
    r"changed (?:my|our) minds?[.! ]*$",
    re.IGNORECASE,
)
_DEPENDS = re.compile(  # on the answer to a question
    r"(?:and |so )?(?:then|in that case|so|otherwise|if (?:so|yes|yeah|not|no|it'?s|it is|that))\b", re.IGNORECASE
)
_DOING = re.compile(  # "so i stop at 2%" tells what somebody does
    r"(?:i|we|you|he|she|they|it)\s+(?:(?:just|always|now|only|then|usually|already) )*(?:stop|set|use|buy|sell|hold|"
    r"trade|take|put|run|go|keep|wait|close|exit|enter|cut|risk|have|had|am|was|did|got|make|add|remove)s?\b",
    re.IGNORECASE,
)
_BEARING = re.compile(r"(?:always|never|only|with|just|at|\$)\b", re.IGNORECASE)
_ADMIRED = re.compile(r"\b(?:is|are|'s|'re) (?:\w+ )?(?:rich|careful|smart|successful|great|good|brave|strict|pros?)\b")
_FORMER = re.compile(
    r"\b(?:old|former|earlier|previous|original|yesterday's) (?:\w+ )?(?:settings?|values?|numbers|setup|config)\b|"
    r"^(?:last (?:year|month|week)|back then|in \d{4}|.{1,20} ago),? (?:i|we) (?:was|were|had|did)\b"
)
_MONEY = re.compile(r"\$|\b(?:dollars?|usd|bucks|euros?|usdt)\b")
_THAT = re.compile(r"\b(?:that|those|them|then)\b", re.IGNORECASE)
_EXPECTED = re.compile(r"(?:it )?(?:should|must|ought to) be\b", re.IGNORECASE)  # "what's the stop? should be 5%"
_COMPARED = re.compile(  # "how big is the stop? set the target twice as big"
    r"\b(?:as|that) (?:big|high|low|wide|long|much|large|far)\b|\bthan (?:it|that)\b|\bsame\b", re.IGNORECASE
)
_ALSO = re.compile(
    r"^[^,;.%\d]*\b(?:too|also|as well|either|neither)\b(?=\s*(?:[,;.]|$))", re.IGNORECASE
)  # "the target too"
_REASON = re.compile(r"^(?:because|since(?! (?:i|we)\b)|cause|cuz|as)\s+", re.IGNORECASE)  # "since i bought" says when


@dataclass
class Heard:
    """What a message comes to: its order, and what was said beside it."""

    order: str = ""
    complaints: list[Complaint] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)  # parts of the strategy that a remark or a question named
    moved: bool = False  # a remark told how far something moved, and not when
    lost: bool = False  # a remark told of a loss
    others: bool = False  # a remark told of somebody else's doings, or of another time
    counted: str = ""  # what remarks told with an amount
    dropped: int = 0


def order_among_asides(text: str, plan_of: Callable[[str], Plan]) -> Plan | None:
    """The plan for the order in the message, where everything else in it is known to be no order."""
    if _TAKEN_BACK.search(text):
        return saying(replies.CANCELLED)
    heard = order_in(text)
    if heard is not None:
        return _told(heard, plan_of) if heard.order else saying(replies.REPORTED)
    return saying(replies.REPORTED) if _tells_amounts(text) else None


@lru_cache(maxsize=64)  # a turn reads the same message at each of its steps
def order_in(text: str) -> Heard | None:
    if is_clear_order(text) and not any(_has_aside(sentence) for sentence in sentences_of(text)):
        return None
    return _among_remarks(text) or _about_hearsay(text)


def _has_aside(sentence: str) -> bool:
    """Whether it is a remark or a complaint, or begins with one; an order read together with it may be misread."""
    parts = [sentence, *(ahead for ahead, _, _ in halves_of(sentence))]
    return is_remark(sentence) or _told_amounts(sentence) or any(complaint_in(part) is not None for part in parts)


def _tells_amounts(text: str) -> bool:
    """ "I'm down 8%. sell": an amount that was only told may not become part of an order."""
    return is_clear_order(text) and any(_told_amounts(sentence) for sentence in sentences_of(text))


def _told_amounts(sentence: str) -> bool:
    """ "my account is down 40%, buy the dip": also where only its beginning tells."""
    parts = [sentence, *(ahead for ahead, _, _ in halves_of(sentence))]
    return any(has_amount(line_of(part)) and is_remark(part) for part in parts)


def _about_hearsay(text: str) -> Heard | None:
    """ "…, so set that": the value was told in the clause before."""
    for ahead, _, behind in [*reversed([*halves_of(text)]), *_last_parted(text)]:
        for clause in [ahead, *(rest for told, _, rest in halves_of(ahead) if is_remark(told))]:
            told = told_value(clause)
            order = own_order(unlinked(behind), told) if told else None
            if order is not None and is_clear_order(order):
                return Heard(order)
    return None


def _last_parted(text: str) -> list[tuple[str, str, str]]:
    """The sentence before the last, and the last."""
    sentences = sentences_of(text)
    return [(sentences[0], ".", sentences[1])] if len(sentences) == 2 else []


def _among_remarks(text: str) -> Heard | None:
    heard = Heard()
    orders: list[str] = []
    for sentence in sentences_of(text):
        if heard.questions and _DEPENDS.match(sentence):
            return None
        rest = _order_of(sentence, heard, bool(orders))
        orders += [rest.rstrip(" .")] if rest else []
    if not (orders and heard.dropped) or any(_DOING.match(order) for order in orders):
        return None
    if heard.questions and any(_EXPECTED.match(order) or _COMPARED.search(order) for order in orders):
        return None
    if heard.complaints and any(_ALSO.search(order) for order in orders):
        return None
    if heard.others and any(_NOUN.match(order) or _BEARING.match(order) for order in orders):
        return Heard()
    if heard.counted and line_of(". ".join(orders)).has("TEST|SIMULATION") and _of_run(heard.counted, orders):
        return None
    heard.order = _pointed(". ".join(orders), heard)
    return heard if is_clear_order(heard.order) and not _contradicts(heard) else None


def _order_of(sentence: str, heard: Heard, behind_order: bool) -> str:
    """What is left of a sentence without its asides."""
    if _is_aside(sentence, heard, behind_order):
        return ""
    for ahead, joint, behind in [] if behind_order else reversed([*halves_of(sentence)]):
        goes_on = joint.startswith("and") and _NOUN.match(behind)  # "we used a slide rule and a 5% stop"
        headed = joint[:1] != ":" or is_heading(ahead) or complaint_in(ahead) is not None
        if headed and not goes_on and _is_aside(ahead, heard, behind_order=False):
            return _order_of(behind, heard, behind_order)
    for ahead, joint, behind in halves_of(sentence):
        added = joint.startswith("and") and not is_plain_question(behind)  # "… and volume has doubled"
        if not added and is_clear_order(ahead) and _is_aside(unlinked(behind), heard, behind_order=True, order=ahead):
            return ahead
    return unlinked(sentence)


def _is_aside(text: str, heard: Heard, behind_order: bool, order: str = "") -> bool:
    """Whether the words are no order, and if so what they tell is noted."""
    if is_plain_question(text):
        heard.questions.append(text)
    elif behind_order:
        if not _is_afterword(text, order):
            return False
    elif (complaint := complaint_in(text)) is not None:
        heard.complaints.append(complaint)
    elif not is_remark(text):
        return False
    line = line_of(text)
    heard.named += [item.name for item in line.items if line.has(_PART) and item.name in FIELDS]
    heard.moved = heard.moved or (has_amount(line) and line.has(_MOVES) and not PAST_TIME.search(text.lower()))
    heard.counted += f" {text.lower()}" if has_amount(line) else ""
    heard.lost = heard.lost or (has_amount(line) and line.has("LOSS|DROP"))
    heard.others = heard.others or (not behind_order and _is_of_others(text))
    heard.dropped += 1
    return True


def _of_run(told: str, orders: list[str]) -> bool:
    """ "i have 5000 dollars, backtest 30 days", "i was away for 2 weeks, backtest that time": it may be for the run."""
    return _MONEY.search(told) is not None or any(_THAT.search(order) for order in orders)


def _is_of_others(text: str) -> bool:
    """ "my dad was a trader, 8% stop, 20% target" may tell what he did: only a verb makes an order of it."""
    plain = text.lower().replace("’", "'")
    persons = {*re.findall(r"[a-z]+", plain)} & PERSONS
    return bool(persons and (PAST.search(plain) or _ADMIRED.search(plain))) or _FORMER.search(plain) is not None


def _is_afterword(text: str, order: str) -> bool:
    """Behind an order far less is harmless: "i was joking" takes it back, "my friend does" quotes it."""
    if _CALM.fullmatch(text):
        return True
    if _UNWANTED.fullmatch(text):
        return bool(order) and bool(read_strategy(line_of(order))[0].removed)
    if _ITS_FAULT.match(text) and complaint_in(_ITS_FAULT.sub("stop loss ", text, count=1)) is not None:
        return True
    told = _REASON.sub("", text, count=1)
    words = {*re.findall(r"[a-z']+", told.lower())}
    if words & PERSONS or told.lower().startswith(("i was", "we were", "i did", "we did")):
        return False
    reason = told != text or (_SPEAKER.match(told) is not None and not _POINTS_BACK.search(told.lower()))
    return reason and is_remark(told)


def _pointed(order: str, heard: Heard) -> str:
    """The order with what its "it" stands for, where one thing was named."""
    faults = [complaint for complaint in heard.complaints if not complaint.praises]
    if len(faults) == 1 and (new_value(order) or not is_clear_order(order)):  # "go down to 25%" is no drop
        return pointed(order, faults[0])
    if is_clear_order(order):
        return order
    named = {*heard.named}
    return pointed(order, Complaint(named.pop(), None)) if len(named) == 1 and not faults else order


def _contradicts(heard: Heard) -> bool:
    """ "the stop is fine, set it to 5": what is praised stays. "It fell 5%, buy with 20%" may be a rule."""
    line = line_of(heard.order)
    reading, _ = read_strategy(line)
    if heard.lost and "take_profit_percent" in reading.changes and not line.has("TARGET|PROFIT|RISE|ABOVE"):
        return True  # "i lost 8%, so sell at 8%"
    if any(complaint.part for complaint in heard.complaints) and line.has(_MADE_ANOTHER):
        return True
    if heard.moved and line.has("BUY|SELL") and not (reading.entry or reading.exit or reading.level):
        return True
    praised = {FIELDS.get(complaint.part or "") for complaint in heard.complaints if complaint.praises}
    return bool(praised & {*reading.changes, *reading.removed, *(each["kind"] for each in reading.entry)})


def _told(heard: Heard, plan_of: Callable[[str], Plan]) -> Plan:
    done = yield from _holding(plan_of(heard.order), heard.complaints)
    answers = []
    for question in heard.questions:
        if asks_for_risk(question):
            answers.append((yield from token_risk(line_of(question))).text)
        else:
            answers.append(explanation(question))
    told = " ".join(answer for answer in answers if answer)
    return replace(done, text=f"{told}\n\n{done.text}") if told else done


def _holding(plan: Plan, complaints: list[Complaint]) -> Generator[Call, Outcome, Say]:
    """The plan, unless the strategy that it reads first holds another value than the one found fault with."""
    try:
        step = next(plan)
        while True:
            outcome = yield step
            strategy = outcome.facts.get("strategy") or {}
            for complaint in complaints if step.name == "get_current_strategy" else []:
                about = FIELDS.get(complaint.part or "")
                if complaint.claim is not None and not holds(strategy, complaint.claim, about):
                    said = complaint.amount.text if complaint.amount else ""
                    return Say(f"You wrote {said}, which it does not hold now. Which one do you mean?")
            step = plan.send(outcome)
    except StopIteration as end:
        done: Say = end.value
        return done
