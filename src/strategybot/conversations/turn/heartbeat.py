"""A sign of life in the stream of a turn: what is being done, and for how long."""

import asyncio

from strategybot.conversations.turn.turns import Emit, Part


class Heartbeat:
    """Passes every part on, and remembers by it what is being done."""

    def __init__(self, emit: Emit, seconds: float) -> None:
        self._emit, self._seconds = emit, seconds
        self._doing = "thinking"

    def emit(self, part: Part) -> None:
        self._emit(part)
        match part:
            case {"type": "tool-input-available", "toolName": name}:
                self._doing = str(name)
            case {"type": "text-delta"}:
                self._doing = "writing"
            case {"type": "tool-output-available" | "tool-output-error" | "text-end"}:
                self._doing = "thinking"

    async def beat(self) -> None:
        """Emit a part every so many seconds until cancelled."""
        begun = asyncio.get_running_loop().time()
        while True:
            await asyncio.sleep(self._seconds)
            passed = round(asyncio.get_running_loop().time() - begun)
            text = (
                f"Still {self._doing}" if self._doing.endswith("ing") else f"Working: {self._doing.replace('_', ' ')}"
            )
            data = {"doing": self._doing, "seconds": passed, "text": f"{text} ({passed} s)"}
            self._emit({"type": "data-progress", "transient": True, "data": data})
