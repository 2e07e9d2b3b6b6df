"""Whether another process of this machine is still there: each holds a lock on a file of its own while it lives.

The system lets go of the lock the moment a process dies, however it dies. So one that was killed is known to be gone
at once, and not only when it has been silent for long. Of other machines a lock says nothing: they are left alone.
"""

import fcntl
from pathlib import Path
from typing import IO

BOOT = Path("/proc/sys/kernel/random/boot_id")


class Presence:
    def __init__(self, folder: Path) -> None:
        self._folder = folder / (BOOT.read_text().strip() if BOOT.exists() else "here")
        self._held: dict[str, IO[bytes]] = {}

    def enter(self, name: str) -> None:
        """Be seen under this name, for as long as this process lives."""
        self._folder.mkdir(parents=True, exist_ok=True)
        outside = self._folder.parent / name  # until it is locked: a free file within is taken for a death
        self._held[name] = held = outside.open("wb")
        fcntl.flock(held, fcntl.LOCK_EX)
        outside.rename(self._folder / name)

    def leave(self, name: str) -> None:
        """Be gone, as if this process had died."""
        self._held.pop(name).close()

    def gone(self) -> list[str]:
        """The names of those who were here, until they are forgotten."""
        others = (path for path in self._folder.glob("*") if path.name not in self._held)
        return [path.name for path in others if _is_free(path)]

    def forget(self, name: str) -> None:
        (self._folder / name).unlink(missing_ok=True)


def _is_free(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, FileNotFoundError):
        return False
    return True
