"""Choose the plan for a message: an answer to an open question, an order, or a question of the user."""

import re
from collections.abc import Callable
from dataclasses import replace

from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline.checks import ORDERS, RUNS, Reading, check_reading
from strategybot.conversations.offline.fold import CHANGING
from strategybot.conversations.offline.history import Plan, Say, Turn, asking
from strategybot.conversations.offline.lexicon import SENTENCES
from strategybot.conversations.offline.plans import Plans, apply_pending
from strategybot.conversations.offline.questions import NeedsClarification, question
from strategybot.conversations.offline.runs import ARGUMENTS, Run, do_runs, find_token, runs_of
from strategybot.conversations.offline.spelling import Spelled, correct_spelling
from strategybot.conversations.offline.text import tokens_of
from strategybot.kit.json_object import Json

Read = Callable[[str], Reading]
LONGEST_ANSWER = 5  # words of an answer that is a token
LONGEST_NAME = 3  # words of an answer that is the name of a bot
LONGEST_ORDER = 3  # words of an answer that would be an order by itself, such as “buy” or “30 days”
SMALL = frozenset({"join_all", "hello", "thanks", "keep_rest", "anew", "add"})
AGREEMENTS = ("yes", "yeah", "yep", "ok", "sure", "do", "great", "perfect", "fine")
FILLERS = ("on", "the", "use", "take", "please", "token", "coin", "try", "with", "for", "")
LONGEST, MOST_TOKENS = 600, 160  # of a message: characters and tokens
CHAT = frozenset({"hello", "thanks", "yes", "no", "token"})
STOPS = ("stop", "stop now", "stop please", "please stop")
AT_ONCE = "buy or sell at once"  # “buy right away when it drops 5 %” is a rule all the same
TRADES = frozenset({"buy", "sell", "token", "size", "cash"})  # orders to trade now, if nothing else is said
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
TOLD = ("advice", "promise", "better_values", "help", "yes", "no", "thanks", "hello")


def plan_for(turn: Turn) -> Plan:
    """Correct the message, and say first which words were read as others. A word may also be the name of a token."""
    text = turn.text.strip()
    if not text or len(text) > LONGEST or len(tokens_of(text)) > MOST_TOKENS:
        return Say(SENTENCES["too_long"] if text else SENTENCES["lost"])
    raw = _reader(turn)
    read = Spelled(text) if read_answer(turn, raw(text), raw) else correct_spelling(text, turn.grammar)
    try:
        for name in read.names:
            yield from find_token(name)
    except NeedsClarification:
        read = correct_spelling(text, turn.grammar, is_token=False)
    said = yield from _plan(turn, read)
    told, memory = said.text, said.memory
    if offer := OFFER.search(told):  # “Shall I run one? Say “backtest it”” is said by a yes too
        memory = {"pending": {"kind": "again", "text": offer[1]}, **memory}
    if "pending" in memory and read.others:
        memory = {**memory, "others": dict(read.others)}
    return Say(told if told.startswith(read.note) else f"{read.note}. {told}", memory)


def _reader(turn: Turn, doubt: str = "") -> Read:
    def read(words: str) -> Reading:
        tokens = tokens_of(words)
        return check_reading(words, tokens, turn.grammar.read(tokens), doubt)

    return read


def _plan(turn: Turn, message: Spelled) -> Plan:
    read = _reader(turn, "" if message.is_sure else f"{message.note}, so I have changed nothing yet.")
    reading = _in_context(turn, message.text, read)
    answer = read_answer(turn, reading, read) or reading
    try:
        said = yield from (_fresh(turn, answer) if isinstance(answer, Reading) else answer)
    except NeedsClarification as asked:
        said = asking(asked)
    if "pending" in said.memory and isinstance(answer, Reading):  # what the answer to the question completes
        return Say(said.text, {**said.memory, "pending": {"text": answer.text, **said.memory["pending"]}})
    return said


