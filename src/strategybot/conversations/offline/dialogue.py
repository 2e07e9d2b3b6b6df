"""Choose the plan for a message: an answer to an open question, an order, or a question of the user."""

import re
from collections.abc import Sequence
from dataclasses import replace

from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline.checks import RUNS, Reading, check_reading
from strategybot.conversations.offline.fold import CHANGING
from strategybot.conversations.offline.history import Plan, Say, Turn, asking
from strategybot.conversations.offline.lexicon import SENTENCES
from strategybot.conversations.offline.plans import Plans, apply_pending
from strategybot.conversations.offline.questions import NeedsClarification, question
from strategybot.conversations.offline.runs import ARGUMENTS, Run, do_runs, find_token, runs_of
from strategybot.conversations.offline.spelling import Spelled, correct_spelling
from strategybot.conversations.offline.text import tokens_of
from strategybot.kit.json_object import Json

LONGEST_ORDER = 3  # words of an answer that would be an order by itself, such as “buy” or “30 days”
SMALL = frozenset({"join_all", "hello", "thanks", "keep_rest", "anew", "add"})
LONGEST, MOST_TOKENS = 600, 160  # of a message: characters and tokens
AGREEMENTS = ("yes", "yeah", "yep", "ok ", "ok,", "sure", "do it")
STOPS = ("stop", "stop now", "stop please", "please stop")
OPENING = re.compile(
    r"^(?:try|use|make it|make that|do|now|(?:and |ok )?now|and|(?:and )?what about|how about|longer:?|shorter:?),? ",
    re.IGNORECASE,
)
OFFER = re.compile(r"(?:Shall|Should) I [^?“”]*\? Say [“]([^”]+)”")
TEMPLATE = re.compile(r"^(?:(?:use|try|make|build|give me|i want) )?(?:an? |the )?|\b(?:strategy|template|bot)\b")
ALERT = re.compile(r"(?:please )?(?:alert|notify|tell|ping|warn) me (?:when|if|once|as soon as) ", re.IGNORECASE)
AGAIN = {  # by the topic, what repeats it: “on 5m” after a backtest, “and KOI?” after a price
    "run_backtest": "backtest", "start_simulation": "simulate", "get_token_risk": "risk of", "get_token": "price of",
}  # fmt: skip
ORDER = [name for name in vars(Plans) if not name.startswith("_")]


def plan_for(turn: Turn) -> Plan:
    """Correct the message, and say first which words were read as others. A word may also be the name of a token."""
    text = turn.text.strip()
    if len(text) > LONGEST or len(tokens_of(text)) > MOST_TOKENS:
        return Say(SENTENCES["too_long"])
    message = Spelled(text) if _answered(turn, _read(turn, text)) else correct_spelling(text, turn.grammar)
    try:
        for name in message.names:
            yield from find_token(name)
    except NeedsClarification:
        message = correct_spelling(text, turn.grammar, is_token=False)
    said = yield from _plan(turn, message)
    memory = {**said.memory, "others": dict(message.others)}
    if offer := OFFER.search(said.text):  # “Shall I run one? Say “backtest it”” is said by a yes too
        memory = {"pending": {"kind": "again", "text": offer[1]}, **memory}
    return Say(said.text if said.text.startswith(message.note) else f"{message.note}. {said.text}", memory)


def _read(turn: Turn, words: str) -> Reading:
    tokens = tokens_of(words)
    return check_reading(words, tokens, turn.grammar.read(tokens))


def _plan(turn: Turn, message: Spelled) -> Plan:
    reading = _in_context(turn, message.text)
    answer = _answered(turn, reading) or reading
    if isinstance(answer, Reading):
        reading = replace(answer, doubt=_doubt(message, answer))
        answer = _fresh(turn, reading)
    try:
        said = yield from answer
    except NeedsClarification as asked:
        said = asking(asked, f"{reading.doubt} " if reading.doubt and reading.changes else "")
    if "pending" in said.memory:  # what the answer to the question completes
        return Say(said.text, {**said.memory, "pending": {"text": reading.text, **said.memory["pending"]}})
    return said


