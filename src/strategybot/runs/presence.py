"""Detects whether another process of this machine is alive: each holds a lock on its own file while it lives.

The operating system releases the lock as soon as a process dies, however it dies. So a killed process is noticed at
once, and not only after its heartbeat is late. Locks say nothing about other machines, whose processes are ignored.
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
        """Register this process under the name until it ends."""
        self._folder.mkdir(parents=True, exist_ok=True)
        # the file is locked before it is moved in: an unlocked file in the folder counts as a dead process
        outside = self._folder.parent / name
        self._held[name] = held = outside.open("wb")
        fcntl.flock(held, fcntl.LOCK_EX)
        outside.rename(self._folder / name)

    def leave(self, name: str) -> None:
        """Release the name, as if this process had died."""
        self._held.pop(name).close()

    def find_gone(self) -> list[str]:
        """Return the names of processes that have died and are not forgotten yet."""
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
