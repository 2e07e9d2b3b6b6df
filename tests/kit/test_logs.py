"""Logs are one JSON object per line, with the request they belong to."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from strategybot.kit.logs import configure_logging, note_account, request_facts


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    configure_logging(stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)


def test_a_record_is_one_json_object_on_one_line(stream: io.StringIO) -> None:
    with request_facts(request_id="abc", client="203.0.113.5"):
        note_account("owner")
        logging.getLogger("test").info("two\nlines and %s", "ünï", extra={"status": 200})
    (line,) = stream.getvalue().splitlines()
    entry = json.loads(line)
    assert entry.pop("at").endswith("Z")
    assert entry == {
        "level": "info",
        "logger": "test",
        "message": "two\nlines and ünï",
        "request_id": "abc",
        "client": "203.0.113.5",
        "account": "owner",
        "status": 200,
    }


def test_an_exception_stays_on_its_line(stream: io.StringIO) -> None:
    try:
        _ = 1 / 0
    except ZeroDivisionError:
        logging.getLogger("test").exception("failed")
    (line,) = stream.getvalue().splitlines()
    assert "ZeroDivisionError" in json.loads(line)["exception"]
    assert "request_id" not in json.loads(line)