def _in_context(turn: Turn, text: str, read: Read) -> Reading:
    """Return the reading of a message, or of the order that it stands for: a template, an alert, or another run."""
    template = TEMPLATE.sub("", text.lower()).strip(" .!")
    reading = read(SENTENCES.get(f"template {template}", text))
    if turn.memory.get("topic") == "start_simulation" and text.lower().strip(" .!") in STOPS:
        return read("stop the simulation")
    if ALERT.match(text):  # “alert me when RSI is below 30” is a rule to buy, and a watch of it
        again = read(f"buy when {ALERT.sub('', text).rstrip(' .!')}. watch it")
        return again if {"condition", "watch"} <= again.names else reading
    last = turn.memory.get("last") or {}
    if last.get("part") and "op" not in last and not reading.acts and reading.names <= ARGUMENTS:
        return read(f"make it {text}")  # “2 hours” after “What should the cooldown be?”
    names, run = reading.names - SMALL, AGAIN.get(turn.memory.get("topic", ""))
    is_open = not reading.acts or (names <= {"make_it", "bare", "fix"} and not last)  # “try 15m”
    if run and is_open and not names & {"risk", "price", "search"}:
        again = read(f"{run} {OPENING.sub('', text).rstrip(' ?')}")
        said = again.names - SMALL - {"test", "simulate"}
        return again if said and said <= ARGUMENTS | {"risk", "price"} and not again.unread else reading
    return reading


def _fresh(turn: Turn, reading: Reading) -> Plan:
    names, beyond = reading.names, reading.said("about")
    if beyond and not (beyond[0] == AT_ONCE and "condition" in names):
        what, nearest, words = beyond
        return Say(f"I cannot {what}, so I have changed nothing. {nearest}. Shall I do that? Say “{words}”.")
    if names in ({"token"}, {"tokens"}) and not reading.unread:
        raise question("backtest_on", token=reading.text.strip(" ?.").removeprefix("on "))
    if "real" in names or (names - {"buy"} and names <= TRADES and not (reading.unread or reading.changes)):
        return Say(SENTENCES["no_real_trades"])
    return (
        yield from (_acting(turn, reading) if reading.acts or {"buy", "mention"} <= names else _do(turn, reading, []))
    )


def _acting(turn: Turn, reading: Reading) -> Plan:
    """Do an order, or ask: about orders that do not go together, unread words, a question, or a correction."""
    names, runs = reading.names, runs_of(reading.matches, turn)
    if asked := _conflict(reading):
        return Say(asked)
    quoted = ", ".join(f"“{plain_name(token.written)}”" for token in reading.unread[:4])
    unread = f"I did not understand {quoted}, so I have changed nothing yet." if quoted else ""
    doubt = " ".join(filter(None, (reading.doubt, unread)))
    is_rule = bool(names & {"buy", "sell", "add", "restate"})
    if runs and reading.changes and not is_rule and names & CHANGING <= {"size", "condition", "hours", "fix", "bare"}:
        doubt = doubt or "That would be a change of the strategy."
    if not doubt or "mention" in names or (reading.changes and not names & {"stop_sim", "clear"}):
        return (yield from _do(turn, replace(reading, doubt=doubt), runs))
    if reading.doubt and not unread:
        return Say(f"{doubt} Shall I do that? (yes/no)", {"pending": {"kind": "again"}})
    if not runs or names & (ORDERS - RUNS):
        return Say(f"{doubt} What should I do?")
    return Say(f"{doubt} Shall I do the rest? (yes/no)", {"pending": runs[0].pending()})


def _conflict(reading: Reading) -> str:
    """Return the question to ask if the orders of a message do not go together, otherwise an empty text."""
    names, others = reading.names, reading.names & {"keep", *CHANGING, *RUNS}
    if {"stop_sim", "condition"} <= names:
        return SENTENCES["stop_at_once"]
    if "result" in names and names & RUNS and " to " in reading.text:  # “is it good to simulate?”
        return SENTENCES["no_run"]
    if "switch" in names and (others or "undo" in names):
        return f"Shall I change to the other bot first? Say “switch to {reading.said('name')}”."
    return "Shall I undo the last change first? Say “undo”." if "undo" in names and others else ""


