"""Read a message as the answer to the question that is open, before it is read as anything else."""

import re
from collections.abc import Callable, Iterable

from strategybot.conversations.offline import plans
from strategybot.conversations.offline.checks import Reading
from strategybot.conversations.offline.history import Plan, Turn, saying
from strategybot.conversations.offline.lexicon import SENTENCES
from strategybot.conversations.offline.runs import Run, do_runs
from strategybot.conversations.offline.text import tokens_of
from strategybot.kit.json_object import Json

Read = Callable[[str], Reading]
LONGEST_ANSWER = 5  # words of an answer that is a token
LONGEST_ORDER = 3  # words of an answer that would be an order by itself, such as “buy” or “30 days”
SMALL = frozenset({"join_all", "hello", "thanks", "keep_rest", "anew", "add"})
AGREEMENTS = ("yes", "yeah", "ok", "sure", "yep", "sounds", "do", "great", "perfect", "fine", "alright")
FILLERS = ("on", "the", "use", "take", "please", "token", "coin", "try", "with", "for", "")


def read_answer(turn: Turn, reading: Reading, read: Read) -> Plan | Reading | None:
    """Return the plan or the completed order if the message answers the open question, otherwise None."""
    pending = turn.memory.get("pending")
    if not isinstance(pending, dict):
        return None
    for word, text in (turn.memory.get("others") or {}).items():
        if word in reading.text.lower().split():
            return read(text)
    names, kind = reading.names - SMALL, str(pending.get("kind"))
    if not reading.unread and names in ({"yes"}, {"no"}):
        if kind == "again" and names == {"yes"}:
            return read(pending["text"])
        agreed = AGREED.get(kind)
        asked = saying("Please tell me a little more: what should it be?", {"pending": pending})
        return saying(SENTENCES["no"]) if names == {"no"} else agreed(turn, pending) if agreed else asked
    is_agreement = reading.text.lower().replace(",", " ").startswith(AGREEMENTS)
    if kind == "apply" and reading.acts and is_agreement:
        return saying("Shall I first apply what I showed you? (yes/no)", {"pending": pending})
    is_order = reading.acts and len(reading.text.split()) > LONGEST_ORDER and kind in ("choose", "fill")
    answer = ANSWERS.get(kind)
    return answer(turn, reading, pending, read) if answer and not is_order and "?" not in reading.text else None


def _choose(_turn: Turn, reading: Reading, pending: Json, read: Read) -> Reading | None:
    """Return the order of the option that the answer names, if there is exactly one."""
    said = set(re.findall(r"\w+", reading.text.lower()))
    chosen = [order for words, order in pending["options"].items() if said & set(words.split())]
    return _complete(pending, chosen[0], reading.text, read) if len(chosen) == 1 else None


def _complete(pending: Json, order: str, answer: str, read: Read) -> Reading | None:
    """Return the completed order. With `old` it takes the place of these words, with `seconds` that of such times."""
    answer, text = answer.strip(" .?!"), str(pending.get("text", ""))
    number = next((f"{token.value:g}" for token in tokens_of(answer) if token.kind == "number"), "")
    said = {
        "answer": answer,
        "text": text.rstrip(" .?!"),
        "number": f"{number} {pending.get('unit', '')}" if number else answer,
    }
    times = [each.written for each in tokens_of(text) if each.value in pending.get("seconds", ())]
    completed = order.format(**said, old="{old}")
    if old := [*pending.get("old", ()), *times]:
        completed = _replace(text, old, completed, bool(times) or "everywhere" in pending)
    again = read(completed)
    return again if (again.acts or again.names) and not again.unread else None


def _replace(text: str, old: Iterable[str], new: str, everywhere: bool) -> str:
    words = "|".join(re.escape(each) for each in sorted(old, key=len, reverse=True))
    found = rf"(?<!\w)(?:{words})(?!\w)"
    return re.sub(
        found, lambda each: new.replace("{old}", each[0]), text, count=0 if everywhere else 1, flags=re.IGNORECASE
    )


def _entry(_turn: Turn, reading: Reading, pending: Json, read: Read) -> Reading | None:
    if "condition" not in reading.names or not isinstance(pending.get("text"), str):
        return None
    opening = "" if reading.names & {"buy", "restate"} else "buy when "
    return read(f"{opening}{reading.text.rstrip(' .?')}, {pending['text']}")


def _value(turn: Turn, reading: Reading, pending: Json, _read: Read) -> Reading | None:
    names = reading.names - SMALL
    if not names or not names <= {"bare", "make_it", "fix"}:
        return None
    turn.memory["last"] = {"part": pending["part"]}
    return reading


def _on_token(turn: Turn, reading: Reading, pending: Json, _read: Read) -> Plan | None:
    words = [word.strip(" .,!?“”\"'") for word in reading.text.split()]
    words = [word for word in words if word.lower() not in FILLERS]
    is_name = 0 < len(words) <= LONGEST_ANSWER and reading.names - SMALL <= {"token", "chain"}
    if not is_name:
        return None
    return do_runs(turn, [Run(**{**pending["run"], "token": " ".join(words).removeprefix("$")})])


def _name_bot(_turn: Turn, reading: Reading, _pending: Json, _read: Read) -> Plan | None:
    """Create the bot if the answer is a name: what follows “call it”, or at most three words."""
    named, text = reading.first("name_it"), reading.text.strip(" .!“”\"'")
    words = text.lower().split()
    is_plain = 0 < len(words) <= 3 and {"or", "good", "no", "not"}.isdisjoint(words)
    name = text if text[:1].isupper() and is_plain else ""
    name = str(named.values["name"]) if named and not reading.unread else name
    return plans.create_bot(name) if name and not reading.acts else None


AGREED: dict[str, Callable[[Turn, Json], Plan]] = {
    "apply": plans.apply_pending,
    "run": lambda turn, pending: do_runs(turn, [Run(**pending["run"])]),
    "end_watch": lambda _turn, pending: plans.end_watch(pending["run_id"]),
}
Answer = Callable[[Turn, Reading, Json, Read], "Plan | Reading | None"]
ANSWERS: dict[str, Answer] = {
    "choose": _choose,
    "fill": lambda _turn, reading, pending, read: _complete(pending, pending["order"], reading.text, read),
    "entry": _entry,
    "value": _value,
    "token": _on_token,
    "name": _name_bot,
}
