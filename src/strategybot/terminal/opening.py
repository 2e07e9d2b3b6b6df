"""Set-up for commands: opens the services on a migrated database."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from strategybot.app import Services
from strategybot.migrations import migrate
from strategybot.settings import Settings
from strategybot.terminal.failing import plainly

OBJECTS_BETWEEN_COLLECTIONS = (10_000, 20, 50)


def tune_garbage_collector() -> None:
    """Let garbage collection stop a long-running process as rarely and as shortly as possible.

    A full collection of everything that is loaded by now would block every thread for 0.1 s. Those that remain look
    through what runs have left behind, 30 ms each; by default there were three a second beside two long backtests.
    """
    gc.freeze()
    gc.set_threshold(*OBJECTS_BETWEEN_COLLECTIONS)


@contextmanager
def open_services(settings: Settings) -> Iterator[Services]:
    with plainly(settings.data_dir):
        services = Services(settings)
        try:
            migrate(services.database)
            yield services
        finally:
            services.database.close()
