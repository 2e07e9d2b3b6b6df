"""`strategybot user disable`, which also stops what the account runs."""

from rich.console import Console

from strategybot.terminal.configuring import open_settings
from strategybot.terminal.opening import open_services


def disable(email: str) -> None:
    with open_services(open_settings()) as services:
        services.simulations.stop_all(services.operator.disable(email))
    Console().print(f"{email} is disabled: it cannot log in, and its simulations are stopped.", markup=False)
