"""How traders talk, against the offline model: what it was made with, what it does not read yet, and what it never met.

`unseen.json` was written by somebody who had not read the parser, and whoever changes the parser does not read it: the
tests print its figures and none of its rows.
"""

import json
import re
import sys
from pathlib import Path

import pytest

from tests.conversations.offline.score import Score, score

TABLES = Path(__file__).parent.parent
TABLE = TABLES / "utterances.json"
NOT_YET = TABLES / "not_yet.json"
UNSEEN = TABLES / "unseen.json"
ORDERS = TABLES / "orders.json"
EVERYDAY = TABLES / "everyday.json"
LEAST_EXACT, LEAST_WITHIN_ONE_YES, LEAST_SAFE = 0.92, 0.98, 1.0


def printed(name: str, result: Score, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{name}: {result}\n")


@pytest.mark.parametrize("table", [TABLE, ORDERS, EVERYDAY], ids=lambda table: table.stem)
def test_what_traders_say_is_done_exactly(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = score(table)
    printed(table.stem, result, capsys)
    assert not result.missed, "\n".join(map(str, result.missed))


def test_what_was_never_met_is_mostly_done_and_never_misdone(capsys: pytest.CaptureFixture[str]) -> None:
    result = score(UNSEEN)
    printed("unseen", result, capsys)
    assert result.safe >= LEAST_SAFE
    assert result.exact >= LEAST_EXACT
    assert result.within_one_yes >= LEAST_WITHIN_ONE_YES


def test_what_is_not_read_yet_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """A row that is read exactly by now belongs into the table."""
    result = score(NOT_YET)
    printed("not yet", result, capsys)
    assert result.safe == 1.0, "\n".join(str(verdict) for verdict in result.missed if not verdict.safe)
    assert result.exact == 0.0


def test_nothing_unseen_stands_in_the_table() -> None:
    seen, unseen = (
        {re.sub(r"[^a-z0-9%.]+", " ", row["say"].lower()).strip() for row in json.loads(table.read_text("utf-8"))}
        for table in (TABLE, UNSEEN)
    )
    assert not seen & unseen
