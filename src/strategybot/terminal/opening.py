"""What every command begins with: the settings, and the services on a database that is up to date."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import ValidationError

from strategybot.app import Services
from strategybot.kit.errors import AppError
from strategybot.kit.validation import field_errors
from strategybot.migrations import DatabaseTooNew, migrate
from strategybot.secret import SecretUnusable
from strategybot.settings import Settings
from strategybot.terminal.stopping import Stop


def open_settings() -> Settings:
    try:
        return Settings()
    except ValidationError as error:
        problems = field_errors(error.errors(), None)
        raise Stop("; ".join(f"{_variable(problem.field)} {problem.message}" for problem in problems) + ".") from None


def _variable(field: str) -> str:
    """A setting's name in the environment; those of the provider's own are called what they are called everywhere."""
    return field if field.isupper() else f"STRATEGYBOT_{field.upper()}"


def settle_in() -> None:
    """For a process that is to run for long. All that is loaded by now stays, and the garbage collector need never look
    through it again: each time, that would hold every thread for a tenth of a second."""
    gc.freeze()


@contextmanager
def open_services(settings: Settings) -> Iterator[Services]:
    services = None
    try:
        services = Services(settings)
        migrate(services.database)
        yield services
    except (AppError, DatabaseTooNew, SecretUnusable) as error:
        raise Stop(str(error)) from error
    except OSError as error:
        raise Stop(f"STRATEGYBOT_DATA_DIR cannot be used: {error.strerror or error} ({settings.data_dir}).") from error
    finally:
        if services is not None:
            services.database.close()
