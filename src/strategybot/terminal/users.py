"""`strategybot user`: the operator's view of the accounts."""

from typing import get_args

from rich.console import Console
from rich.table import Table

from strategybot.accounts.tiers import Tier
from strategybot.terminal.opening import open_services, open_settings
from strategybot.terminal.stopping import Stop


def list_users() -> None:
    with open_services(open_settings()) as services:
        users = services.accounts.users()
    console = Console()
    if not users:
        console.print("No one has registered yet.")
        return
    table = Table("Email", "Tier", "Since")
    for email, tier, since in users:
        table.add_row(email, tier, f"{since:%Y-%m-%d}")
    console.print(table)


def set_tier(email: str, tier: str) -> None:
    if tier not in get_args(Tier):
        raise Stop(f"TIER must be one of {', '.join(get_args(Tier))}.")
    with open_services(open_settings()) as services:
        services.accounts.set_tier(email, tier)  # type: ignore[arg-type]  # it is one of them: see above
    Console().print(f"{email} is in the {tier} tier now.", markup=False)
