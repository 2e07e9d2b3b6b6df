"""A program connects itself by OAuth 2.1: with the SDK's own client, over real HTTP, and with everything that may go
wrong."""

import asyncio
import base64
import hashlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider, TokenStorage
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

from tests.servers import ServiceProcess
from tests.support import STRATEGY, bearer, sign_up

Json = dict[str, Any]
REDIRECT = "http://127.0.0.1:9/callback"
VERIFIER = "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    with ServiceProcess(tmp_path_factory.mktemp("oauth")) as service:
        yield service


@pytest.fixture(scope="module")
def web(service: ServiceProcess) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=service.url, timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def user(web: httpx2.Client) -> dict[str, str]:
    return sign_up(web)


class Memory(TokenStorage):
    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


def signed_in(address: str) -> str:
    """Return the request in the address of the consent page."""
    return parse_qs(urlsplit(address).query)["request"][0]


class Person:
    """Opens the authorisation page as the user, and agrees there to some access."""

    def __init__(self, web: httpx2.Client, user: dict[str, str], access: str) -> None:
        self._web, self._user, self._access = web, user, access
        self.seen: Json = {}

    async def redirect(self, url: str) -> None:
        page = self._web.get(url)
        assert page.status_code == 302, page.text
        request = {"request": signed_in(page.headers["Location"])}
        self.seen = self._web.post("/api/auth/connections", params=request, headers=self._user).json()
        answer = {**request, "access": self._access}
        answered = self._web.post("/api/auth/connections", params=answer, headers=self._user).json()
        told = parse_qs(urlsplit(answered["redirect_url"]).query)
        self._code = told.get("code", [""])[0]
        self._state = told["state"][0]

    async def callback(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult(code=self._code, state=self._state)


def connected(service: ServiceProcess, person: Person, storage: Memory, use: Any) -> Any:
    metadata = OAuthClientMetadata.model_validate({"client_name": "Desk assistant", "redirect_uris": [REDIRECT]})

    async def session() -> Any:
        auth = OAuthClientProvider(f"{service.url}/mcp", metadata, storage, person.redirect, person.callback)
        async with (
            httpx2.AsyncClient(auth=auth, timeout=60) as http,
            Client(streamable_http_client(f"{service.url}/mcp", http_client=http)) as client,
        ):
            return await use(client)

    return asyncio.run(session())


@pytest.mark.parametrize("access", ["write", "read"])
def test_the_sdks_client_connects_itself_and_may_do_what_the_user_agreed_to(
    service: ServiceProcess, web: httpx2.Client, access: str
) -> None:
    user = sign_up(web, f"{access}@example.com")
    person, storage = Person(web, user, access), Memory()

    async def use(client: Client) -> Any:
        return await client.call_tool("create_bot", {"name": "By OAuth", "strategy": STRATEGY})

    made = connected(service, person, storage, use)
    assert person.seen == {
        "client_name": "Desk assistant",
        "client_uri": None,
        "redirect_host": "127.0.0.1:9",
        "scopes": ["read", "write"],
        "redirect_url": None,
    }
    assert made.is_error == (access == "read")
    scopes = ["read", "write"] if access == "write" else ["read"]
    (listed,) = web.get("/api/auth/tokens", headers=user).json()["tokens"]
    assert (listed["name"], listed["scopes"], listed["connected"]) == ("Desk assistant", scopes, True)
    assert storage.tokens is not None
    given = bearer(storage.tokens.access_token)
    assert web.get("/api/bots", headers=given).status_code == 200
    assert web.get("/api/auth/tokens", headers=given).status_code == 403
    assert web.delete(f"/api/auth/tokens/{listed['id']}", headers=user).status_code == 204
    assert web.get("/api/bots", headers=given).status_code == 401


def test_tokens_are_renewed_once_and_revoked(service: ServiceProcess, web: httpx2.Client, user: dict[str, str]) -> None:
    client = registered(web)
    first = exchanged(web, client, code_for(web, user, client)).json()
    assert (first["token_type"], first["expires_in"], first["scope"]) == ("Bearer", 3600, "read write")
    again = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"], "client_id": client["client_id"]}
    renewed = web.post("/oauth/token", data=again).json()
    assert web.get("/api/bots", headers=bearer(first["access_token"])).status_code == 401
    assert web.get("/api/bots", headers=bearer(renewed["access_token"])).status_code == 200
    assert web.post("/oauth/token", data=again).json()["error"] == "invalid_grant"
    gone = {"token": renewed["access_token"], "client_id": client["client_id"], "client_secret": ""}
    assert web.post("/oauth/revoke", data=gone).status_code == 200
    assert web.get("/api/bots", headers=bearer(renewed["access_token"])).status_code == 401


def test_the_metadata_name_every_endpoint(service: ServiceProcess, web: httpx2.Client) -> None:
    refused = web.post("/mcp", json={}, headers={"Content-Type": "application/json"})
    where = f"{service.url}/.well-known/oauth-protected-resource/mcp"
    assert refused.headers["WWW-Authenticate"] == f'Bearer resource_metadata="{where}"'
    resource = web.get(where).json()
    assert (resource["resource"], resource["authorization_servers"]) == (f"{service.url}/mcp", [service.url])
    server = web.get("/.well-known/oauth-authorization-server").json()
    assert server["issuer"] == service.url
    assert server["code_challenge_methods_supported"] == ["S256"]
    for name in ("authorization", "token", "registration", "revocation"):
        assert server[f"{name}_endpoint"].startswith(f"{service.url}/oauth/")


def registered(web: httpx2.Client, **facts: Any) -> Json:
    given = {"client_name": "Other", "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "none", **facts}
    answer = web.post("/oauth/register", json=given)
    assert answer.status_code == 201, answer.text
    found: Json = answer.json()
    return found


def asked(web: httpx2.Client, client: Json, **changes: str) -> httpx2.Response:
    given = {
        "client_id": client["client_id"],
        "redirect_uri": REDIRECT,
        "response_type": "code",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "state": "s1",
        "scope": "read write",
    }
    return web.get("/oauth/authorize", params={**given, **changes})


def code_for(web: httpx2.Client, user: dict[str, str], client: Json) -> str:
    return code_of(web, user, asked(web, client))


def code_of(web: httpx2.Client, user: dict[str, str], asking: httpx2.Response) -> str:
    request = signed_in(asking.headers["Location"])
    answer = {"request": request, "access": "write"}
    back: str = web.post("/api/auth/connections", params=answer, headers=user).json()["redirect_url"]
    return parse_qs(urlsplit(back).query)["code"][0]


def exchanged(web: httpx2.Client, client: Json, code: str, /, **changes: str) -> httpx2.Response:
    given = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": REDIRECT,
        "client_id": client["client_id"],
        "code_verifier": VERIFIER,
    }
    return web.post("/oauth/token", data={**given, **changes})


def test_a_code_works_once_for_its_program_with_its_verifier(web: httpx2.Client, user: dict[str, str]) -> None:
    client, other = registered(web), registered(web)
    code = code_for(web, user, client)
    for wrong in (
        {"code_verifier": "x" * 64},
        {"client_id": other["client_id"]},
        {"redirect_uri": "http://127.0.0.1:9/other"},
        {"code": "x"},
    ):
        assert exchanged(web, client, code, **wrong).status_code == 400, wrong
    assert exchanged(web, client, code).status_code == 200
    assert exchanged(web, client, code).json()["error"] == "invalid_grant"


def test_a_program_may_ask_for_unknown_scopes_and_listen_on_any_port(web: httpx2.Client, user: dict[str, str]) -> None:
    for scope in ("", "openid read offline_access write", "mcp"):
        client = registered(web, scope=scope, redirect_uris=["http://127.0.0.1/back"])
        assert client["scope"] == "read write"
        answer = asked(web, client, scope="read openid", redirect_uri="http://127.0.0.1:4567/back")
        assert exchanged(web, client, code_of(web, user, answer), redirect_uri="http://127.0.0.1:4567/back").is_success
        for other in ("http://127.0.0.1:4567/other", "http://127.0.0.2/back", "https://127.0.0.1/back"):
            assert asked(web, client, redirect_uri=other).status_code == 400


def test_a_client_with_a_secret_needs_it(web: httpx2.Client, user: dict[str, str]) -> None:
    client = registered(web, token_endpoint_auth_method="client_secret_post")
    code = code_for(web, user, client)
    assert exchanged(web, client, code).status_code == 401
    assert exchanged(web, client, code, client_secret="x").status_code == 401
    assert exchanged(web, client, code, client_secret=client["client_secret"]).status_code == 200


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "http://evil.example/cb", "data:text/html,x", "https://a.example/cb#part"]
)
def test_an_unsafe_redirect_is_not_registered(web: httpx2.Client, address: str) -> None:
    answer = web.post("/oauth/register", json={"client_name": "Bad", "redirect_uris": [address]})
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_redirect_uri")


