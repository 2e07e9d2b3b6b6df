"""The data directory: it holds password hashes and the secret, so only its owner may read it."""

import logging
import stat
from pathlib import Path

logger = logging.getLogger("strategybot")

OF_OTHERS = 0o077
FILES = ("secret_key", "strategybot.db", "strategybot.db-wal", "strategybot.db-shm")


def prepare(folder: Path) -> None:
    """Make the directory, and take away the rights that others have to it or to our files in it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in readable_by_others(folder):
        try:
            path.chmod(path.stat().st_mode & 0o700)
        except PermissionError:
            logger.warning("others can read %s, and it belongs to somebody else: its rights stay", path)


def readable_by_others(folder: Path) -> list[Path]:
    """Return the directory and those of our files in it that others can reach; none if the directory is closed."""
    mode = folder.stat().st_mode
    if not mode & OF_OTHERS:
        return []
    is_shared = mode & stat.S_ISVTX  # such as /tmp: it is not ours to close
    paths = [] if is_shared else [folder]
    paths += [folder / name for name in FILES if (folder / name).exists()]
    return [path for path in paths if path.stat().st_mode & OF_OTHERS]
