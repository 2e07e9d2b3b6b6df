"""Registers users of a command's database."""

from pathlib import Path

from strategybot.app import Services
from strategybot.migrations import migrate
from strategybot.settings import Settings
from tests.servers import SECRET


def register(data: Path, *emails: str) -> None:
    settings = Settings(_env_file=None, data_dir=data, secret_key=SECRET)
    services = Services(settings)
    migrate(services.database)
    for email in emails:
        services.accounts.open_account(email, "(no password)", "127.0.0.1", None)
    services.database.close()
