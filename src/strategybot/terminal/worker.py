"""`strategybot worker`: a process that runs jobs and serves no requests."""

import signal
import sys

import anyio

from strategybot.app import Services, working
from strategybot.kit.descriptors import raise_descriptor_limit
from strategybot.kit.logs import configure_logging
from strategybot.kit.memory import tune_garbage_collector
from strategybot.terminal.setup import open_services, open_settings
from strategybot.terminal.stop import Stop


def worker() -> None:
    """Run backtests and simulations until stopped."""
    settings = open_settings()
    if settings.queue_url.startswith("memory://"):
        raise Stop("A worker needs a queue that it shares with the service: set STRATEGYBOT_QUEUE_URL to redis://….")
    configure_logging()
    raise_descriptor_limit()
    with open_services(settings) as services:
        tune_garbage_collector()
        sys.stderr.write("Strategy Bot works on backtests and simulations. Stop it with Ctrl+C.\n")
        anyio.run(_work_until_asked_to_stop, services, backend_options={"use_uvloop": True})


async def _work_until_asked_to_stop(services: Services) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with working(services):
            await anext(aiter(signals))
