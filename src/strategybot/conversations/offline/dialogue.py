"""Choose the plan for a message: an answer to an open question, an order, or a question of the user."""

import re
from collections.abc import Callable
from dataclasses import asdict

from strategybot.conversations.agent import run_reports, telling
from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline import plans
from strategybot.conversations.offline.answers import SMALL, Read, read_answer
from strategybot.conversations.offline.checks import ORDERS, RUNS, Reading, check_reading
from strategybot.conversations.offline.fold import CHANGING
from strategybot.conversations.offline.history import Plan, Say, Turn, saying
from strategybot.conversations.offline.lexicon import SENTENCES
from strategybot.conversations.offline.runs import ARGUMENTS, Run, do_runs, find_token, runs_of, stop_simulation
from strategybot.conversations.offline.spelling import Spelled, correct_spelling
from strategybot.conversations.offline.text import tokens_of
from strategybot.kit.json_object import Json

LONGEST, MOST_TOKENS = 600, 160  # of a message: characters and tokens
CHAT = frozenset({"hello", "thanks", "yes", "no", "token"})
STOPS = ("stop", "stop now", "stop please", "please stop")
AT_ONCE = "buy or sell at once"  # “buy right away when it drops 5 %” is a rule all the same
TRADES = frozenset({"buy", "sell", "token", "size", "cash"})  # orders to trade now, if nothing else is said
OPENING = re.compile(r"^(?:try|use|make it|make that|do|now|and now|ok now|longer:?|shorter:?),? ", re.IGNORECASE)
OFFER = re.compile(r"(?:Shall|Should) I [^?“”]*\? Say [“]([^”]+)”")
TEMPLATE = re.compile(r"^(?:(?:use|try|make|build|give me|i want) )?(?:an? |the )?|\b(?:strategy|template|bot)\b")
ALERT = re.compile(
    r"(?:please |can you |could you )?(?:alert|notify|tell|ping|warn|message) me "
    r"(?:when(?:ever)?|if|once|as soon as) (?P<what>.+)",
    re.IGNORECASE,
)


def plan_for(turn: Turn) -> Plan:
    """Correct the message, and say first which words were read as others. A word may also be the name of a token."""
    text = turn.text.strip()
    if not text or len(text) > LONGEST or len(tokens_of(text)) > MOST_TOKENS:
        return Say(SENTENCES["too_long"] if text else SENTENCES["lost"])
    raw = _reader(turn)
    read = Spelled(text) if read_answer(turn, raw(text), raw) else correct_spelling(text, turn.grammar)
    for name in read.names:
        token, _ = yield from find_token(name)
        if token is None:
            read = correct_spelling(text, turn.grammar, is_token=False)
            break
    said = yield from _plan(turn, read)
    is_told = not read.note or said.text.startswith(read.note)
    memory = _with_offer(said)
    memory = {**memory, "others": dict(read.others)} if "pending" in memory and read.others else memory
    return Say(said.text if is_told else f"{read.note}. {said.text}", memory)


def _with_offer(said: Say) -> Json:
    """Return what the next turn has to know; “Shall I run one? Say “backtest it”” is said by a yes too."""
    offer = OFFER.search(said.text)
    again = {"kind": "again", "text": offer[1]} if offer else None
    return {"pending": again, **said.memory} if again else said.memory


def _reader(turn: Turn, doubt: str = "") -> Read:
    def read(words: str) -> Reading:
        tokens = tokens_of(words)
        return check_reading(words, tokens, turn.grammar.read(tokens), doubt)

    return read


def _plan(turn: Turn, message: Spelled) -> Plan:
    read = _reader(turn, "" if message.is_sure else f"{message.note}, so I have changed nothing yet.")
    template = TEMPLATE.sub("", message.text.lower()).strip(" .!")
    reading = read(SENTENCES.get(f"template {template}", message.text))
    reading = _alerting(_follow(turn, reading, read), read)
    answer = read_answer(turn, reading, read) or reading
    return _fresh(turn, answer) if isinstance(answer, Reading) else answer


def _alerting(reading: Reading, read: Read) -> Reading:
    """Return “alert me when RSI is below 30” as a rule to buy, and a watch of it."""
    wanted = ALERT.match(reading.text.strip())
    again = read(f"buy when {wanted['what'].rstrip(' .!')}. watch it") if wanted else reading
    return again if {"condition", "watch"} <= again.names else reading


