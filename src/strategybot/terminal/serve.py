"""`strategybot serve`: the API and the web app on one port."""

import signal
import socket
import sys
from functools import partial

import uvicorn

from strategybot.app import create_app
from strategybot.conversations.turn.running_turns import RunningTurns
from strategybot.events.service import Streams
from strategybot.kit.descriptors import connections_within, raise_descriptor_limit
from strategybot.kit.http.connections import ConnectionLimits, Connections
from strategybot.kit.http.protocol import LimitedProtocol
from strategybot.kit.logs import configure_logging
from strategybot.kit.memory import tune_garbage_collector
from strategybot.settings import Settings
from strategybot.terminal.setup import open_services, open_settings
from strategybot.terminal.stop import Stop

SECONDS_TO_FINISH = 8  # for running responses; the process ends within 10 s


def serve(host: str | None, port: int | None) -> None:
    settings = open_settings()
    host, port = host or settings.host, port or settings.port
    settings = settings.model_copy(update={"host": host, "port": port})
    _refuse_taken_port(host, port)
    configure_logging()
    with open_services(settings):
        pass  # migrate before the port opens, so that a failure is one sentence and not a stack trace
    server = _server(settings, host, port)
    tune_garbage_collector()
    # uvicorn raises the signal again after its shutdown; a requested stop should exit with 0.
    for asked_to_stop in (signal.SIGTERM, signal.SIGINT):
        signal.signal(asked_to_stop, lambda *_: sys.exit(0))
    greeting = f"Strategy Bot listens on http://{_place(host, port)} (API documentation at /docs). Stop it with Ctrl+C."
    sys.stderr.write(f"{greeting}\n")  # standard output is for the log: one JSON object per line
    server.run()


class Server(uvicorn.Server):
    """A server that ends its streams and chat turns when it is asked to stop, because it waits for their responses."""

    def __init__(self, config: uvicorn.Config, running_turns: RunningTurns, streams: Streams) -> None:
        super().__init__(config)
        self._running_turns, self._streams = running_turns, streams

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._streams.close()
        async with self._running_turns.closing():
            await super().shutdown(sockets)


def _server(settings: Settings, host: str, port: int) -> Server:
    app = create_app(settings)
    limits = ConnectionLimits(connections_within(raise_descriptor_limit(), settings.max_connections))
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        loop="uvloop",  # accepts one connection per iteration, so that none takes a reserved file descriptor
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
    return Server(config, app.state.conversations.running_turns, app.state.streams)


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
