"""Logs: one JSON object per line on standard output, with the request id, client and account."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import lru_cache
from typing import TextIO

from strategybot.kit.json_object import json_text

_request_facts: ContextVar[dict[str, str] | None] = ContextVar("request_facts", default=None)

# Attributes that `logging` itself sets on a record; all others were passed as `extra`.
_OWN_ATTRIBUTES = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


@contextmanager
def request_facts(**facts: str) -> Iterator[None]:
    """Add these fields to every line that is logged in this block, and in the threads and tasks that it starts."""
    mark = _request_facts.set(facts)
    try:
        yield
    finally:
        _request_facts.reset(mark)


def note_account(account_id: str) -> None:
    """Add the account's id to the following lines of this request. Email addresses are never logged."""
    facts = _request_facts.get()
    if facts is not None:
        facts["account"] = account_id


def account_of_request() -> str:
    """Return the id of the account of this request, or an empty string."""
    return (_request_facts.get() or {}).get("account", "")


def requester() -> str:
    """Return the id of the account of this request, else the client's address, else an empty string."""
    facts = _request_facts.get() or {}
    return facts.get("account") or facts.get("client", "")


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        second, fraction = divmod(record.created, 1)
        line: dict[str, object] = {
            "at": f"{_text_of(second)}.{int(1000 * fraction):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= _request_facts.get() or {}
        line |= {key: value for key, value in vars(record).items() if key not in _OWN_ATTRIBUTES}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json_text(line, fallback=str)


@lru_cache(maxsize=1)
def _text_of(second: float) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def configure_logging(stream: TextIO = sys.stdout) -> None:
    # No line shows these fields, nor the place of the call, and collecting them takes a third of the time of a line.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging._srcfile = None  # noqa: SLF001  as the documentation of `logging` says
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)
