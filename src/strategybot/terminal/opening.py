"""Set-up for commands: loads the settings and opens the services on a migrated database."""

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

OBJECTS_BETWEEN_COLLECTIONS = (10_000, 20, 50)


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


def tune_garbage_collector() -> None:
    """Let garbage collection stop a long-running process as rarely and as shortly as possible.

    A full collection of everything that is loaded by now would block every thread for 0.1 s. Those that remain look
    through what runs have left behind, 30 ms each; by default there were three a second beside two long backtests.
    """
    gc.freeze()
    gc.set_threshold(*OBJECTS_BETWEEN_COLLECTIONS)


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
