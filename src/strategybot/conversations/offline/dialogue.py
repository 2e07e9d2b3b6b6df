"""What was asked and what was changed last, so that “yes”, “PIPO”, “make it 6” and “again on 5m” are understood."""

from collections.abc import Callable

from strategybot.conversations.offline import replies
from strategybot.conversations.offline.changes import apply_pending, cleared, create_bot
from strategybot.conversations.offline.checks import Reading
from strategybot.conversations.offline.history import Json, Turn
from strategybot.conversations.offline.runs import ARGUMENTS, Run, do_runs
from strategybot.conversations.offline.steps import Plan, saying

SMALL = frozenset({"join_all", "hello", "thanks", "keep_rest", "anew", "add"})
LONGEST_ANSWER = 5  # words of an answer that is a name


def followed(turn: Turn, reading: Reading, read: Callable[[str], Reading]) -> Reading:
    """The message as an order, where it goes on with the last one."""
    text, names = reading.text, reading.names - SMALL
    if turn.memory.get("simulating") and text.lower().strip(" .!") in (
        "stop",
        "stop now",
        "stop please",
        "please stop",
    ):
        return read("stop the simulation")
    topic = turn.memory.get("topic")
    if topic in ("backtest", "simulation") and not reading.acts and "risk" not in names:
        verb = "backtest" if topic == "backtest" else "simulate"
        again = read(f"{verb} {text.rstrip(' ?')}")
        said = again.names - SMALL - {"test", "simulate"}
        if said and said <= ARGUMENTS and not again.unread:
            return again
    last = turn.memory.get("last") or {}
    if last.get("op") == "remove" and names == {"mention"} and not reading.unread:
        return read(f"remove {text}")
    return reading


def answered(turn: Turn, reading: Reading, read: Callable[[str], Reading]) -> Plan | Reading | None:
    """The plan for the answer to an open question, a new reading together with it, or None if it is no answer."""
    pending = turn.memory.get("pending")
    if not isinstance(pending, dict):
        return None
    names = reading.names - SMALL
    if not reading.unread and names in ({"yes"}, {"no"}):
        return _agreed(turn, pending) if names == {"yes"} else saying(replies.CANCELLED)
    opening = reading.text.lower().replace(",", " ").split()[:1]
    if (
        pending.get("kind") == "apply"
        and reading.acts
        and opening
        and opening[0] in ("yes", "yeah", "ok", "sure", "yep", "sounds", "do", "great", "perfect", "fine", "alright")
    ):
        return saying("Shall I first apply what I showed you? (yes/no)", {"pending": pending})
    answer = ANSWERS.get(str(pending.get("kind")))
    return answer(turn, reading, pending, read) if answer else None


def _entry(_turn: Turn, reading: Reading, pending: Json, read: Callable[[str], Reading]) -> Reading | None:
    """The entry that was missing, together with what was said before."""
    if "condition" not in reading.names or not isinstance(pending.get("text"), str):
        return None
    opening = "" if reading.names & {"buy", "restate"} else "buy when "
    return read(f"{opening}{reading.text.rstrip(' .')}, {pending['text']}")


def _which(_turn: Turn, reading: Reading, pending: Json, read: Callable[[str], Reading]) -> Reading | None:
    is_part = reading.names - SMALL == {"mention"}
    return read(f"set {reading.text.rstrip(' .?')} to {pending['value']}") if is_part else None


def _value(turn: Turn, reading: Reading, pending: Json, _read: Callable[[str], Reading]) -> "Plan | Reading | None":
    names = reading.names - SMALL
    if not names or not names <= {"bare", "make_it", "fix"}:
        return None
    turn.memory["last"] = {"part": pending["part"]}
    return reading


def _agreed(turn: Turn, pending: Json) -> Plan:
    match pending.get("kind"):
        case "apply":
            return apply_pending(turn, pending)
        case "clear":
            return cleared(pending)
        case "run":
            run = pending["run"]
            return do_runs(turn, [Run(run["tool"], run["arguments"], run["token"])])
    return saying("Please tell me a little more: what should it be?", {"pending": pending})


def _on_token(turn: Turn, reading: Reading, pending: Json, _read: Callable[[str], Reading]) -> Plan | None:
    if reading.acts or reading.is_question:
        return None
    words = [word.strip(" .,!?“”\"'") for word in reading.text.split()]
    words = [
        word
        for word in words
        if word.lower() not in ("on", "the", "use", "take", "please", "token", "coin", "try", "with", "for", "")
    ]
    if not words or len(words) > LONGEST_ANSWER or "no" in reading.names:
        return None
    run = pending["run"]
    chains = [match.values["chain"] for match in reading.matches if match.name == "chain"]
    name = " ".join(words if not (chains and len(words) > 1) else words[:1])
    return do_runs(
        turn,
        [
            Run(
                run["tool"],
                {**run["arguments"], **({"chain": chains[0]} if chains and len(words) > 1 else {})},
                name.removeprefix("$"),
            )
        ],
    )


def _named(_turn: Turn, reading: Reading, _pending: Json, _read: Callable[[str], Reading]) -> Plan | None:
    """The answer as a name: what stands behind “call it”, or a few words that are no question."""
    named = reading.first("name_it")
    if named is not None and not reading.unread and not reading.acts:
        return create_bot(str(named.values["name"]))
    text = reading.text.strip(" .!“”\"'")
    words = text.split()
    plain = (
        0 < len(words) <= 3
        and text[:1].isupper()
        and "?" not in text
        and not {"or", "good", "no", "not"} & {word.lower() for word in words}
    )
    return create_bot(text) if plain and not reading.acts else None


Answer = Callable[[Turn, Reading, Json, Callable[[str], Reading]], "Plan | Reading | None"]
ANSWERS: dict[str, Answer] = {"entry": _entry, "which": _which, "value": _value, "token": _on_token, "name": _named}
