"""The `strategybot` command."""

import json
import signal
import socket
import sys
from functools import partial
from typing import Annotated, get_args

import typer
import uvicorn
from rich.console import Console
from rich.table import Table
from rich.text import Text

from strategybot.accounts.tiers import Tier
from strategybot.app import create_app
from strategybot.conversations.in_hand import TurnsInHand
from strategybot.doctor import examine
from strategybot.kit.descriptors import connections_within, raise_descriptor_limit
from strategybot.kit.http.connections import ConnectionLimits, Connections
from strategybot.kit.http.protocol import LimitedProtocol
from strategybot.kit.logs import configure_logging
from strategybot.settings import Settings
from strategybot.terminal.backtest import backtest
from strategybot.terminal.backup import backup
from strategybot.terminal.chat import chat
from strategybot.terminal.opening import Stop, open_services, open_settings, settle_in
from strategybot.terminal.worker import worker

SECONDS_TO_FINISH = 8  # for answers in flight; within ten all is over

program = typer.Typer(help="Strategy Bot: describe, test and paper-trade strategies.", no_args_is_help=True)
user = typer.Typer(help="Look after accounts.", no_args_is_help=True)
program.add_typer(user, name="user")
program.command()(backtest)
program.command()(chat)
program.command()(backup)
program.command()(worker)
console = Console()


def main() -> None:
    try:
        program()
    except Stop as reason:
        typer.echo(str(reason), err=True)
        sys.exit(reason.exit_code)


@program.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Where to listen, instead of STRATEGYBOT_HOST.")] = None,
    port: Annotated[int | None, typer.Option(help="The port, instead of STRATEGYBOT_PORT.", min=1, max=65535)] = None,
) -> None:
    """Serve the API and its documentation."""
    settings = open_settings()
    host, port = host or settings.host, port or settings.port
    _refuse_taken_port(host, port)
    configure_logging()
    with open_services(settings):
        pass  # migrate before the port opens, so that a fault is one sentence and not a stack of them
    server = _server(settings, host, port)
    settle_in()
    # uvicorn hands the signal on once it has finished; asked to stop and stopped is a success.
    for asked_to_stop in (signal.SIGTERM, signal.SIGINT):
        signal.signal(asked_to_stop, lambda *_: sys.exit(0))
    greeting = f"Strategy Bot listens on http://{_place(host, port)} (API documentation at /docs). Stop it with Ctrl+C."
    typer.echo(greeting, err=True)  # standard output is the log: one JSON object a line
    server.run()


class Server(uvicorn.Server):
    """Asked to stop, it tells the turns in hand at once: their answers are among those that it waits for."""

    def __init__(self, config: uvicorn.Config, in_hand: TurnsInHand) -> None:
        super().__init__(config)
        self._in_hand = in_hand

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        async with self._in_hand.closing():
            await super().shutdown(sockets)


@program.command()
def doctor() -> None:
    """Look at the installation and say what is well and what is not."""
    findings = examine(open_settings())
    table = Table("", "What", "Finding")
    for finding in findings:
        verdict = Text("ok", "green") if finding.well else Text("fault", "red")
        table.add_row(verdict, finding.what, Text(finding.says))  # a path may hold what looks like markup
    console.print(table)
    if not all(finding.well for finding in findings):
        raise typer.Exit(1)


@program.command()
def openapi() -> None:
    """Print the OpenAPI document of the API."""
    typer.echo(json.dumps(create_app(open_settings()).openapi(), indent=2))


@user.command("list")
def list_users() -> None:
    """List all accounts, oldest first."""
    with open_services(open_settings()) as services:
        users = services.accounts.users()
    if not users:
        console.print("No one has registered yet.")
        return
    table = Table("Email", "Tier", "Since")
    for email, tier, since in users:
        table.add_row(email, tier, f"{since:%Y-%m-%d}")
    console.print(table)


@user.command("set-tier")
def set_tier(email: str, tier: str) -> None:
    """Put the account with this EMAIL into this TIER: free, normal or pro."""
    if tier not in get_args(Tier):
        raise Stop(f"TIER must be one of {', '.join(get_args(Tier))}.")
    with open_services(open_settings()) as services:
        services.accounts.set_tier(email, tier)  # type: ignore[arg-type]  # it is one of them: see above
    console.print(f"{email} is in the {tier} tier now.", markup=False)


def _server(settings: Settings, host: str, port: int) -> Server:
    app = create_app(settings)
    limits = ConnectionLimits(connections_within(raise_descriptor_limit(), settings.max_connections))
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        loop="uvloop",  # it accepts one connection a turn, so that none is accepted into the reserve of descriptors
        http=partial(LimitedProtocol, open_connections=Connections(limits, settings.trusted_proxies)),  # type: ignore[arg-type]  # it is only called
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
        timeout_keep_alive=round(limits.idle_seconds),
    )
    return Server(config, app.state.conversations.in_hand)


def _refuse_taken_port(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            reason = error.strerror or str(error)
            another = "Choose another with STRATEGYBOT_HOST or STRATEGYBOT_PORT."
            raise Stop(f"Cannot listen on {_place(host, port)}: {reason}. {another}") from None


def _place(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
