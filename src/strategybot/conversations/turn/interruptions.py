"""The answer of a turn that was interrupted: the calls that it had made by then, and those that it had begun."""

from dataclasses import replace

from strategybot.conversations.turn.calls import BEGUN, DONE, Call, Calls
from strategybot.conversations.turn.memory import history_of
from strategybot.conversations.turn.turns import Answer, Emit, Part, tell_text

INTERRUPTED = "I was interrupted while I was answering."
UNFINISHED = "I was interrupted before it was finished: it may have been done."


class OpenText:
    """Emits every part, and remembers which text part has begun and not ended."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._text_id: str | None = None

    def emit(self, part: Part) -> None:
        self._emit(part)
        match part:
            case {"type": "text-start", "id": text_id}:
                self._text_id = text_id
            case {"type": "text-end"}:
                self._text_id = None

    def end(self) -> None:
        if self._text_id is not None:
            self.emit({"type": "text-end", "id": self._text_id})


def interrupt(asked: str, calls: Calls, text: OpenText) -> Answer:
    """Return the answer that replaces the one that did not come, and emit it."""
    text.end()
    made = {call_id: _interrupt(call) for call_id, call in calls.by_id.items()}
    content = " ".join([INTERRUPTED, *_what_was_done(list(calls.by_id.values()))])
    tell_text(text.emit, "interrupted", content)
    outcomes = calls.outcomes | {call_id: call.outcome for call_id, call in made.items()}
    views = [call.view() for call in made.values()]
    return Answer(content, views, history=history_of(asked, views, content), outcomes=outcomes)


def _interrupt(call: Call) -> Call:
    if call.outcome != BEGUN:
        return call
    return replace(call, result={"error": UNFINISHED}, outcome="interrupted")


def _what_was_done(calls: list[Call]) -> list[str]:
    done, unfinished = _names(calls, DONE), _names(calls, BEGUN)
    if not done and not unfinished:
        return ["Please ask again."]
    return [
        *([f"This was done by then, and stays done: {done}."] if done else []),
        *([f"This may have been done: {unfinished}."] if unfinished else []),
        "Please look at it before you ask again.",
    ]


def _names(calls: list[Call], outcome: str) -> str:
    return ", ".join(call.name.replace("_", " ") for call in calls if call.outcome == outcome)
