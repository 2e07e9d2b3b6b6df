"""Who is asking: `CurrentUser` for what needs a login, `CurrentPrincipal` for what a visitor may do too.

A personal token with the scope `read` is refused by every method but GET. `ReadingUser` is for a POST that changes
nothing, `AccountHolder` for what no personal token may do.
"""

from typing import Annotated

from fastapi import Depends, Header, Request
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Accounts, Identity, NotAuthenticated, Principal
from strategybot.kit.errors import Forbidden
from strategybot.kit.http.clients import client_of
from strategybot.kit.http.provided import provided

_bearer = HTTPBearer(
    auto_error=False, bearerFormat="JWT", description="The access token of register or login, or a personal token"
)
_visitor = APIKeyHeader(
    name="X-Anonymous-Token",
    scheme_name="AnonymousToken",
    auto_error=False,
    description="A visitor's token, issued with their first conversation",
)

Bearer = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
VisitorToken = Annotated[str | None, Depends(_visitor)]
# Beside a login it proves nothing, it only says what to take along.
ClaimedVisitor = Annotated[
    str | None, Header(alias="X-Anonymous-Token", description="A visitor's token: what they made becomes the user's")
]


SAFE_METHODS = frozenset({"GET", "HEAD"})


class ReadOnlyToken(Forbidden):
    message = "This personal token may only read. Make one with the scope write to change something."


class LoginRequired(Forbidden):
    message = "A personal token cannot do this. Log in with your password."


AccountsService = Annotated[Accounts, Depends(provided(Accounts))]


def _asking(request: Request, accounts: AccountsService, bearer: Bearer, visitor: VisitorToken) -> Identity | Principal:
    """A login wins over a visitor's token, and a bad login is refused whatever stands beside it."""
    if visitor is not None and "authorization" not in request.headers:
        return accounts.visitor(visitor)
    return current_user(request, accounts, bearer)


def current_user(request: Request, accounts: AccountsService, bearer: Bearer) -> Identity:
    identity = reading_user(accounts, bearer)
    if identity.access == "read" and request.method not in SAFE_METHODS:
        raise ReadOnlyToken
    return identity


def reading_user(accounts: AccountsService, bearer: Bearer) -> Identity:
    if bearer is None:
        raise NotAuthenticated
    return accounts.identity(bearer.credentials)


Asking = Annotated[Identity | Principal, Depends(_asking)]


def _principal_or_nobody(
    request: Request, accounts: AccountsService, bearer: Bearer, visitor: VisitorToken
) -> Principal | None:
    """Return None if the request has no credentials. Invalid or empty credentials still raise."""
    if "x-anonymous-token" not in request.headers and "authorization" not in request.headers:
        return None
    asking = _asking(request, accounts, bearer, visitor)
    return asking.principal if isinstance(asking, Identity) else asking


async def current_principal(asking: Asking) -> Principal:
    return asking.principal if isinstance(asking, Identity) else asking


async def defaults(asking: Asking) -> UserSettings:
    """What a run begins with where nothing else is said: the user's settings; for a visitor, everyone's."""
    return asking.settings if isinstance(asking, Identity) else UserSettings()


async def client_address(request: Request) -> str:
    """Whom a limit is for. The server has already decided which proxies may say so."""
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
