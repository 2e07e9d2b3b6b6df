"""From a turn to its next step. A plan is a generator: it yields calls, is sent their outcomes, returns what to say.

It keeps no state: at each step the plan runs again from the start over the outcomes that the history holds.
"""

from collections.abc import Callable

from strategybot.conversations.offline import changes, replies, results
from strategybot.conversations.offline.changes import Change
from strategybot.conversations.offline.checks import ORDERS, RUNS, Reading, checked
from strategybot.conversations.offline.dialogue import answered, followed
from strategybot.conversations.offline.fold import CHANGING
from strategybot.conversations.offline.history import Call, Turn
from strategybot.conversations.offline.runs import Run, do_runs, runs_of, stop_simulation
from strategybot.conversations.offline.steps import Plan, Say, saying
from strategybot.conversations.offline.text import tokens_of
from strategybot.conversations.offline.tokens import about_token, search

LONGEST = 600
MOST_TOKENS = 160
AT_ONCE = "buying at once"  # “buy right away when it drops 5 %” is a rule all the same
ABOUT_IT = frozenset({"make_it", "bare", "scale_it", "remove_it", "fix"})
CHAT = frozenset({"hello", "thanks", "yes", "no", "token"})


def next_step(turn: Turn) -> Call | Say:
    if turn.foreign:
        return Say(replies.report(turn.done))
    plan = plan_for(turn)
    outcomes = iter(turn.done)
    try:
        step = next(plan)
        while True:
            if step.name not in turn.tools:
                return Say(replies.CANNOT_CALL)
            outcome = next(outcomes, None)
            if outcome is None:
                return step
            if outcome.call.name != step.name:
                return Say(replies.report(turn.done))
            step = plan.send(outcome)
    except StopIteration as end:
        said: Say = end.value
        return Say(said.text, _kept(turn, said))


def _kept(turn: Turn, said: Say) -> dict[str, object]:
    """What the next turn has to know: a question is open for one turn, the last change and the topic until the next."""
    kept: dict[str, object] = {key: turn.memory[key] for key in ("last", "topic", "token") if key in turn.memory}
    return {**kept, **said.memory}


def plan_for(turn: Turn) -> Plan:
    text = turn.text.strip()
    if not text:
        return saying(replies.LOST)
    if len(text) > LONGEST or len(tokens_of(text)) > MOST_TOKENS:
        return saying(replies.TOO_LONG)

    def read(words: str) -> Reading:
        tokens = tokens_of(words)
        return checked(words, tokens, turn.grammar.read(tokens))

    reading = followed(turn, read(text), read)
    answer = answered(turn, reading, read)
    if isinstance(answer, Reading):
        return _fresh(turn, answer)
    return answer or _fresh(turn, _order_behind_question(turn, reading, read))


def _order_behind_question(turn: Turn, reading: Reading, read: Callable[[str], Reading]) -> Reading:
    """“Is the stop too tight? Make it 4 %.”: the order counts if it is clear; “it” is what was asked about."""
    question, mark, order = reading.text.rpartition("?")
    if not mark or not order.strip():
        return reading
    alone = read(order)
    if not alone.acts or alone.unread or not (reading.unread or alone.names <= ABOUT_IT):
        return reading
    asked = {match.values["part"].key for match in read(question).matches if "part" in match.values}
    if len(asked) == 1 and alone.names <= ABOUT_IT:
        turn.memory["last"] = {"part": asked.pop()}
    return alone


def _fresh(turn: Turn, reading: Reading) -> Plan:
    names = reading.names
    if (beyond := reading.first("beyond")) and not (beyond.values["about"][0] == AT_ONCE and "condition" in names):
        return saying(replies.beyond(*beyond.values["about"]))
    if "real" in names or (
        names and not reading.unread and names <= {"buy", "sell", "token", "size", "cash"} and not reading.changes
    ):
        return saying(replies.NO_REAL_TRADES)
    if names & {"stop_sim"} and not reading.unread and names <= {"stop_sim", "no", "yes", "mention"}:
        return stop_simulation(turn)
    if reading.acts:
        return _acting(turn, reading)
    return _talk(turn, reading)


def _acting(turn: Turn, reading: Reading) -> Plan:
    names = reading.names
    runs = runs_of(reading.matches, turn)
    if asked := _never_done(turn, reading):
        return saying(asked)
    doubt = replies.doubt([token.written for token in reading.unread]) if reading.unread else ""
    if reading.is_question and not runs:
        why = f"I have changed nothing. {doubt}"
        return changes.show_strategy(turn, reading.matches, reading.changes, why)
    is_odd = names & CHANGING <= {"size", "condition", "fix", "bare"} and not names & {
        "buy",
        "sell",
        "add",
        "restate",
    }
    if runs and reading.changes and is_odd:
        doubt = doubt or "That would be a change of the strategy."
    if reading.changes and not names & {"stop_sim", "clear"}:
        return changes.change_strategy(turn, _change(reading, doubt, runs))
    if doubt and runs and not names & (ORDERS - RUNS):
        return _offer_run(doubt, runs[0])
    return saying(f"{doubt} What should I do?") if doubt else _orders(turn, reading)


