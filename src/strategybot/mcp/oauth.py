"""OAuth 2.1 for programs that connect by themselves: what the SDK's endpoints ask for, kept by `Connections`."""

from urllib.parse import urlencode, urlsplit

from mcp.server.auth.handlers.authorize import AuthorizationHandler
from mcp.server.auth.handlers.register import RegistrationHandler
from mcp.server.auth.handlers.revoke import RevocationHandler
from mcp.server.auth.handlers.token import TokenHandler
from mcp.server.auth.middleware.client_auth import ClientAuthenticator
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    AuthorizeError,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    RegistrationError,
    TokenError,
)
from mcp.server.auth.settings import ClientRegistrationOptions
from mcp.shared.auth import OAuthClientInformationFull, OAuthMetadata, OAuthToken, ProtectedResourceMetadata
from pydantic import AnyUrl

from strategybot.accounts.dependencies import Connections, Issued
from strategybot.kit.json_object import Json
from strategybot.kit.threads import run_blocking, run_read

SCOPES = ["read", "write"]
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
UNSAFE_SCHEMES = {"javascript", "data", "vbscript", "file", "blob", "about"}
MOST_REDIRECTS = 10
METHODS = ["none", "client_secret_post", "client_secret_basic"]


class Program(OAuthClientInformationFull):
    """A program that has registered itself."""

    def validate_scope(self, requested_scope: str | None) -> list[str] | None:
        """Return the scopes that exist here. Programs ask for others too, such as `offline_access`."""
        return _known(requested_scope) or None

    def validate_redirect_uri(self, redirect_uri: AnyUrl | None) -> AnyUrl:
        """On this machine a program may listen on any port, as RFC 8252 demands."""
        if redirect_uri is not None and redirect_uri.scheme == "http" and redirect_uri.host in LOOPBACK:
            registered = [_without_port(uri) for uri in self.redirect_uris or []]
            if _without_port(redirect_uri) in registered:
                return redirect_uri
        return super().validate_redirect_uri(redirect_uri)


