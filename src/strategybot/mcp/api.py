"""`POST /mcp`: the MCP server over streamable HTTP, stateless, as the user whose token is presented."""

from typing import Any

from fastapi import APIRouter, Request, Response
from mcp.server.mcpserver import Context, MCPServer

from strategybot.accounts.dependencies import ReadingUser
from strategybot.conversations.agent.tools import Actor
from strategybot.mcp.server import Asker

router = APIRouter()


class _Handled(Response):
    """A response that the MCP server writes itself."""

    def __init__(self, server: MCPServer[Any]) -> None:
        super().__init__()
        self._server = server

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._server.session_manager.handle_request(scope, receive, send)


@router.post("/mcp", include_in_schema=False)
async def answer(request: Request, user: ReadingUser) -> Response:
    actor = Actor(user.principal, user.settings)
    request.state.asker = Asker(actor, may_write=user.access != "read")
    return _Handled(request.app.state.mcp)


def asker_of(context: Context[Any, Any]) -> Asker:
    """Return the user who sent the HTTP request of this call."""
    request = context.request_context.request
    asker = None if request is None else request.state.asker
    assert isinstance(asker, Asker)  # noqa: S101  set by the route above
    return asker