def _never_done(turn: Turn, reading: Reading) -> str:
    """What to ask about orders that do not go together; empty for the others."""
    names = reading.names
    is_no = reading.text.lower().startswith("no ") and names == {"remove"} and bool(turn.memory.get("last"))
    others = names & (CHANGING | RUNS | {"undo"}) or sum(match.name == "switch" for match in reading.matches) > 1
    cases = (
        ({"stop_sim", "condition"} <= names, "I can stop the simulation, but not by a condition. Shall I stop it now?"),
        (is_no, "Should I remove that? Say “remove it”, or tell me what to change."),
        ("undo" in names and names & {"keep", *RUNS}, "Shall I undo the last change first? Say “undo”."),
        ("switch" in names and others, "Shall I change to the other bot first? Say “switch to” and its name."),
    )
    return next((question for applies, question in cases if applies), "")


def _change(reading: Reading, doubt: str, runs: list[Run]) -> Change:
    bot = reading.first("new_bot")
    named = bot or reading.first("name_it")
    name = named.values.get("name") if named else None
    return Change(reading.text, reading.matches, doubt, runs, bot is not None, name, "undo" in reading.names)


def _offer_run(doubt: str, run: Run) -> Plan:
    if run.question:
        return saying(f"{doubt} {run.question}")
    what = {"run_backtest": "backtest", "start_simulation": "simulate"}.get(run.tool, "search")
    pending = {"pending": {"kind": "run", "run": run.plain()}}
    return saying(f"{doubt} Shall I {what} it anyway? (yes/no)", pending)


def _orders(turn: Turn, reading: Reading) -> Plan:
    """Clear orders, one after the other; the first that cannot be done ends it."""
    said = ""
    if "clear" in reading.names:
        return (yield from changes.clear_strategy())
    if "stop_sim" in reading.names:
        stopped = yield from stop_simulation(turn)
        if "topic" not in stopped.memory:
            return stopped
        said = f"{stopped.text}\n\n"
    step = yield from _last_order(turn, reading)
    return Say((said + step.text).strip(), step.memory)


def _last_order(turn: Turn, reading: Reading) -> Plan:
    runs = runs_of(reading.matches, turn)
    if reading.changes:
        return changes.change_strategy(turn, _change(reading, "", runs))
    if switch := reading.first("switch"):
        return changes.switch_bot(str(switch.values["name"]))
    if "undo" in reading.names:
        return changes.undo()
    if "new_bot" in reading.names:
        return changes.create_bot(_change(reading, "", []).bot_name)
    return do_runs(turn, runs) if runs else saying("")


def _talk(turn: Turn, reading: Reading) -> Plan:
    """Questions and small talk: nothing here changes anything."""
    names = reading.names
    about = [match.name for match in reading.matches if match.name in results.ABOUT_RESULT]
    simple: dict[str, Callable[[], Plan]] = {
        "compare_runs": results.compare_runs,
        "why_not": lambda: results.why_not(turn),
        "trades": results.show_trades,
        "status": lambda: results.status(turn),
        "list_bots": changes.list_bots,
        "delete_bot": lambda: saying(replies.NO_DELETING),
        "rename_bot": lambda: saying(replies.NO_RENAMING),
    }
    for name, plan in simple.items():
        if name in names:
            return plan()
    if about:
        return results.last_result(turn, list(dict.fromkeys(about)))
    if token := _token_question(turn, reading):
        return token
    is_about_strategy = bool(names & {"show", "show_part"}) or (reading.is_question and bool(names - CHAT))
    if is_about_strategy and "help" not in names:
        return changes.show_strategy(turn, reading.matches, False, "")
    if "mention" in names:
        return changes.change_strategy(turn, Change(reading.text, reading.matches))
    return saying(_small_talk(reading))


def _token_question(turn: Turn, reading: Reading) -> Plan | None:
    chain = next((match.values["chain"] for match in reading.matches if match.values.get("chain")), None)
    if "trending" in reading.names:
        return search("", chain)
    for name, tool in (("risk", "get_token_risk"), ("price", "get_token"), ("search", "")):
        match = reading.first(name)
        if match is None:
            continue
        token = next((each.values["tok"] for each in (match, *reading.matches) if "tok" in each.values), None)
        if tool:
            return about_token(turn, tool, token.written if token else None, chain)
        return search(token.written.removeprefix("$") if token else "", chain)
    return None


def _small_talk(reading: Reading) -> str:
    names = reading.names
    for name, text in replies.SMALL_TALK.items():
        if name in names and not reading.unread:
            return text
    return replies.OTHER_RULE if names & {"buy", "sell"} else replies.LOST