class OAuthProvider(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """The authorisation server of one request: `base_url` is where the client sees this service."""

    def __init__(self, connections: Connections, base_url: str, address: str) -> None:
        self._connections, self._base_url, self._address = connections, base_url, address

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        facts = await run_read(self._connections.client, client_id)
        if facts is None:
            return None
        client = Program.model_validate(facts)
        if client.token_endpoint_auth_method != "none":
            client.client_secret = self._connections.client_secret(client_id)
        return client

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        _check_redirects([str(uri) for uri in client_info.redirect_uris or []])
        client_info.scope = " ".join(_known(client_info.scope) or SCOPES)
        client_id = client_info.client_id or ""
        if client_info.client_secret is not None:
            client_info.client_secret = self._connections.client_secret(client_id)
        facts = client_info.model_dump(mode="json", exclude={"client_secret"}, exclude_none=True)
        await run_blocking(self._connections.register, self._address, client_id, facts)

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """Return the address of the consent page."""
        if params.resource is not None and _origin(params.resource) != _origin(self._base_url):
            raise AuthorizeError("invalid_target", "The resource is not on this server.")
        asked = {
            "client_id": client.client_id,
            "scopes": SCOPES if "write" in (params.scopes or SCOPES) else ["read"],
            "state": params.state,
            "redirect_uri": str(params.redirect_uri),
            "redirect_uri_provided_explicitly": params.redirect_uri_provided_explicitly,
            "code_challenge": params.code_challenge,
            "resource": params.resource,
        }
        return f"{self._base_url}/connect?{urlencode({'request': self._connections.sign(asked)})}"

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        found = await run_read(self._connections.code, authorization_code)
        if found is None or found.client_id != client.client_id:
            return None
        facts: Json = {name: found.facts[name] for name in AuthorizationCode.model_fields if name in found.facts}
        expires_at = found.expires_at.timestamp()
        return AuthorizationCode.model_validate({**facts, "code": authorization_code, "expires_at": expires_at})

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        client_id = client.client_id or ""
        return _token(await run_blocking(self._connections.exchange, authorization_code.code, client_id))

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> RefreshToken | None:
        found = await run_read(self._connections.by_renewal, refresh_token)
        if found is None or found.client_id != client.client_id:
            return None
        return RefreshToken(
            token=refresh_token,
            client_id=found.client_id,
            scopes=found.scopes,
            expires_at=found.expires_at,
            subject=found.user_id,
        )

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        client_id = client.client_id or ""
        return _token(await run_blocking(self._connections.renew, refresh_token.token, client_id, scopes))

    async def load_access_token(self, token: str) -> AccessToken | None:
        found = await run_read(self._connections.by_access, token)
        if found is None:
            return None
        return AccessToken(token=token, client_id=found.client_id, scopes=found.scopes, subject=found.user_id)

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        if token.subject is not None:
            await run_blocking(self._connections.end, token.subject, token.client_id)

    @property
    def authorization(self) -> AuthorizationHandler:
        return AuthorizationHandler(self)

    @property
    def registration(self) -> RegistrationHandler:
        options = ClientRegistrationOptions(enabled=True)
        return RegistrationHandler(self, options)

    @property
    def token(self) -> TokenHandler:
        return TokenHandler(self, ClientAuthenticator(self))

    @property
    def revocation(self) -> RevocationHandler:
        return RevocationHandler(self, ClientAuthenticator(self))


def server_metadata(base_url: str) -> Json:
    metadata = OAuthMetadata.model_validate(
        {
            "issuer": base_url,
            "authorization_endpoint": f"{base_url}/oauth/authorize",
            "token_endpoint": f"{base_url}/oauth/token",
            "registration_endpoint": f"{base_url}/oauth/register",
            "revocation_endpoint": f"{base_url}/oauth/revoke",
            "scopes_supported": SCOPES,
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_methods_supported": METHODS,
            "revocation_endpoint_auth_methods_supported": METHODS,
            "code_challenge_methods_supported": ["S256"],
        }
    )
    found: Json = metadata.model_dump(mode="json", exclude_none=True)
    return found


def resource_metadata(base_url: str) -> Json:
    metadata = ProtectedResourceMetadata.model_validate(
        {
            "resource": f"{base_url}/mcp",
            "authorization_servers": [base_url],
            "scopes_supported": SCOPES,
            "resource_name": "Strategy Bot",
        }
    )
    found: Json = metadata.model_dump(mode="json", exclude_none=True)
    return found


def _known(scope: str | None) -> list[str]:
    return [name for name in SCOPES if name in (scope or "").split()]


def _without_port(address: AnyUrl) -> tuple[str, str | None, str | None, str | None]:
    return address.scheme, address.host, address.path, address.query


def _token(issued: Issued | None) -> OAuthToken:
    if issued is None:
        raise TokenError("invalid_grant", "It was used before or has expired.")
    return OAuthToken(
        access_token=issued.access,
        refresh_token=issued.renewal,
        expires_in=issued.seconds,
        scope=" ".join(issued.scopes),
    )


def _check_redirects(addresses: list[str]) -> None:
    """Raise unless every address is of HTTPS, of this machine, or of an app; a browser is sent there with the code."""
    if not 1 <= len(addresses) <= MOST_REDIRECTS:
        raise RegistrationError("invalid_redirect_uri", f"There must be 1 to {MOST_REDIRECTS} redirect_uris.")
    for address in addresses:
        parts = urlsplit(address)
        is_foreign = parts.scheme == "http" and parts.hostname not in LOOPBACK
        if parts.scheme in UNSAFE_SCHEMES or is_foreign or parts.fragment:
            raise RegistrationError("invalid_redirect_uri", "A redirect_uri must be of https or of this machine.")


def _origin(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    return parts.scheme, parts.netloc
