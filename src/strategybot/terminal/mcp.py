"""`strategybot mcp --email`: MCP over standard input and output for desktop clients, as an account of this
installation.
"""

from importlib.metadata import version

import anyio

from strategybot.app import Services, working
from strategybot.conversations.caller import Actor
from strategybot.mcp.server import Asker, mcp_server
from strategybot.terminal.setup import open_services, open_settings


def serve_account(email: str) -> None:
    """Serve MCP as this account, on the database of this installation."""
    with open_services(open_settings()) as services:
        actor = Actor(*services.accounts.account(email))
        anyio.run(_serve, services, Asker(actor, may_write=True))


async def _serve(services: Services, asker: Asker) -> None:
    async with working(services):
        server = mcp_server(services.tools, lambda _context: asker, version("strategybot"))
        await server.run_stdio_async()
