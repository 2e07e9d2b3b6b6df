"""`POST /mcp`: the MCP server over streamable HTTP, stateless, as the user whose token is presented."""

import asyncio
from collections.abc import Collection
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import JSONResponse
from mcp.server.mcpserver import Context
from mcp_types import INVALID_REQUEST, JSONRPCRequest, jsonrpc_message_adapter
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError
from pydantic_core import from_json

from strategybot.accounts.dependencies import Bearer, ClientAddress, Connections, reading_user
from strategybot.accounts.service import Identity
from strategybot.conversations.agent.tools import Actor, Toolset
from strategybot.kit.errors import FieldError, Forbidden, InvalidInput, Unauthorized
from strategybot.kit.http.middleware import replay_body
from strategybot.kit.http.provided import provide
from strategybot.kit.http.rendering import UNDECLARED
from strategybot.mcp.asker import Asker, toolsets_in
from strategybot.mcp.oauth import OAuthProvider, resource_metadata, server_metadata
from strategybot.mcp.server import Transports

NO_MESSAGE = {"code": INVALID_REQUEST, "message": "The body is not a message of JSON-RPC 2.0."}
Tools = Annotated[str | None, Query(max_length=100)]
WELL_KNOWN = "/.well-known/oauth-"
CallId = tuple[str, str, str | int]
"""The token and the client of a call, and its id, which the client chose."""


class ForeignOrigin(Forbidden):
    message = "Pages of this origin cannot use /mcp. The operator can allow them with STRATEGYBOT_CORS_ORIGINS."


class ConnectFirst(Unauthorized):
    """Says where a program learns how to be connected."""

    def __init__(self, message: str, base_url: str) -> None:
        super().__init__(message)
        self._base_url = base_url

    @property
    def headers(self) -> dict[str, str]:
        where = f"{self._base_url}/.well-known/oauth-protected-resource/mcp"
        return {"WWW-Authenticate": f'Bearer resource_metadata="{where}"'}


async def connected_user(request: Request, bearer: Bearer) -> Identity:
    try:
        return await reading_user(request, bearer)
    except Unauthorized as error:
        raise ConnectFirst(error.message, base_url_of(request)) from None


ConnectedUser = Annotated[Identity, Depends(connected_user)]


def base_url_of(request: Request) -> str:
    return str(request.base_url).rstrip("/")


CallsUnderWay = dict[CallId, Asker]
"""The calls of this process that may be cancelled: a client names one of its own by its id."""


class _Handled(Response):
    """A response that the MCP server writes itself, to a body that was read before.

    If the client leaves or takes the call back, the call is cancelled.
    """

    def __init__(self, message: Any, body: bytes, identity: Identity, asker: Asker) -> None:
        super().__init__()
        self._message, self._body, self._identity, self._asker = message, body, identity, asker

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        state = scope["app"].state
        transports: Transports = state.mcp_transports
        calls: CallsUnderWay = state.mcp_calls
        request = Request(scope)
        manager = transports.streaming if _may_stream(request, self._message) else transports.plain
        left = asyncio.Event()
        leaving = asyncio.ensure_future(self._until_left(receive, left))
        call_id = _call_id(self._identity, request, getattr(self._message, "id", None))
        calls[call_id] = self._asker
        try:
            await manager.handle_request(scope, replay_body(self._body, _told_of(left)), send)
        finally:
            calls.pop(call_id, None)
            leaving.cancel()

    async def _until_left(self, receive: Any, left: asyncio.Event) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._asker.scope.cancel()
        left.set()


def _told_of(left: asyncio.Event) -> Any:
    async def receive() -> dict[str, str]:
        await left.wait()
        return {"type": "http.disconnect"}

    return receive


def _may_stream(request: Request, message: Any) -> bool:
    """Return whether the answer may be a stream: newer clients get one only if there is something to tell before the
    answer, older ones get one always, and so only if they ask for progress.
    """
    if "text/event-stream" not in request.headers.get("accept", ""):
        return False
    version = request.headers.get("mcp-protocol-version")
    if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
        return True
    params = getattr(message, "params", None) or {}
    return isinstance(message, JSONRPCRequest) and "progressToken" in (params.get("_meta") or {})