def _do(turn: Turn, reading: Reading, runs: list[Run]) -> Plan:
    """Do the first thing of `ORDER` that the message says, and stop the simulation before it if it says that too."""
    names = reading.names
    told = next((name for name in TOLD if name in names), "other_rule" if names & {"buy", "sell"} else "lost")
    is_question = reading.is_question and bool(names - CHAT) and told not in TOLD[:4]
    more = {"change": reading.changes, "run": runs, "show": is_question or "show_part" in names}
    said = [name for name in ORDER if name in names or more.get(name)]
    plans, text, memory = Plans(turn, reading, runs), "", {}
    for name in said[: 1 + ("stop_sim" in names)]:
        step: Say = yield from getattr(plans, name)()
        text, memory = f"{text}{step.text}\n\n", step.memory
    if told == "better_values" and not said:
        raise question(told)
    return Say(text.strip(), memory) if said else Say(SENTENCES[told])


def read_answer(turn: Turn, reading: Reading, read: Read) -> Plan | Reading | None:
    """Return the plan or the completed order if the message answers the open question, otherwise None."""
    pending = turn.memory.get("pending")
    if not isinstance(pending, dict):
        return None
    for word, text in (turn.memory.get("others") or {}).items():
        if word in reading.text.lower().split():
            return read(text)
    kind, said, names = pending.get("kind"), reading.text.lower(), reading.names - SMALL
    if not reading.unread and names == {"yes"}:
        return read(pending["text"]) if kind == "again" else _agreed(turn, pending)
    if kind == "apply" and reading.acts and said.replace(",", " ").startswith(AGREEMENTS):
        return _ask_again("Shall I first apply what I showed you? (yes/no)", pending)
    is_order = reading.acts and len(said.split()) > LONGEST_ORDER and kind in ("choose", "fill")
    if "?" in said or is_order or names == {"no"}:
        return None
    return _on_token(turn, reading, pending) if kind == "token" else _completed(reading, pending, read)


def _ask_again(asked: str, pending: Json) -> Plan:
    yield from ()
    return Say(asked, {"pending": pending})


def _agreed(turn: Turn, pending: Json) -> Plan:
    if pending.get("kind") == "apply":
        return apply_pending(turn, pending)
    if pending.get("kind") == "run":
        return do_runs(turn, [Run(**pending["run"])])
    return _ask_again("Please tell me a little more: what should it be?", pending)


def _on_token(turn: Turn, reading: Reading, pending: Json) -> Plan | None:
    words = [word.strip(" .,!?“”\"'") for word in reading.text.split()]
    name = " ".join(word for word in words if word.lower() not in FILLERS).removeprefix("$")
    is_name = 0 < len(name.split()) <= LONGEST_ANSWER and reading.names - SMALL <= {"token", "chain"}
    return do_runs(turn, [Run(**{**pending["run"], "tokens": [name]})]) if is_name else None


def _completed(reading: Reading, pending: Json, read: Read) -> Reading | None:
    """Return the order that the answer completes: that of the option it names, a rule to buy, a name, or any other."""
    kind, answer = pending.get("kind"), reading.text.strip(" .?!“”\"'")
    orders = [pending["order"]] if kind == "fill" else []
    if kind == "choose":
        said = set(re.findall(r"\w+", answer.lower()))
        orders = list({order for words, order in pending["options"].items() if said & set(words.split())})
    elif kind == "entry" and "condition" in reading.names:
        orders = ["{answer}, {text}" if reading.names & {"buy", "restate"} else "buy when {answer}, {text}"]
    elif kind == "name" and (reading.unread or reading.names <= {"name_it", "token"}):  # “Night Owl” names no hours
        is_name = answer[:1].isupper() and len(answer.split()) <= LONGEST_NAME and " or " not in answer
        answer = reading.bot_name or (answer if is_name else "")
        orders = ['create a bot called "{answer}"'] if answer else []
    if len(orders) != 1:
        return None
    again = read(_fill(pending, orders[0], answer))
    return again if (again.acts or again.names) and not again.unread else None


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
