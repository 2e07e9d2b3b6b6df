"""Identifiers: version 7 UUIDs, which sort by creation time."""

import re
import secrets
import time
import uuid

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def new_id() -> str:
    """Return an id of millisecond time, microseconds within it, and 62 random bits (RFC 9562, method 3)."""
    microseconds = time.time_ns() // 1000
    milliseconds, fraction = divmod(microseconds, 1000)
    value = (
        milliseconds << 80 | 7 << 76 | (fraction << 2 | secrets.randbits(2)) << 64 | 0b10 << 62 | secrets.randbits(62)
    )
    return str(uuid.UUID(int=value))


def is_id(text: str) -> bool:
    """Return whether the text has the form of an id; other texts need no lookup."""
    return _UUID.fullmatch(text) is not None