def _follow(turn: Turn, reading: Reading, read: Read) -> Reading:
    """Return the message as an order of its own if it continues the last one: “on 5m” after a backtest."""
    text, names, topic = reading.text, reading.names - SMALL, turn.memory.get("topic")
    if turn.memory.get("simulating") and text.lower().strip(" .!") in STOPS:
        return read("stop the simulation")
    is_open = not reading.acts or (names <= {"make_it", "bare", "fix"} and not turn.memory.get("last"))  # “try 15m”
    if topic in ("backtest", "simulation") and is_open and "risk" not in names:
        again = read(f"{'backtest' if topic == 'backtest' else 'simulate'} {OPENING.sub('', text).rstrip(' ?')}")
        said = again.names - SMALL - {"test", "simulate"}
        if said and said <= ARGUMENTS and not again.unread:
            return again
    return reading


def _fresh(turn: Turn, reading: Reading) -> Plan:
    names, beyond = reading.names, reading.first("beyond")
    if beyond and not (beyond.values["about"][0] == AT_ONCE and "condition" in names):
        what, nearest, words = beyond.values["about"]
        return saying(f"I cannot {what}, so I have changed nothing. {nearest}. Shall I do that? Say “{words}”.")
    if names in ({"token"}, {"tokens"}) and not reading.unread:
        again = {"kind": "again", "text": f"backtest it on {reading.text.strip(' ?.').removeprefix('on ')}"}
        return saying("Shall I backtest it on that? (yes/no)", {"pending": again})
    if "real" in names or (names - {"buy"} and names <= TRADES and not (reading.unread or reading.changes)):
        return saying(SENTENCES["no_real_trades"])
    return _acting(turn, reading) if reading.acts else _talk(turn, reading)


def _acting(turn: Turn, reading: Reading) -> Plan:
    names, runs = reading.names, runs_of(reading.matches, turn)
    if asked := _never_done(turn, reading):
        return saying(asked)
    quoted = ", ".join(f"“{plain_name(token.written)}”" for token in reading.unread[:4])
    unread = f"I did not understand {quoted}, so I have changed nothing yet." if quoted else ""
    doubt = " ".join(filter(None, (reading.doubt, unread)))
    if reading.is_question and not runs:
        doubt = doubt or "I have changed nothing."
        if not reading.changes:
            return plans.show_strategy(reading.matches)
    is_rule = bool(names & {"buy", "sell", "add", "restate"})
    if runs and reading.changes and not is_rule and names & CHANGING <= {"size", "condition", "hours", "fix", "bare"}:
        doubt = doubt or "That would be a change of the strategy."
    if reading.changes and not names & {"stop_sim", "clear"}:
        return plans.change_strategy(turn, reading, doubt, runs)
    if not doubt:
        return _orders(turn, reading, runs)
    return _ask_to_confirm(reading, runs, doubt)


def _ask_to_confirm(reading: Reading, runs: list[Run], doubt: str) -> Plan:
    """Ask whether to do an order that was read in part, or with a correction."""
    if reading.doubt and not reading.unread:
        again = {"kind": "again", "text": reading.text}
        return saying(f"{reading.doubt} Shall I do that? (yes/no)", {"pending": again})
    if not runs or reading.names & (ORDERS - RUNS):
        return saying(f"{doubt} What should I do?")
    offer = {"run_backtest": "backtest it anyway", "start_simulation": "simulate it anyway", "start_watch": "watch it"}
    question = runs[0].question or f"Shall I {offer.get(runs[0].tool, 'search anyway')}? (yes/no)"
    pending = {} if runs[0].question else {"pending": {"kind": "run", "run": asdict(runs[0])}}
    return saying(f"{doubt} {question}", pending)


