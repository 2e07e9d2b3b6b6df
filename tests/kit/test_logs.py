"""Logs are one JSON object per line, with the request they belong to."""

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from strategybot.kit.logs import JsonFormatter, configure_logging, note_account, request_facts


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


def test_the_time_of_a_line_is_that_of_its_record_to_the_millisecond() -> None:
    for created, text in (
        (1_767_323_045.678901, "2026-01-02T03:04:05.678Z"),
        (1_767_323_046.0, "2026-01-02T03:04:06.000Z"),
    ):
        record = logging.makeLogRecord({"created": created})
        assert json.loads(JsonFormatter().format(record))["at"] == text


def test_whatever_a_record_holds_is_one_valid_line(stream: io.StringIO) -> None:
    logging.getLogger("test").info("odd", extra={"path": Path("/x"), "half": "\ud800", "number": float("nan")})
    (line,) = stream.getvalue().splitlines()
    assert line.encode()
    assert json.loads(line)["path"] == "/x"
