"""How traders talk, against the offline model; it was made with these utterances in view, so it has to read them all."""

import sys
from pathlib import Path

import pytest

from tests.conversations.offline.score import score

TABLE = Path(__file__).parent.parent / "utterances.json"


def test_what_traders_say_is_done_exactly(capsys: pytest.CaptureFixture[str]) -> None:
    result = score(TABLE)
    with capsys.disabled():
        sys.stdout.write(f"\n{result}\n")
    assert not result.missed, "\n".join(map(str, result.missed))
