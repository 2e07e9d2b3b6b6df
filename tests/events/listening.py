"""Reads a stream of events of a real service in a thread."""

import json
import threading
import time
from collections.abc import Callable
from queue import Empty, Queue
from typing import Any, Self

import httpx2

Event = dict[str, Any]


class Listener:
    """The events of one stream as `{"event", "id", "data"}`; `closed` is set once the stream has ended."""

    def __init__(self, url: str, headers: dict[str, str], last_event_id: str | None = None) -> None:
        self._url, self._headers = f"{url}/api/events", dict(headers)
        if last_event_id is not None:
            self._headers["Last-Event-ID"] = last_event_id
        self._events: Queue[Event] = Queue()
        self.closed, self.status = threading.Event(), 0
        self.last_id: str | None = None

    def __enter__(self) -> Self:
        self._client = httpx2.Client(timeout=60)
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def next(self, kind: str, seconds: float = 10, matches: Callable[[Event], bool] = lambda _: True) -> Event:
        """Return the next event of this kind; others before it are ignored."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                event = self._events.get(timeout=max(0.01, deadline - time.monotonic()))
            except Empty:
                raise AssertionError(f"no {kind} event in {seconds} s") from None
            self.last_id = event["id"] or self.last_id
            if event["event"] == kind and matches(event):
                return event

    def is_silent(self, seconds: float) -> bool:
        time.sleep(seconds)
        return self._events.empty()

    def _listen(self) -> None:
        try:
            with self._client.stream("GET", self._url, headers=self._headers) as answer:
                self.status = answer.status_code
                fields: dict[str, str] = {}
                for line in answer.iter_lines():
                    fields = self._taken(line, fields)
        except (httpx2.TransportError, httpx2.StreamError, RuntimeError):
            pass  # the client or the server has closed it
        finally:
            self.closed.set()

    def _taken(self, line: str, fields: dict[str, str]) -> dict[str, str]:
        if line:
            name, _, value = line.partition(": ")
            return {**fields, name: value}
        if "event" in fields:
            event = {"event": fields["event"], "id": fields.get("id"), "data": json.loads(fields["data"])}
            self._events.put(event)
        return {}
