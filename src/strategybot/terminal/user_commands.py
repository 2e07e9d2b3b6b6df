"""`strategybot user`: account management for the operator. As in `cli`, the service is imported when a command runs."""

from typing import Annotated, get_args

import typer

user = typer.Typer(help="Manage accounts.", no_args_is_help=True, rich_markup_mode=None)


@user.command("list")
def list_users() -> None:
    """List all accounts, oldest first."""
    from rich.console import Console
    from rich.table import Table

    from strategybot.terminal.setup import open_operator

    with open_operator() as operator:
        users = operator.users()
    if not users:
        typer.echo("No one has registered yet.")
        return
    table = Table("Email", "Tier", "Since", "Disabled")
    for email, tier, since, disabled in users:
        table.add_row(email, tier, f"{since:%Y-%m-%d}", f"{disabled:%Y-%m-%d}" if disabled else "")
    Console().print(table)


@user.command("set-tier")
def set_tier(email: str, tier: str) -> None:
    """Set the tier of the account with this EMAIL: free, normal or pro."""
    from strategybot.accounts.tiers import Tier
    from strategybot.terminal.setup import open_operator
    from strategybot.terminal.stop import Stop

    if tier not in get_args(Tier):
        raise Stop(f"TIER must be one of {', '.join(get_args(Tier))}.")
    with open_operator() as operator:
        operator.set_tier(email, tier)  # type: ignore[arg-type]  # it is one of them: see above
    typer.echo(f"{email} is in the {tier} tier now.")


@user.command("disable")
def disable_user(email: str) -> None:
    """Refuse every login and token of the account with this EMAIL, and stop its simulations."""
    from strategybot.terminal.setup import open_services, open_settings

    with open_services(open_settings()) as services:
        services.runs.stop_all(services.operator.disable(email))
    typer.echo(f"{email} is disabled: it cannot log in, its simulations and watches are stopped.")


@user.command("enable")
def enable_user(email: str) -> None:
    """Let the account with this EMAIL log in again."""
    from strategybot.terminal.setup import open_operator

    with open_operator() as operator:
        operator.enable(email)
    typer.echo(f"{email} can log in again.")


@user.command("delete")
def delete_user(email: str, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Delete the account with this EMAIL and everything it owns, permanently."""
    from strategybot.terminal.setup import open_operator

    if not yes:
        typer.confirm(f"Delete {email} with all bots, runs and conversations, for good?", abort=True)
    with open_operator() as operator:
        operator.delete(email)
    typer.echo(f"{email} is deleted.")


@user.command("reset-password")
def reset_password(email: str) -> None:
    """Give the account with this EMAIL a new random password, print it, and revoke all its logins."""
    from strategybot.terminal.setup import open_operator

    with open_operator() as operator:
        password = operator.reset_password(email)
    typer.echo(f"The new password of {email} is {password}")
