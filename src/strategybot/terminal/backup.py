"""`strategybot backup`: copies the SQLite database while the service runs."""

import os
import sys
from pathlib import Path

from strategybot.kit.database import Database, DatabaseUnavailable
from strategybot.terminal.setup import open_settings
from strategybot.terminal.stop import NOTHING_TO_WORK_WITH, Stop


def backup(to: Path) -> None:
    """Copy the SQLite database into a new file."""
    settings = open_settings()
    database = Database(settings.database)
    try:
        _refuse_impossible(database, to)
        to.touch(mode=0o600)  # it holds password hashes
        database.copy_to(to)
    except (OSError, DatabaseUnavailable) as error:
        to.unlink(missing_ok=True)
        raise Stop(f"The copy could not be made: {error}.", NOTHING_TO_WORK_WITH) from error
    finally:
        database.close()
    sys.stdout.write(f"Copied {database.name} to {to} ({to.stat().st_size:,} bytes).\n")


def _refuse_impossible(database: Database, to: Path) -> None:
    if not database.is_sqlite:
        raise Stop("This database is PostgreSQL: pg_dump copies it, and docs/operations.md shows how.")
    source = Path(database.engine.url.database or "")
    if not source.is_file():
        raise Stop(f"There is nothing to copy yet: {source} does not exist.", NOTHING_TO_WORK_WITH)
    if os.path.lexists(to):
        raise Stop(f"{to} exists already; name a new file.")
