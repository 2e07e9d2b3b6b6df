"""`POST /mcp`: the MCP server over streamable HTTP, stateless, as the user whose token is presented."""

from collections.abc import Collection
from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import INVALID_REQUEST, jsonrpc_message_adapter
from pydantic import ValidationError
from pydantic_core import from_json

from strategybot.accounts.dependencies import ReadingUser
from strategybot.conversations.agent.tools import Actor
from strategybot.kit.errors import FieldError, Forbidden, InvalidInput
from strategybot.kit.http.middleware import replayed
from strategybot.kit.http.rendering import UNDECLARED
from strategybot.mcp.server import Asker

NO_MESSAGE = {"code": INVALID_REQUEST, "message": "The body is not a message of JSON-RPC 2.0."}


class ForeignOrigin(Forbidden):
    message = "Pages of this origin cannot use /mcp. The operator can allow them with STRATEGYBOT_CORS_ORIGINS."


class _Handled(Response):
    """A response that the MCP server writes itself, to a body that was read before."""

    def __init__(self, server: MCPServer[Any], body: bytes) -> None:
        super().__init__()
        self._server, self._message = server, body

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._server.session_manager.handle_request(scope, replayed(self._message, receive), send)


def mcp_router(origins: Collection[str]) -> APIRouter:
    """Return the router. Requests of web pages are refused unless their origin is one of these: the specification of
    MCP demands it, because a page of a stranger may reach a server that only this machine can reach.
    """

    async def refuse_foreign_origin(request: Request) -> None:
        origin = request.headers.get("origin")
        if origin is not None and origin not in origins:
            raise ForeignOrigin

    router = APIRouter()
    guard = [Depends(refuse_foreign_origin)]
    router.add_api_route("/mcp", answer, methods=["POST"], include_in_schema=False, dependencies=guard)
    return router


async def answer(request: Request, user: ReadingUser) -> Response:
    """Refuse what is no message in our own words: the MCP server would answer in plain text, or repeat the input."""
    if not request.headers.get("content-type", "").lower().startswith("application/json"):
        raise InvalidInput([FieldError("body", UNDECLARED)])
    body = await request.body()
    if _is_other_json(body):
        return JSONResponse({"jsonrpc": "2.0", "id": None, "error": NO_MESSAGE}, status_code=400)
    actor = Actor(user.principal, user.settings)
    request.state.asker = Asker(actor, may_write=user.access != "read")
    return _Handled(request.app.state.mcp, body)


def _is_other_json(body: bytes) -> bool:
    """Return whether the body is JSON but no message. What is not JSON is left to the MCP server: it says where the
    mistake is, and does not repeat the body.
    """
    try:
        jsonrpc_message_adapter.validate_python(from_json(body), by_name=False)
    except ValidationError:
        return True
    except ValueError:
        return False
    return False


def asker_of(context: Context[Any, Any]) -> Asker:
    """Return the user who sent the HTTP request of this call."""
    request = context.request_context.request
    asker = None if request is None else request.state.asker
    assert isinstance(asker, Asker)  # noqa: S101  set by the route above
    return asker
