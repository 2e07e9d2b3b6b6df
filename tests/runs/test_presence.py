"""A process that has ended in any way is detected; a living one is not."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from strategybot.runs.presence import Presence

STAY = """
import sys, time
from pathlib import Path
from strategybot.runs.presence import Presence
presence = Presence(Path(sys.argv[1]))
presence.enter("other")
print("here", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("death", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_is_alive_until_it_dies(tmp_path: Path, death: signal.Signals) -> None:
    presence = Presence(tmp_path / "workers")
    with subprocess.Popen([sys.executable, "-c", STAY, tmp_path / "workers"], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert presence.find_gone() == []
        other.send_signal(death)
    assert presence.find_gone() == ["other"]
    presence.forget("other")
    assert presence.find_gone() == []


def test_a_process_sees_others_leave_but_not_itself(tmp_path: Path) -> None:
    one, other = Presence(tmp_path), Presence(tmp_path)
    one.enter("one")
    other.enter("other")
    assert (one.find_gone(), other.find_gone()) == ([], [])
    one.leave("one")
    assert other.find_gone() == ["one"]
    other.leave("other")
    assert sorted(one.find_gone()) == ["one", "other"]


def test_without_processes_none_is_gone(tmp_path: Path) -> None:
    assert Presence(tmp_path / "nowhere").find_gone() == []
