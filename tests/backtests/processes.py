"""Services in processes of their own, on one database."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2

from strategybot.accounts.tiers import Tier
from strategybot.app import Services
from strategybot.settings import Settings
from tests.backtests.upstream import HeldUpstream, with_key
from tests.servers import SECRET, ServiceProcess

SECONDS_TO_RECOVER = 60


class Stage:
    """Processes on one database, with a provider that can be blocked."""

    def __init__(self, folder: Path, upstream: HeldUpstream, stack: ExitStack, **environment: str) -> None:
        self._data, self._stack = with_key(folder), stack
        self._environment: dict[str, Any] = {"ave_data_url": upstream.url, "ave_trade_url": upstream.url, **environment}

    def processes(self, count: int) -> list[ServiceProcess]:
        services = [ServiceProcess(self._data, **self._environment) for _ in range(count)]
        for service in services:
            service.start()
            self._stack.callback(service.kill)
        for service in services:
            service.wait()
        return services

    def client(self, service: ServiceProcess) -> httpx2.Client:
        return self._stack.enter_context(httpx2.Client(base_url=service.url, timeout=60))


def revived(service: ServiceProcess) -> None:
    service.start()
    service.wait()


def set_tier(data: Path, url: str, email: str, tier: Tier) -> None:
    services = Services(Settings(_env_file=None, data_dir=data, database_url=url, secret_key=SECRET))
    services.operator.set_tier(email, tier)
    services.database.close()
