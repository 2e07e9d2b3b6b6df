"""Set-up for the commands that need only the accounts. Opening all services would take four seconds longer."""

from collections.abc import Iterator
from contextlib import contextmanager

from strategybot import data_folder
from strategybot.accounts.credentials import Passwords
from strategybot.accounts.operator import Operator
from strategybot.kit.clock import steady_clock
from strategybot.kit.database import Database
from strategybot.migrations import migrate
from strategybot.terminal.configuring import open_settings
from strategybot.terminal.failing import plainly


@contextmanager
def open_operator() -> Iterator[Operator]:
    settings = open_settings()
    with plainly(settings.data_dir):
        data_folder.prepare(settings.data_dir)
        database = Database(settings.database)
        try:
            migrate(database)
            yield Operator(database, Passwords(), steady_clock)
        finally:
            database.close()
