"""The names and options of `strategybot user`; as in `cli`, the work is imported when a command runs."""

from typing import Annotated

import typer

user = typer.Typer(help="Manage accounts.", no_args_is_help=True, rich_markup_mode=None)


@user.command("list")
def list_users() -> None:
    """List all accounts, oldest first."""
    from strategybot.terminal.users import list_users

    list_users()


@user.command("set-tier")
def set_tier(email: str, tier: str) -> None:
    """Set the tier of the account with this EMAIL: free, normal or pro."""
    from strategybot.terminal.users import set_tier

    set_tier(email, tier)


@user.command("disable")
def disable_user(email: str) -> None:
    """Refuse every login and token of the account with this EMAIL, and stop its simulations."""
    from strategybot.terminal.users import disable

    disable(email)


@user.command("enable")
def enable_user(email: str) -> None:
    """Let the account with this EMAIL log in again."""
    from strategybot.terminal.users import enable

    enable(email)


@user.command("delete")
def delete_user(email: str, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Delete the account with this EMAIL and everything it owns, permanently."""
    from strategybot.terminal.users import delete

    if not yes:
        typer.confirm(f"Delete {email} with all bots, runs and conversations, for good?", abort=True)
    delete(email)


@user.command("reset-password")
def reset_password(email: str) -> None:
    """Give the account with this EMAIL a new random password, print it, and revoke all its logins."""
    from strategybot.terminal.users import reset_password

    reset_password(email)
