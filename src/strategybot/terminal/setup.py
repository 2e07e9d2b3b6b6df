"""What a command opens before it works: the settings, the accounts alone, or all services."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from strategybot import data_folder
from strategybot.accounts.credentials import Passwords
from strategybot.accounts.operator import Operator
from strategybot.kit.clock import steady_clock
from strategybot.kit.database import Database
from strategybot.kit.errors import AppError
from strategybot.kit.validation import field_errors
from strategybot.migrations import DatabaseTooNew, migrate
from strategybot.secret import SecretUnusable
from strategybot.settings import Settings
from strategybot.terminal.stop import Stop

if TYPE_CHECKING:
    from strategybot.app import Services


def open_settings() -> Settings:
    try:
        return Settings()
    except ValidationError as error:
        problems = field_errors(error.errors(), None)
        raise Stop("; ".join(f"{_variable(problem.field)} {problem.message}" for problem in problems) + ".") from None


def _variable(field: str) -> str:
    """Return the setting's environment variable. Variables of a provider keep the provider's name, without
    our prefix.
    """
    return field if field.isupper() else f"STRATEGYBOT_{field.upper()}"


@contextmanager
def plainly(data_dir: Path) -> Iterator[None]:
    """End the command with one clear sentence for each error that is not a defect."""
    try:
        yield
    except (AppError, DatabaseTooNew, SecretUnusable) as error:
        raise Stop(str(error)) from error
    except OSError as error:
        raise Stop(f"STRATEGYBOT_DATA_DIR cannot be used: {error.strerror or error} ({data_dir}).") from error


@contextmanager
def open_operator() -> Iterator[Operator]:
    """Open the accounts on a migrated database. All services would take four seconds longer."""
    settings = open_settings()
    with plainly(settings.data_dir):
        data_folder.prepare(settings.data_dir)
        database = Database(settings.database)
        try:
            migrate(database)
            yield Operator(database, Passwords(), steady_clock)
        finally:
            database.close()


@contextmanager
def open_services(settings: Settings) -> Iterator["Services"]:
    """Open all services on a migrated database."""
    from strategybot.app import Services  # noqa: PLC0415  it imports the compiler

    with plainly(settings.data_dir):
        services = Services(settings)
        try:
            migrate(services.database)
            yield services
        finally:
            services.database.close()
