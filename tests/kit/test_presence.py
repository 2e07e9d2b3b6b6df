"""A process that is gone, however it went, is known to be gone; one that lives is not."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from strategybot.kit.presence import Presence

STAY = """
import sys, time
from pathlib import Path
from strategybot.kit.presence import Presence
presence = Presence(Path(sys.argv[1]))
presence.enter("other")
print("here", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("death", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_is_here_until_it_dies(tmp_path: Path, death: signal.Signals) -> None:
    presence = Presence(tmp_path / "workers")
    with subprocess.Popen([sys.executable, "-c", STAY, tmp_path / "workers"], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert presence.gone() == []
        other.send_signal(death)
    assert presence.gone() == ["other"]
    presence.forget("other")
    assert presence.gone() == []


def test_one_sees_the_other_leave_and_never_oneself(tmp_path: Path) -> None:
    one, other = Presence(tmp_path), Presence(tmp_path)
    one.enter("one")
    other.enter("other")
    assert (one.gone(), other.gone()) == ([], [])
    one.leave("one")
    assert other.gone() == ["one"]
    other.leave("other")
    assert sorted(one.gone()) == ["one", "other"]


def test_where_nobody_was_nobody_is_gone(tmp_path: Path) -> None:
    assert Presence(tmp_path / "nowhere").gone() == []
