"""`strategybot mcp --email`: MCP over standard input and output for desktop clients, as an account of this
installation.
"""

from importlib.metadata import version

import anyio

from strategybot.app import Services, working
from strategybot.conversations.agent.tools import Toolset
from strategybot.conversations.caller import Actor
from strategybot.mcp.asker import ALL_TOOLSETS, Asker
from strategybot.mcp.server import mcp_server
from strategybot.terminal.setup import open_services, open_settings


def serve_account(email: str) -> None:
    """Serve MCP as this account, on the database of this installation."""
    settings = open_settings()
    toolsets = frozenset(settings.mcp_tools) or ALL_TOOLSETS
    with open_services(settings) as services:
        actor = Actor(*services.accounts.account(email))
        anyio.run(_serve, services, actor, toolsets)


async def _serve(services: Services, actor: Actor, toolsets: frozenset[Toolset]) -> None:
    async with working(services):

        def who(_context: object) -> Asker:
            return Asker(actor, may_write=True, toolsets=toolsets)

        server = mcp_server(services.tools, who, version("strategybot"))
        await server.run_stdio_async()
