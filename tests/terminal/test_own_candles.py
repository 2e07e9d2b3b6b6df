"""A user's own candles: real-world headers, times and intervals, and refused files."""

from pathlib import Path

import pytest

from strategybot.terminal.moments import unix_seconds
from strategybot.terminal.own_candles import read_candles
from strategybot.terminal.stop import Stop

PLAIN = "time,open,high,low,close,volume\n0,1,2,0.5,1.5,10\n3600,1.5,3,1,2,20\n"


def written(folder: Path, text: str | bytes) -> Path:
    file = folder / "candles.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0),
        ("1700000000", 1_700_000_000),
        (" 1700000000.5 ", 1_700_000_000.5),
        ("1.7e9", 1_700_000_000),
        ("1700000000123", 1_700_000_000.123),
        ("1700000000000000", 1_700_000_000),
        ("1700000000000000000", 1_700_000_000),
        ("1970-01-02", 86_400),
        ("19700102", 86_400),
        ("1970-01-01 01:00", 3600),
        ("1970-01-01T01:00:00Z", 3600),
        ("1970-01-01T01:00:00+01:00", 0),
        ("1970-01-01 00:00:01.500", 1.5),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("inf", None),
        ("nan", None),
        ("2026-13-01", None),
        ("0000-00-00", None),
    ],
)
def test_times_are_parsed_in_every_form(text: str, seconds: float | None) -> None:
    found = unix_seconds(text)
    assert found is None if seconds is None else found == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN,
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", "\t"),
        PLAIN.replace("time,open,high,low,close,volume", " Timestamp , OPEN,High,LOW,Close,Volume"),
        PLAIN + "\n\n",
        "Volume,Close,Low,High,Open,Date\n10,1.5,0.5,2,1,1970-01-01\n20,2,1,3,1.5,1970-01-01 01:00\n",
        "symbol,datetime,open,high,low,close,volume\nX,0,1,2,0.5,1.5,10\nX,3600,1.5,3,1,2,20,more\n",
        'time,open,high,low,close,volume\n"3600","1.5",3,1,2,20\n0,1,2,0.5,1.5,10\n',
    ],
    ids=[
        "plain",
        "CRLF",
        "BOM",
        "semicolons",
        "tabs",
        "letter case",
        "empty lines",
        "order",
        "other columns",
        "descending",
    ],
)
def test_equivalent_files_give_the_same_candles(tmp_path: Path, text: str) -> None:
    candles, report = read_candles(written(tmp_path, text), None)
    assert candles.interval_seconds == 3600
    assert candles.records() == [
        {"time": 0, "open": 1, "high": 2, "low": 0.5, "close": 1.5, "volume": 10},
        {"time": 3600, "open": 1.5, "high": 3, "low": 1, "close": 2, "volume": 20},
    ]
    assert (report.received, report.dropped) == (2, 0)


def test_unusable_rows_are_reported(tmp_path: Path) -> None:
    rows = "time,close\n0,1\n60,2\n60,3\nsoon,4\n120,zero\n120,-1\n180\n120,4\n"
    candles, report = read_candles(written(tmp_path, rows), None)
    assert candles.close.tolist() == [1, 3, 4]
    assert (report.received, report.dropped, report.duplicates, report.completed) == (8, 4, 1, 3)
    assert report.unknown_volumes == 3


@pytest.mark.parametrize(
    ("times", "given", "seconds"),
    [
        ("0 60 120 300 360", None, 60),
        ("0 300 600 660", None, 300),
        ("0 1800 3600", None, 1800),
        ("0 86400", None, 86_400),
        ("0", 60, 60),
        ("0 3600 7200", 3600, 3600),
        ("0 3600 7200", 60, 60),
    ],
)
def test_the_interval_is_the_most_frequent_distance(
    tmp_path: Path, times: str, given: int | None, seconds: int
) -> None:
    rows = "time,close\n" + "".join(f"{time},1\n" for time in times.split())
    assert read_candles(written(tmp_path, rows), given)[0].interval_seconds == seconds


@pytest.mark.parametrize(
    ("text", "given", "sentence"),
    [
        ("", None, "must begin with a header; it has no column named time or close."),
        ("0,1,1,1,1,1\n60,1,1,1,1,1\n", None, "must begin with a header; it has no column named time or close."),
        ("time,open\n0,1\n", None, "must begin with a header; it has no column named close."),
        ("date,time,close\n0,0,1\n", None, "has 2 columns for the time; one is needed."),
        ("time,close\n", None, "does not show how long a candle is; say it with --interval."),
        ("time,close\n", 60, "has no candle with a time and a close above zero."),
        ("time,close\n0,1\n", None, "does not show how long a candle is; say it with --interval."),
        ("time,close\n0,0\n60,x\n", None, "has no candle with a time and a close above zero."),
        ("time,close\n0,1\n60,1\n120,1\n", 3600, "are 1m apart; as 1h candles most would be lost."),
        ("time,close\n0,1\n604800,1\n", None, "are 7d apart; 1d is the most."),
        (b"time,close\n\xff\xfe", None, "is not a CSV file in UTF-8."),
    ],
)
def test_invalid_files_are_refused(tmp_path: Path, text: str | bytes, given: int | None, sentence: str) -> None:
    with pytest.raises(Stop) as stop:
        read_candles(written(tmp_path, text), given)
    assert str(stop.value).endswith(sentence)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for file, reason in ((tmp_path / "none.csv", "No such file or directory"), (tmp_path, "Is a directory")):
        with pytest.raises(Stop, match=f"cannot be read: {reason}"):
            read_candles(file, None)
