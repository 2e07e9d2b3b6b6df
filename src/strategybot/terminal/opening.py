"""Set-up for commands: opens the services on a migrated database."""

from collections.abc import Iterator
from contextlib import contextmanager

from strategybot.app import Services
from strategybot.migrations import migrate
from strategybot.settings import Settings
from strategybot.terminal.failing import plainly


@contextmanager
def open_services(settings: Settings) -> Iterator[Services]:
    with plainly(settings.data_dir):
        services = Services(settings)
        try:
            migrate(services.database)
            yield services
        finally:
            services.database.close()
