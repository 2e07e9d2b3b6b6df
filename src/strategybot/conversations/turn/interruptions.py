"""The answer of a turn that was interrupted: what it had done by then, as recorded from the parts that it emitted."""

from strategybot.conversations.schemas import ToolCallView
from strategybot.conversations.turn.turns import Answer, Emit, Part, tell_text

INTERRUPTED = "I was interrupted while I was answering."
UNFINISHED = "I was interrupted before it was finished: it may have been done."


class TurnRecorder:
    """Passes every part on and remembers the calls by their ids, which are those of their journal entries."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._calls: dict[str, ToolCallView] = {}
        self._outcomes: dict[str, str] = {}
        self._open_text: str | None = None

    def emit(self, part: Part) -> None:
        self._emit(part)
        match part:
            case {"type": "text-start", "id": text_id}:
                self._open_text = text_id
            case {"type": "text-end"}:
                self._open_text = None
            case {"type": "tool-input-available", "toolCallId": call_id, "toolName": name, "input": arguments}:
                self._calls[call_id] = ToolCallView(name=name, arguments=arguments, result={"error": UNFINISHED})
                self._outcomes[call_id] = "interrupted"
            case {"type": "tool-output-available", "toolCallId": call_id, "output": result}:
                self._end(call_id, result, "done")
            case {"type": "tool-output-error", "toolCallId": call_id, "errorText": reason}:
                self._end(call_id, {"error": reason}, f"failed: {reason}")

    def interrupted(self) -> Answer:
        """The answer in place of the one that did not come; it is told as well."""
        if self._open_text is not None:
            self.emit({"type": "text-end", "id": self._open_text})
        content = " ".join([INTERRUPTED, *self._left_behind()])
        tell_text(self._emit, "interrupted", content)
        return Answer(content, list(self._calls.values()), outcomes=self._outcomes)

    def _end(self, call_id: str, result: object, outcome: str) -> None:
        self._calls[call_id] = self._calls[call_id].model_copy(update={"result": result})
        self._outcomes[call_id] = outcome

    def _left_behind(self) -> list[str]:
        done, unfinished = self._named("done"), self._named("interrupted")
        if not done and not unfinished:
            return ["Please ask again."]
        return [
            *([f"This was done by then, and stays done: {done}."] if done else []),
            *([f"This may have been done: {unfinished}."] if unfinished else []),
            "Please look at it before you ask again.",
        ]

    def _named(self, outcome: str) -> str:
        return ", ".join(
            call.name.replace("_", " ") for call_id, call in self._calls.items() if self._outcomes[call_id] == outcome
        )
