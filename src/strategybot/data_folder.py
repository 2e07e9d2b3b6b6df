"""The data directory. It holds password hashes and the secret, so only its owner may read it."""

import logging
import stat
from pathlib import Path

logger = logging.getLogger("strategybot")

OF_OTHERS = 0o077
FILES = ("secret_key", "strategybot.db", "strategybot.db-wal", "strategybot.db-shm")


def prepare(folder: Path) -> None:
    """Create the directory, and remove other users' permissions on it and on our files in it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in _open_to_others(folder):
        try:
            path.chmod(path.stat().st_mode & 0o700)
        except PermissionError:
            logger.warning("other users can read %s, which another user owns: its permissions stay", path)


def readable_by_others(folder: Path) -> list[Path]:
    """Return the directory and our files in it that other users can read; empty if the directory itself is closed."""
    return _open_to_others(folder) if folder.stat().st_mode & OF_OTHERS else []


def _open_to_others(folder: Path) -> list[Path]:
    """Return the directory and our files in it whose permissions are not the owner's alone."""
    is_shared = folder.stat().st_mode & stat.S_ISVTX  # such as /tmp, whose permissions must not be changed
    paths = [] if is_shared else [folder]
    paths += [folder / name for name in FILES if (folder / name).exists()]
    return [path for path in paths if path.stat().st_mode & OF_OTHERS]
