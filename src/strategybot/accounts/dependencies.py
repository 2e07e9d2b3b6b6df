"""The authenticated caller of a route: `CurrentUser` if a login is required, `CurrentPrincipal` if a visitor is allowed
too.

A personal token with the scope `read` is refused by every method but GET. `ReadingUser` is for a POST that changes
nothing, `AccountHolder` for operations that no personal token may perform.
"""

from typing import Annotated

from fastapi import Depends, Header, Request
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer
from fastapi.security.utils import get_authorization_scheme_param

from strategybot.accounts.connections import Connections, Issued
from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Accounts, Identity, NotAuthenticated, Principal
from strategybot.kit.errors import Forbidden, Unauthorized
from strategybot.kit.http.connections import client_of
from strategybot.kit.http.provided import provide, service_of
from strategybot.kit.threads import run_read

__all__ = ["Connections", "Issued"]  # for the slice that speaks OAuth with programs

_bearer_scheme = HTTPBearer(
    auto_error=False, bearerFormat="JWT", description="The access token of register or login, or a personal token"
)
_visitor_scheme = APIKeyHeader(
    name="X-Anonymous-Token",
    scheme_name="AnonymousToken",
    auto_error=False,
    description="A visitor's token, issued with their first conversation",
)

Bearer = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer_scheme)]
VisitorToken = Annotated[str | None, Depends(_visitor_scheme)]
# With a login, this token does not authenticate; it only names the visitor whose data is moved.
ClaimedVisitor = Annotated[
    str | None, Header(alias="X-Anonymous-Token", description="A visitor's token: what they made becomes the user's")
]


SAFE_METHODS = frozenset({"GET", "HEAD"})


class ReadOnlyToken(Forbidden):
    message = "This personal token may only read. Make one with the scope write to change something."


class LoginRequired(Forbidden):
    message = "A personal token cannot do this. Log in with your password."


AccountsService = Annotated[Accounts, Depends(provide(Accounts))]


def _caller_of(request: Request) -> Identity | Principal:
    """Return the caller. A login takes precedence over a visitor's token; an invalid login is refused even beside a
    valid visitor's token.
    """
    visitor = request.headers.get("x-anonymous-token")
    if visitor and "authorization" not in request.headers:
        return service_of(request, Accounts).visitor(visitor)
    return _user_of(request)


def _user_of(request: Request) -> Identity:
    identity = _reading_user_of(request)
    if identity.access == "read" and request.method not in SAFE_METHODS:
        raise ReadOnlyToken
    return identity


def _reading_user_of(request: Request) -> Identity:
    scheme, token = get_authorization_scheme_param(request.headers.get("authorization"))
    if scheme.lower() != "bearer" or not token:
        raise NotAuthenticated
    return service_of(request, Accounts).identity(token)


def _principal_of(request: Request) -> Principal:
    caller = _caller_of(request)
    return caller.principal if isinstance(caller, Identity) else caller


def is_still_authenticated(request: Request, owner_id: str) -> bool:
    """Return whether the request's credentials are still valid, for a long response. It reads the database."""
    try:
        return _principal_of(request).owner_id == owner_id
    except Unauthorized:
        return False


# The two schemes are parameters so that the OpenAPI document shows how to log in.
async def _caller(request: Request, _bearer: Bearer, _visitor: VisitorToken) -> Identity | Principal:
    return await run_read(_caller_of, request)


async def current_user(request: Request, _bearer: Bearer) -> Identity:
    return await run_read(_user_of, request)


async def reading_user(request: Request, _bearer: Bearer) -> Identity:
    return await run_read(_reading_user_of, request)


Caller = Annotated[Identity | Principal, Depends(_caller)]


async def _principal_or_nobody(request: Request, _bearer: Bearer, _visitor: VisitorToken) -> Principal | None:
    """Return None if the request has no credentials. Invalid or empty credentials still raise."""
    if "x-anonymous-token" not in request.headers and "authorization" not in request.headers:
        return None
    return await run_read(_principal_of, request)


async def current_principal(request: Request, _bearer: Bearer, _visitor: VisitorToken) -> Principal:
    return await run_read(_principal_of, request)


async def defaults(caller: Caller) -> UserSettings:
    """Return the default values for a run: the user's settings, or the general defaults for a visitor."""
    return caller.settings if isinstance(caller, Identity) else UserSettings()


async def client_address(request: Request) -> str:
    """Return the client to which a limit applies. The server has already decided which proxies are trusted."""
    return client_of(request.client.host if request.client else None)


CurrentUser = Annotated[Identity, Depends(current_user)]
ReadingUser = Annotated[Identity, Depends(reading_user)]


async def account_holder(user: CurrentUser) -> Identity:
    if user.access != "login":
        raise LoginRequired
    return user


AccountHolder = Annotated[Identity, Depends(account_holder)]
CurrentPrincipal = Annotated[Principal, Depends(current_principal)]
PrincipalOrNobody = Annotated[Principal | None, Depends(_principal_or_nobody)]
Defaults = Annotated[UserSettings, Depends(defaults)]
ClientAddress = Annotated[str, Depends(client_address)]
