"""What users did and what they were told: acknowledged, refused, or unknown, because nobody answered."""

import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx2

Outcome = Literal["acknowledged", "refused", "unknown"]
SECONDS_TO_ANSWER = 12
FINE = {*range(200, 500), 502, 503, 504}
"""Whatever breaks outside, an answer is one of these; a 500 would be a defect of ours."""


@dataclass(frozen=True, slots=True)
class Event:
    what: str
    outcome: Outcome
    sent: float
    received: float
    status: int | None
    answer: Any


client = httpx2.Client(timeout=SECONDS_TO_ANSWER, limits=httpx2.Limits(max_keepalive_connections=0))
"""For everybody: to make one takes longer than to ask. Nobody keeps a connection to a process that may be dead."""


@dataclass
class History:
    events: list[Event] = field(default_factory=list)
    defects: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, what: str, method: str, url: str, **request: Any) -> Event:
        sent = time.monotonic()
        try:
            reply = client.request(method, url, **request)
        except httpx2.TransportError:
            return self._note(Event(what, "unknown", sent, time.monotonic(), None, None))
        if reply.status_code not in FINE:
            self.defect(f"{method} {url}: {reply.status_code} {reply.text[:200]}")
        answer = reply.json() if reply.content else None
        return self._note(Event(what, _outcome(reply.status_code), sent, time.monotonic(), reply.status_code, answer))

    def _note(self, event: Event) -> Event:
        with self._lock:
            self.events.append(event)
        return event

    def defect(self, sentence: str) -> None:
        with self._lock:
            self.defects.append(sentence)

    def counts(self) -> dict[str, Counter[str]]:
        by_kind: dict[str, Counter[str]] = {}
        for event in self.events:
            by_kind.setdefault(event.what, Counter())[event.outcome] += 1
        return by_kind


def _outcome(status: int) -> Outcome:
    """An error of the server's may come after it was done: nobody knows."""
    return "acknowledged" if status < 300 else "refused" if status < 500 else "unknown"
