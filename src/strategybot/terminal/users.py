"""`strategybot user`: account management for the operator."""

from typing import get_args

from rich.console import Console
from rich.table import Table

from strategybot.accounts.tiers import Tier
from strategybot.terminal.setup import open_operator, open_services, open_settings
from strategybot.terminal.stop import Stop


def list_users() -> None:
    with open_operator() as operator:
        users = operator.users()
    console = Console()
    if not users:
        console.print("No one has registered yet.")
        return
    table = Table("Email", "Tier", "Since", "Disabled")
    for email, tier, since, disabled in users:
        table.add_row(email, tier, f"{since:%Y-%m-%d}", f"{disabled:%Y-%m-%d}" if disabled else "")
    console.print(table)


def set_tier(email: str, tier: str) -> None:
    if tier not in get_args(Tier):
        raise Stop(f"TIER must be one of {', '.join(get_args(Tier))}.")
    with open_operator() as operator:
        operator.set_tier(email, tier)  # type: ignore[arg-type]  # it is one of them: see above
    Console().print(f"{email} is in the {tier} tier now.", markup=False)


def enable(email: str) -> None:
    with open_operator() as operator:
        operator.enable(email)
    Console().print(f"{email} can log in again.", markup=False)


def delete(email: str) -> None:
    with open_operator() as operator:
        operator.delete(email)
    Console().print(f"{email} is deleted.", markup=False)


def reset_password(email: str) -> None:
    with open_operator() as operator:
        password = operator.reset_password(email)
    Console().print(f"The new password of {email} is {password}", markup=False, soft_wrap=True)


def disable(email: str) -> None:
    """Disable the account, and stop what it runs."""
    with open_services(open_settings()) as services:
        services.runs.stop_all(services.operator.disable(email))
    Console().print(f"{email} is disabled: it cannot log in, its simulations and watches are stopped.", markup=False)