def test_only_the_user_can_agree_and_a_request_cannot_be_forged(web: httpx2.Client, user: dict[str, str]) -> None:
    client = registered(web)
    unknown = asked(web, client, redirect_uri="https://evil.example/cb")
    assert unknown.status_code == 400  # no redirect to an address that was not registered
    foreign = asked(web, client, resource="https://other.example/mcp").headers["Location"]
    assert "error=invalid_target" in foreign
    request = signed_in(asked(web, client).headers["Location"])
    agreed = {"request": request, "access": "write"}
    assert web.post("/api/auth/connections", params=agreed).status_code == 401
    token = web.post("/api/auth/tokens", json={"name": "T", "scopes": ["read", "write"]}, headers=user).json()["token"]
    assert web.post("/api/auth/connections", params=agreed, headers=bearer(token)).status_code == 403
    other = "1" if request.endswith("0") else "0"
    for forged in (request[:-1] + other, f"x{request}", "", "a.b", "é.é"):
        answer = web.post("/api/auth/connections", params={**agreed, "request": forged}, headers=user)
        assert answer.status_code == 409, forged
    denied = web.post("/api/auth/connections", params={**agreed, "access": "none"}, headers=user).json()
    assert denied["redirect_url"] == f"{REDIRECT}?error=access_denied&state=s1"