def _never_done(turn: Turn, reading: Reading) -> str:
    """Return the question to ask if the orders of a message do not go together, otherwise an empty text."""
    names, last = reading.names, (turn.memory.get("last") or {}).get("part")
    gone = {match.values["part"].key for match in reading.matches if match.name == "remove"}
    corrects = last and not gone & {last, "break_even_after_percent", "ladder"}  # “no ladder” corrects nothing
    is_no = reading.text.lower().startswith("no ") and names == {"remove"} and corrects
    removed, switch = reading.first("remove"), reading.first("switch")
    others = names & (CHANGING | RUNS | {"undo"}) or sum(match.name == "switch" for match in reading.matches) > 1
    cases = (
        ({"stop_sim", "condition"} <= names, SENTENCES["stop_at_once"]),
        ("result" in names and names & RUNS and " to " in reading.text, SENTENCES["no_run"]),
        (is_no, f"Should I remove that? Say “remove {removed and removed.values['part'].said}”."),
        ("undo" in names and names & {"keep", *CHANGING, *RUNS}, "Shall I undo the last change first? Say “undo”."),
        (
            "switch" in names and others,
            f"Shall I change to the other bot first? Say “switch to {switch and switch.values['name']}”.",
        ),
    )
    return next((question for applies, question in cases if applies), "")


def _orders(turn: Turn, reading: Reading, runs: list[Run]) -> Plan:
    """Stop the simulation if the message says so, then do the first of the other orders that it holds."""
    said, switch = "", reading.first("switch")
    if "stop_sim" in reading.names:
        stopped = yield from stop_simulation(turn)
        if "topic" not in stopped.memory:
            return stopped
        said = f"{stopped.text}\n\n"
    orders = (
        ("clear" in reading.names, plans.clear_strategy()),
        (reading.changes, plans.change_strategy(turn, reading, runs=runs)),
        (switch, plans.switch_bot(str(switch and switch.values["name"]))),
        ("undo" in reading.names, plans.undo()),
        ("new_bot" in reading.names, plans.create_bot(reading.bot_name)),
        ("stop_watch" in reading.names, plans.stop_watch()),
        (runs, do_runs(turn, runs)),
    )
    step = yield from next((plan for is_said, plan in orders if is_said), saying(""))
    return Say((said + step.text).strip(), step.memory)


TALK: dict[str, Callable[[Turn], Plan]] = {
    "compare_runs": lambda _turn: plans.tell(
        "compare_backtests", lambda told: run_reports.compare_last(told.facts["backtests"]), "backtest"
    ),
    "why_not": lambda turn: plans.simulation(turn, run_reports.explain_hold, "how_many"),
    "trades": lambda _turn: plans.show_trades(),
    "status": lambda turn: plans.simulation(turn, run_reports.status, "result", "No simulation is running. "),
    "list_bots": lambda _: plans.tell("list_bots", lambda told: telling.own_bots(told.facts) or SENTENCES["no_bot"]),
}
TOLD = ("advice", "promise", "better_values", "help", "yes", "no", "thanks", "hello")
BETTER_VALUES: Json = {"kind": "again", "text": "optimise the stop loss and the take profit"}


def _talk(turn: Turn, reading: Reading) -> Plan:
    names = reading.names
    if plan := next((plan for name, plan in TALK.items() if name in names), None):
        return plan(turn)
    if elsewhere := names & {"delete_bot", "rename_bot"}:
        return saying(SENTENCES[min(elsewhere)])
    about = [match.name for match in reading.matches if match.name in plans.ABOUT_RESULT]
    if about:
        return plans.last_result(list(dict.fromkeys(about)))
    if token := _token_question(reading):
        return token
    is_about_strategy = bool(names & {"show", "show_part"}) or (reading.is_question and bool(names - CHAT))
    if is_about_strategy and not names & set(TOLD[:4]):
        return plans.show_strategy(reading.matches)
    if "mention" in names:
        return plans.change_strategy(turn, reading)
    small = [name for name in TOLD if name in names and not reading.unread]
    said = [*small, "other_rule" if names & {"buy", "sell"} else "lost"][0]
    return saying(SENTENCES[said], {"pending": BETTER_VALUES} if said == "better_values" else {})


def _token_question(reading: Reading) -> Plan | None:
    chain = next((match.values["chain"] for match in reading.matches if match.values.get("chain")), None)
    token = next((match.values["tok"].written for match in reading.matches if "tok" in match.values), None)
    for name, tool in (("risk", "get_token_risk"), ("price", "get_token")):
        if name in reading.names:
            return plans.about_token(tool, token, chain)
    if reading.names & {"search", "trending"}:
        query = (token or "").removeprefix("$")
        return plans.tell("search_tokens", lambda told: telling.found_words(told.rows, query), query=query, chain=chain)
    return None
