"""Keeps the newest results of long work, by what they were made from, up to a number of bytes."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from hashlib import sha256


@dataclass(frozen=True, slots=True)
class Content:
    """The body of a response, and the tag by which a client asks whether it has changed."""

    body: bytes
    etag: str

    @classmethod
    def of(cls, body: bytes) -> "Content":
        return cls(body, f'"{sha256(body).hexdigest()[:32]}"')


class ContentCache:
    """Thread-safe. Nothing is ever changed in it: what is made from other content has another key."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes, self._bytes = most_bytes, 0
        self._contents: OrderedDict[Hashable, Content] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Content | None:
        with self._lock:
            found = self._contents.get(key)
            if found is not None:
                self._contents.move_to_end(key)
            return found

    def get_or_make(self, key: Hashable, make: Callable[[], bytes]) -> Content:
        """Return the content of the key; make and keep it if it is missing."""
        if (found := self.get(key)) is None:
            found = Content.of(make())
            self._keep(key, found)
        return found

    def _keep(self, key: Hashable, content: Content) -> None:
        with self._lock:
            if key in self._contents or len(content.body) > self._most_bytes:
                return
            self._contents[key] = content
            self._bytes += len(content.body)
            while self._bytes > self._most_bytes:
                _, oldest = self._contents.popitem(last=False)
                self._bytes -= len(oldest.body)
