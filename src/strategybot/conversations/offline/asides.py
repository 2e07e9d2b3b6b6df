"""One clear order among words that are none: remarks, complaints, plain questions. What is doubtful stays as it was."""

import re
from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace

from strategybot.conversations.offline.claims import holds
from strategybot.conversations.offline.complaints import FIELDS, Complaint, complaint_in, pointed
from strategybot.conversations.offline.hearing import line_of
from strategybot.conversations.offline.history import Call, Outcome
from strategybot.conversations.offline.questions import asks_for_risk, explanation, is_plain_question
from strategybot.conversations.offline.remarks import is_heading, is_remark
from strategybot.conversations.offline.speech import halves_of, is_clear_order, sentences_of, unlinked
from strategybot.conversations.offline.steps import Plan, Say
from strategybot.conversations.offline.strategy_reading import read_strategy
from strategybot.conversations.offline.token_plans import token_risk

_PART = "STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX"
_POINTS_BACK = re.compile(r"\b(?:it|that|this|one|them|they|so)\b")
_UNWANTED = re.compile(
    r"(?:as |because |since )?i (?:don'?t|do not|no longer) (?:want|need|like|use) (?:one|it|them|that)"
    r"(?: (?:any ?more|any longer|at all|now))?[.! ]*",
    re.IGNORECASE,
)
_CALM = re.compile(
    r"(?:because |as |since )?i(?:'?m| am) (?:in no (?:hurry|rush)|not in a (?:hurry|rush)|patient|impatient|nervous|"
    r"scared|cautious|careful|risk averse|tired|greedy|new (?:here|to this)|a beginner)[.! ]*",
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
_REASON = re.compile(r"(?:because|since|cause|cuz|as)\s+", re.IGNORECASE)


@dataclass
class Heard:
    """What a message comes to: its order, and what was said beside it."""

    order: str = ""
    complaints: list[Complaint] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)  # parts of the strategy that a remark or a question named
    dropped: int = 0


def order_among_asides(text: str, plan_of: Callable[[str], Plan]) -> Plan | None:
    """The plan for the order in the message, where everything else in it is known to be no order."""
    heard = order_in(text)
    return None if heard is None else _told(heard, plan_of)


def order_in(text: str) -> Heard | None:
    heard = Heard()
    if is_clear_order(text):
        return None
    orders: list[str] = []
    for sentence in sentences_of(text):
        if heard.questions and _DEPENDS.match(sentence):
            return None
        rest = _order_of(sentence, heard, bool(orders))
        orders += [rest.rstrip(" .")] if rest else []
    if not (orders and heard.dropped) or any(_DOING.match(order) for order in orders):
        return None
    heard.order = _pointed(". ".join(orders), heard)
    return heard if is_clear_order(heard.order) and not _contradicts(heard) else None


def _order_of(sentence: str, heard: Heard, behind_order: bool) -> str:
    """What is left of a sentence without its asides."""
    if _is_aside(sentence, heard, behind_order):
        return ""
    for ahead, joint, behind in reversed([*halves_of(sentence)]):
        if not behind_order and (joint[:1] != ":" or is_heading(ahead)) and _is_aside(ahead, heard, behind_order=False):
            return _order_of(behind, heard, behind_order)
    for ahead, _, behind in halves_of(sentence):
        if is_clear_order(ahead) and _is_aside(unlinked(behind), heard, behind_order=True, order=ahead):
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
    heard.dropped += 1
    return True


def _is_afterword(text: str, order: str) -> bool:
    """Behind an order far less is harmless: "i was joking" takes it back."""
    if _CALM.fullmatch(text):
        return True
    if _UNWANTED.fullmatch(text):
        return bool(order) and bool(read_strategy(line_of(order))[0].removed)
    told = _REASON.sub("", text, count=1)
    pointing = _POINTS_BACK.search(told.lower())
    return is_remark(told) and (told != text or not pointing) and not told.lower().startswith(("i was", "we were"))


def _pointed(order: str, heard: Heard) -> str:
    """The order with what its "it" stands for, where one thing was named."""
    if is_clear_order(order):
        return order
    faults = [complaint for complaint in heard.complaints if not complaint.praises]
    if len(faults) == 1:
        return pointed(order, faults[0])
    named = {*heard.named}
    return pointed(order, Complaint(named.pop(), None)) if len(named) == 1 and not faults else order


def _contradicts(heard: Heard) -> bool:
    """ "the stop is fine, set it to 5": what is praised stays."""
    reading, _ = read_strategy(line_of(heard.order))
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
