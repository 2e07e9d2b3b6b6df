"""The machine as all tests find it, those in the browser too: temporary files in memory, and no settings of its user."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

ROOM_FOR_ALL = 2 * 1024**3


def pytest_configure() -> None:
    """Keep temporary files in memory if there is room: on a disk, syncing and deleting them takes most of the time."""
    memory = Path("/dev/shm")
    if "TMPDIR" not in os.environ and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM_FOR_ALL:
        os.environ["TMPDIR"] = tempfile.tempdir = str(memory)


@pytest.fixture(scope="session", autouse=True)
def _own_environment() -> None:
    """Remove a developer's own settings from the environment."""
    for name in [name for name in os.environ if name.startswith(("STRATEGYBOT_", "AVE_"))]:
        del os.environ[name]