def _call_id(identity: Identity, request: Request, message_id: Any) -> CallId:
    return identity.token_id, request.headers.get("user-agent", ""), message_id


def mcp_router(origins: Collection[str], toolsets: Collection[Toolset]) -> APIRouter:
    """Return the router with these toolsets. Requests of web pages are refused unless their origin is one of these: the
    specification of MCP demands it, because a page of a stranger may reach a server that only this machine can reach.
    """

    async def refuse_foreign_origin(request: Request) -> None:
        origin = request.headers.get("origin")
        if origin is not None and origin not in origins:
            raise ForeignOrigin

    async def answer(request: Request, user: ConnectedUser, tools: Tools = None) -> Response:
        """Refuse what is no message in our own words: the MCP server would answer in plain text, or repeat the
        input.
        """
        if not request.headers.get("content-type", "").lower().startswith("application/json"):
            raise InvalidInput([FieldError("body", UNDECLARED)])
        chosen = toolsets_in(tools, toolsets)
        body = await request.body()
        message, is_json = _read(body)
        if message is None and is_json:
            return JSONResponse({"jsonrpc": "2.0", "id": None, "error": NO_MESSAGE}, status_code=400)
        if getattr(message, "method", "") == "notifications/cancelled":
            _cancel(request, user, message)
        actor = Actor(user.principal, user.settings)
        asker = Asker(actor, user.access != "read", chosen, base_url_of(request))
        request.state.asker = asker
        return _Handled(message, body, user, asker)

    router = APIRouter()
    guard = [Depends(refuse_foreign_origin)]
    for path in ("/mcp", "/mcp/"):
        router.add_api_route(path, answer, methods=["POST"], include_in_schema=False, dependencies=guard)
    return router


def _cancel(request: Request, user: Identity, message: Any) -> None:
    """Cancel the call that the client takes back. Newer clients close its answer instead."""
    calls: CallsUnderWay = request.app.state.mcp_calls
    asker = calls.get(_call_id(user, request, (message.params or {}).get("requestId")))
    if asker is not None:
        asker.scope.cancel()


def _read(body: bytes) -> tuple[Any, bool]:
    """Return the message, or None if the body is none; and whether the body is JSON. What is not JSON is left to the
    MCP server: it says where the mistake is, and does not repeat the body.
    """
    try:
        return jsonrpc_message_adapter.validate_python(from_json(body), by_name=False), True
    except ValidationError:
        return None, True
    except ValueError:
        return None, False


def asker_of(context: Context[Any, Any]) -> Asker:
    """Return the user who sent the HTTP request of this call."""
    request = context.request_context.request
    asker = None if request is None else request.state.asker
    assert isinstance(asker, Asker)  # noqa: S101  set by the route above
    return asker


async def _provider(
    request: Request, connections: Annotated[Connections, Depends(provide(Connections))], address: ClientAddress
) -> OAuthProvider:
    return OAuthProvider(connections, base_url_of(request), address)


Provider = Annotated[OAuthProvider, Depends(_provider)]
oauth_router = APIRouter(include_in_schema=False)


@oauth_router.get(f"{WELL_KNOWN}protected-resource")
@oauth_router.get(f"{WELL_KNOWN}protected-resource/mcp")
async def protected_resource(request: Request) -> JSONResponse:
    return JSONResponse(resource_metadata(base_url_of(request)))


@oauth_router.get(f"{WELL_KNOWN}authorization-server")
@oauth_router.get(f"{WELL_KNOWN}authorization-server/mcp")
async def authorization_server(request: Request) -> JSONResponse:
    return JSONResponse(server_metadata(base_url_of(request)))


@oauth_router.get("/oauth/authorize")
@oauth_router.post("/oauth/authorize")
async def authorize(request: Request, provider: Provider) -> Response:
    return await provider.authorization.handle(request)


@oauth_router.post("/oauth/register")
async def register(request: Request, provider: Provider) -> Response:
    return await provider.registration.handle(request)


@oauth_router.post("/oauth/token")
async def token(request: Request, provider: Provider) -> Response:
    answered: Response = await provider.token.handle(request)
    return answered


@oauth_router.post("/oauth/revoke")
async def revoke(request: Request, provider: Provider) -> Response:
    return await provider.revocation.handle(request)