def _doubt(message: Spelled, reading: Reading) -> str:
    quoted = ", ".join(f"“{plain_name(token.written)}”" for token in reading.unread[:4])
    doubts = ("" if message.is_sure else message.note, f"I did not understand {quoted}" if quoted else "")
    return " ".join(f"{doubt}, so I have changed nothing yet." for doubt in doubts if doubt)


def _in_context(turn: Turn, text: str) -> Reading:
    """Return the reading of a message, or of the order that it stands for: a template, an alert, or another run."""
    template = TEMPLATE.sub("", text.lower()).strip(" .!")
    reading = _read(turn, SENTENCES.get(f"template {template}", text))
    topic, last = turn.memory.get("topic", ""), turn.memory.get("last")
    if topic == "start_simulation" and text.lower().strip(" .!") in STOPS:
        return _read(turn, "stop the simulation")
    if ALERT.match(text):  # “alert me when RSI is below 30” is a rule to buy, and a watch of it
        again = _read(turn, f"buy when {ALERT.sub('', text).rstrip(' .!')}. watch it")
        return again if {"condition", "watch"} <= again.names else reading
    names = reading.names - SMALL
    is_open = not reading.acts or (names <= {"make_it", "bare", "fix"} and not last)  # “try 15m”
    if topic in AGAIN and is_open and not names & {"risk", "price", "search"}:
        again = _read(turn, f"{AGAIN[topic]} {OPENING.sub('', text).rstrip(' ?')}")
        said = again.names - SMALL - {"test", "simulate"}
        return again if said and said <= ARGUMENTS | {"risk", "price"} and not again.unread else reading
    return reading


def _fresh(turn: Turn, reading: Reading) -> Plan:
    """Do what is said, or ask: about orders that do not go together, unread words, or a correction."""
    names, doubt = reading.names, reading.doubt
    if refused := _refusal(reading) or _conflict(reading):
        return Say(refused)
    runs, is_rule = runs_of(reading.matches, turn), bool(names & {"buy", "sell", "add", "restate"})
    if runs and reading.changes and not is_rule and names & CHANGING <= {"size", "condition", "hours", "fix", "bare"}:
        doubt = doubt or "That would be a change of the strategy."
    is_shown_first = "mention" in names or (reading.changes and not names & {"stop_sim", "clear"})
    if not doubt or is_shown_first or not reading.acts:
        return (yield from _do(turn, replace(reading, doubt=doubt), runs))
    rest, what = reading.text, "the rest" if reading.unread else "that"
    for token in reversed(reading.unread):
        rest = rest[: token.start] + rest[token.end :]
    return Say(f"{doubt} Shall I do {what}? (yes/no)", {"pending": {"kind": "again", "text": rest}})


def _refusal(reading: Reading) -> str:
    """Return what to say to a wish that cannot be granted, such as a trade with real money, otherwise an empty text."""
    names, token = reading.names, reading.said("tok")
    if beyond := reading.said("about"):
        what, nearest, words = beyond
        return f"I cannot {what}, so I have changed nothing. {nearest}. Shall I do that? Say “{words}”."
    if names == {"token"} and token and not reading.unread and not reading.is_question:
        raise question("backtest_on", token=token.written)
    is_trade = names <= {"buy", "sell", "token", "size", "cash"} and (token or "sell" in names)  # “buy SOL”, “sell it”
    return SENTENCES["no_real_trades"] if "real" in names or (is_trade and not reading.unread) else ""


def _conflict(reading: Reading) -> str:
    """Return the question to ask if the orders of a message do not go together, otherwise an empty text."""
    names = reading.names
    if "result" in names and names & RUNS and " to " in reading.text:  # “is it good to simulate?”
        return SENTENCES["no_run"]
    if {"stop_sim", "condition"} <= names:
        return SENTENCES["stop_at_once"]
    first = f"switch to {reading.said('name')}" if "switch" in names else "undo"
    is_second = names & {"switch", "undo"} and names & {"keep", *CHANGING, *RUNS}
    return f"Shall I {first} first? Say “{first}”." if is_second else ""


