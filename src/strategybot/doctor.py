"""Looks at an installation and says, thing by thing, what is well and what is not."""

import platform
import stat
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

from strategybot.kit.database import Database
from strategybot.migrations import current_revision, newest_revision
from strategybot.settings import Settings


@dataclass(frozen=True, slots=True)
class Finding:
    what: str
    well: bool
    says: str


class Fault(Exception):
    """Something is not well."""


def examine(settings: Settings) -> list[Finding]:
    return [_finding(what, look, settings) for what, look in EXAMINATIONS.items()]


def _finding(what: str, look: Callable[[Settings], str], settings: Settings) -> Finding:
    try:
        return Finding(what, True, look(settings))
    except Exception as error:  # noqa: BLE001  a doctor reports every fault instead of dying of it
        return Finding(what, False, str(error) or type(error).__name__)


def _python(_settings: Settings) -> str:
    return f"{platform.python_version()} on {platform.system()} {platform.machine()}"


def _data_directory(settings: Settings) -> str:
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=settings.data_dir):
        return f"{settings.data_dir.resolve()} can be written"


def _secret(settings: Settings) -> str:
    kept = settings.data_dir / "secret_key"
    if settings.secret_key is not None:
        return "given by STRATEGYBOT_SECRET_KEY"
    if not kept.exists():
        return f"will be made at the first start, in {kept}"
    if kept.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise Fault(f"others can read {kept}; run: chmod 600 {kept}")
    return f"kept in {kept}, readable by its owner alone"


def _database(settings: Settings) -> str:
    database = Database(settings.database)
    try:
        return f"{database.name} answers; {_schema_state(current_revision(database))}"
    finally:
        database.close()


def _schema_state(revision: str | None) -> str:
    if revision is None:
        return "its tables are made at the first start"
    return "its tables are up to date" if revision == newest_revision() else "its tables are updated at the next start"


EXAMINATIONS: dict[str, Callable[[Settings], str]] = {
    "Python": _python,
    "Data directory": _data_directory,
    "Secret": _secret,
    "Database": _database,
}
