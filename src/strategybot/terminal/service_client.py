"""The client of the commands that read and change what an account has: of a server, or of this installation.

Without `--url` the client calls the API of this installation inside this process, so each command is written once.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import httpx2

from strategybot.client import AsyncStrategyBot, StrategyBotError, Unauthorized, Unreachable
from strategybot.kit.errors import AppError
from strategybot.terminal.stop import Stop

Answer = TypeVar("Answer")
INTERRUPTED_BY_THE_USER = 130  # exit code


class NamedBot(Protocol):
    """What the commands need of a bot."""

    id: str
    name: str


@dataclass(frozen=True)
class Account:
    """Whose bots a command is about: those of the token's owner on a server, or of an account of this installation."""

    email: str | None
    url: str | None

    def __post_init__(self) -> None:
        if (self.email is None) == (self.url is None):
            raise Stop("Give --email to act as an account of this installation, or --url to use a server.")
        if self.url is not None:
            _check_address(self.url)
            _check_token(os.environ.get("STRATEGYBOT_TOKEN", ""))

    def run(self, work: Callable[[AsyncStrategyBot], Awaitable[Answer]], *, with_workers: bool = False) -> Answer:
        """Do the work with a client, and end the command with one sentence if the service refuses.

        With `with_workers` this process also works on the runs of this installation, as a server would.
        """
        try:
            return asyncio.run(self._do(work, with_workers))
        except Unauthorized as error:
            refused = f"The server at {self.url} refuses the token in STRATEGYBOT_TOKEN."
            raise Stop(str(error) if self.url is None else refused) from None
        except Unreachable:
            raise Stop(f"The server at {self.url} cannot be reached. Is it running?") from None
        except StrategyBotError as error:
            raise Stop(str(error)) from None

    async def _do(self, work: Callable[[AsyncStrategyBot], Awaitable[Answer]], with_workers: bool) -> Answer:
        opened = AsyncStrategyBot(self.url) if self.url is not None else _local_client(str(self.email), with_workers)
        async with opened as client:
            try:
                return await work(client)
            except (Stop, StrategyBotError) as error:
                problem = error
        raise problem  # here, because the workers would put it into a group of errors


def _check_address(url: str) -> None:
    if not url.startswith(("http://", "https://")):
        raise Stop("--url must begin with http:// or https://.")
    try:
        httpx2.URL(url)
    except httpx2.InvalidURL:
        raise Stop("--url is no address.") from None


def _check_token(token: str) -> None:
    if not token:
        raise Stop("Set STRATEGYBOT_TOKEN to a personal token: the account page of the server makes one.")
    if not (token.isascii() and token.isprintable()):
        raise Stop("STRATEGYBOT_TOKEN is no token: it must be plain letters and digits in one line.")


@asynccontextmanager
async def _local_client(email: str, with_workers: bool) -> AsyncIterator[AsyncStrategyBot]:
    # Not above: a command that uses a server does not need the service.
    from strategybot.app import create_app, working  # noqa: PLC0415
    from strategybot.migrations import migrate  # noqa: PLC0415
    from strategybot.terminal.setup import open_settings, plainly  # noqa: PLC0415

    settings = open_settings()
    with plainly(settings.data_dir):
        app = create_app(settings)
        services: Any = app.state.services
        async with AsyncExitStack() as stack:
            stack.callback(services.database.close)
            migrate(services.database)
            token = services.accounts.open_local_session(email)
            if with_workers:
                await stack.enter_async_context(working(services))
            else:
                stack.push_async_callback(services.market.close)
            stack.callback(_close_session, services.accounts, token)
            client = AsyncStrategyBot("http://strategybot", token, transport=httpx2.ASGITransport(app))
            yield await stack.enter_async_context(client)


def _close_session(accounts: Any, token: str) -> None:
    with suppress(AppError):  # the session or the account may have ended meanwhile
        accounts.log_out(accounts.identity(token))


async def named_bot(client: AsyncStrategyBot, bot: str) -> NamedBot:
    """Return the bot with this id, or with this name in any letter case."""
    names = []
    async for each in client.bots():
        if bot == each.id or bot.strip().casefold() == each.name.casefold():
            return each
        names.append(each.name)
    yours = f"Yours are: {', '.join(names[:10])}." if names else "You have none yet."
    raise Stop(f"No bot of yours is called {bot}. {yours}")
