"""How a command ends that cannot use its database or its folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from strategybot.kit.errors import AppError
from strategybot.migrations import DatabaseTooNew
from strategybot.secret import SecretUnusable
from strategybot.terminal.stopping import Stop


@contextmanager
def plainly(data_dir: Path) -> Iterator[None]:
    """End the command with one clear sentence for each error that is not a defect."""
    try:
        yield
    except (AppError, DatabaseTooNew, SecretUnusable) as error:
        raise Stop(str(error)) from error
    except OSError as error:
        raise Stop(f"STRATEGYBOT_DATA_DIR cannot be used: {error.strerror or error} ({data_dir}).") from error
