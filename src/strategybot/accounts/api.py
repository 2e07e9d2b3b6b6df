"""`/api/auth`: register, log in and out, the profile, its settings and personal tokens."""

from typing import Annotated, Literal
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Query

from strategybot.accounts.connections import Asked, Connections
from strategybot.accounts.dependencies import (
    AccountHolder,
    AccountsService,
    ClaimedVisitor,
    ClientAddress,
    CurrentUser,
)
from strategybot.accounts.personal_tokens import PersonalTokens
from strategybot.accounts.schemas import (
    AccountDeletion,
    ConnectionRequestView,
    LoginAttempt,
    MeView,
    NewPersonalToken,
    PasswordChange,
    PersonalTokenDraft,
    PersonalTokenList,
    Registration,
    TokenView,
    UserSettings,
)
from strategybot.accounts.service import Identity
from strategybot.kit.http.bodies import JsonRoute
from strategybot.kit.http.error_responses import error_responses
from strategybot.kit.http.parameters import Id
from strategybot.kit.http.provided import provide

router = APIRouter(prefix="/api/auth", tags=["Accounts"], route_class=JsonRoute)


@router.post("/register", status_code=201, responses=error_responses(409, 429), response_model_exclude_none=True)
async def register(
    accounts: AccountsService, registration: Registration, address: ClientAddress, visitor_token: ClaimedVisitor = None
) -> TokenView:
    """Open an account. With `X-Anonymous-Token`, everything that the visitor made moves to the account."""
    return await accounts.register(registration, address, visitor_token)


@router.post("/login", responses=error_responses(401, 429), response_model_exclude_none=True)
async def log_in(
    accounts: AccountsService, attempt: LoginAttempt, address: ClientAddress, visitor_token: ClaimedVisitor = None
) -> TokenView:
    """Get an access token. At most 5 attempts in any 60 seconds from one client."""
    return await accounts.log_in(attempt, address, visitor_token)


@router.post("/logout", status_code=204, responses=error_responses(401))
def log_out(accounts: AccountsService, user: CurrentUser) -> None:
    """Revoke the presented token permanently."""
    accounts.log_out(user)


@router.get("/me", responses=error_responses(401))
def read_me(accounts: AccountsService, user: CurrentUser) -> MeView:
    """Return the profile, the limits of its tier, and the current usage."""
    return accounts.me(user)


@router.delete("/me", status_code=204, responses=error_responses(401, 429))
async def delete_account(accounts: AccountsService, user: AccountHolder, deletion: AccountDeletion) -> None:
    """Delete the account and everything it owns, permanently."""
    await accounts.delete(user, deletion.password)


@router.get("/settings", responses=error_responses(401))
def read_settings(user: CurrentUser) -> UserSettings:
    """Return the default values for new runs and the web app."""
    return user.settings


@router.patch("/settings", responses=error_responses(401))
def change_settings(accounts: AccountsService, user: CurrentUser, patch: UserSettings) -> UserSettings:
    """Change any subset of the settings."""
    return accounts.change_settings(user, patch)


@router.post("/password", status_code=204, responses=error_responses(401, 429))
async def change_password(accounts: AccountsService, user: AccountHolder, change: PasswordChange) -> None:
    """Change the password. Every other token of the account, including personal ones, is revoked."""
    await accounts.change_password(user, change)


TokensService = Annotated[PersonalTokens, Depends(provide(PersonalTokens))]


@router.post("/tokens", status_code=201, responses=error_responses(401, 409))
def make_token(tokens: TokensService, user: AccountHolder, draft: PersonalTokenDraft) -> NewPersonalToken:
    """Create a personal token for a program, at most 20 per account. The token itself is shown only in this
    response.
    """
    return tokens.create(user, draft)


@router.get("/tokens", responses=error_responses(401, 403), response_model_exclude_defaults=True)
def list_tokens(tokens: TokensService, user: AccountHolder) -> PersonalTokenList:
    """Return your personal tokens and those of programs that you connected, newest first, without their secrets."""
    return PersonalTokenList(tokens=tokens.all(user))


@router.delete("/tokens/{personal_token_id}", status_code=204, responses=error_responses(401, 404))
def revoke_token(tokens: TokensService, user: AccountHolder, personal_token_id: Id) -> None:
    """Revoke a personal token."""
    tokens.revoke(user, personal_token_id)


ConnectionsService = Annotated[Connections, Depends(provide(Connections))]
GrantedAccess = Annotated[
    Literal["undecided", "read", "write", "none"],
    Query(description="What the program may do, at most what it asked for; `undecided` only reads the request"),
]
SignedRequest = Annotated[str, Query(max_length=8000, description="As in the address of the consent page")]


@router.post("/connections", responses=error_responses(401, 403, 409))
def answer_connection_request(
    connections: ConnectionsService,
    user: AccountHolder,
    request: SignedRequest = "",
    access: GrantedAccess = "undecided",
) -> ConnectionRequestView:
    """Read which program asks to be connected, and connect or refuse it. Its token is listed with the personal tokens
    and can be revoked there.
    """
    asked = connections.read_request(request)
    return ConnectionRequestView(
        client_name=asked.client_name,
        client_uri=asked.client.get("client_uri"),
        redirect_host=urlsplit(asked.redirect_uri).netloc or urlsplit(asked.redirect_uri).scheme,
        scopes=asked.facts["scopes"],
        redirect_url=_answer_to(connections, user, asked, access),
    )


def _answer_to(connections: Connections, user: Identity, asked: Asked, access: str) -> str | None:
    """Return where the browser takes the user's decision; None before they have decided."""
    if access == "undecided":
        return None
    if access == "none":
        return asked.address_of_answer(error="access_denied")
    return asked.address_of_answer(code=connections.agree(user, asked, may_write=access == "write"))