def _do(turn: Turn, reading: Reading, runs: list[Run]) -> Plan:
    """Do the first thing of `ORDER` that the message says, and stop the simulation before it if it says that too."""
    names = reading.names
    is_question = reading.is_question and bool(names - SENTENCES.keys() - {"token"})
    more = {"change": reading.changes, "run": runs, "show": is_question or "show_part" in names}
    said = [name for name in ORDER if name in names or more.get(name)]
    if not said:
        lost = "other_rule" if names & {"buy", "sell"} else "lost"
        return Say(SENTENCES[next((name for name in SENTENCES if name in names), lost)])
    text, step = "", Say("")
    for name in said[: 1 + ("stop_sim" in names)]:
        step = yield from getattr(Plans(turn, reading, runs), name)()
        text += f"{step.text}\n\n"
    return Say(text.strip(), step.memory)


def _answered(turn: Turn, reading: Reading) -> Plan | Reading | None:
    """Return the plan or the completed order if the message answers the open question, otherwise None."""
    pending, said, names = turn.memory.get("pending") or {}, reading.text.lower(), reading.names - SMALL
    for word, text in turn.memory.get("others", {}).items():
        if word in said.split():
            return _read(turn, text)
    kind, is_yes = pending.get("kind"), names == {"yes"} and not reading.unread
    if kind == "apply" and (
        is_yes or (reading.acts and not reading.changes and said.startswith(AGREEMENTS))
    ):  # “yes and backtest it”
        return apply_pending(turn, pending)
    if kind == "run" and is_yes:
        return do_runs(turn, [Run(**pending["run"])])
    is_order = reading.acts and len(said.split()) > LONGEST_ORDER and kind in ("choose", "fill")
    if "?" in said or is_order or names == {"no"}:
        return None
    if kind == "token":
        named = _read(turn, f"on {reading.text}")
        is_name = named.names - SMALL == {"token"} and not named.unread
        return do_runs(turn, [Run(**{**pending["run"], "tokens": [named.said("tok").written]})]) if is_name else None
    again = [_read(turn, order) for order in _completed(reading, pending, is_yes)]
    return again[0] if len(again) == 1 and again[0].names and not again[0].unread else None


def _completed(reading: Reading, pending: Json, is_yes: bool) -> Sequence[str]:
    """Return the orders that the answer may complete: those of the options it names, a rule, or the only one."""
    kind, answer = pending.get("kind"), reading.text.strip(" .?!“”\"'")
    if kind == "again" and is_yes:
        return [pending["text"]]
    orders = [pending["order"]] if kind == "fill" else []
    if kind == "choose":
        said = set(re.findall(r"\w+", answer.lower()))
        orders = list({order for words, order in pending["options"].items() if said & set(words.split())})
    elif kind == "entry" and "condition" in reading.names:
        orders = ["{answer}, {text}" if reading.names & {"buy", "restate"} else "buy when {answer}, {text}"]
    elif kind == "name":  # “Night Owl” names no hours, and “later” no bot
        is_name = answer[:1].isupper() and (reading.unread or reading.names <= {"token"})
        orders = ["{text} {answer}"] if is_name or reading.bot_name else []
    return [_fill(pending, order, answer) for order in orders]


def _fill(pending: Json, order: str, answer: str) -> str:
    """Return the completed order. With `old` it takes the place of these words, with `seconds` that of such times."""
    text, unit = str(pending["text"]), pending.get("unit", "")
    said = next((token for token in tokens_of(answer) if token.has_number), None)
    number = f"{said.value:g} {unit}" if said and said.kind == "number" else said.written if said else answer
    completed = order.format(answer=answer, text=text.rstrip(" .?!"), number=number, old="{old}")
    times = [each.written for each in tokens_of(text) if each.value in pending.get("seconds", ())]
    if old := sorted([*pending.get("old", ()), *times], key=len, reverse=True):
        found = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, old))})(?!\w)", re.IGNORECASE)
        most = 0 if times or "everywhere" in pending else 1
        return found.sub(lambda each: completed.replace("{old}", each[0]), text, count=most)
    return completed
