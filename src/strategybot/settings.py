"""All environment variables, typed; a `.env` file is read too. Only the composition root and the commands read them."""

import ipaddress
import os
import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, DotEnvSettingsSource, NoDecode, SettingsConfigDict

from strategybot.kit.database import is_database_url
from strategybot.kit.limits import Rate
from strategybot.trading.language.values import Duration, duration_seconds

SECRETS = Path("/run/secrets")  # containers mount secrets here, one per file
SHORTEST_SECRET_BYTES = 32
# Placeholders of guides and examples, without dashes, underscores and spaces; the last one is a web framework's.
PLACEHOLDERS = (
    "changeme",
    "changethis",
    "replaceme",
    "yoursecret",
    "yourjwtsecret",
    "bitsecret",
    "stringsecret",
    "supersecret",
    "mysecret",
    "secretkeyhere",
    "djangoinsecure",
    "placeholder",
    "09d25e094faa6ca2556c818166b7a9563b93f7099f6f0f4caa6cf63b88e8d3e7",
)


def _split(value: object) -> object:
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _rate(value: object) -> object:
    try:
        return Rate.parse(value) if isinstance(value, str) else value
    except ValueError as error:
        raise PydanticCustomError("rate", "{reason}", {"reason": str(error)}) from None


def _strong(secret: SecretStr) -> SecretStr:
    text = secret.get_secret_value()
    if len(text.encode()) < SHORTEST_SECRET_BYTES:
        raise PydanticCustomError("secret", "must have at least 32 bytes; `openssl rand -hex 32` makes a good one")
    plain = re.sub(r"[-_\s]", "", text.lower())
    if any(word in plain for word in PLACEHOLDERS):
        raise PydanticCustomError("secret", "is a placeholder; `openssl rand -hex 32` makes a real one")
    return secret


def _sendable(key: SecretStr) -> SecretStr:
    """Raise if the key cannot be sent in an HTTP header."""
    text = key.get_secret_value()
    if not (text.isascii() and text.isprintable()) or " " in text:
        raise PydanticCustomError("key", "must be plain characters without blanks")
    return key


def _network(value: str) -> str:
    try:
        ipaddress.ip_network(value)
    except ValueError:
        raise PydanticCustomError("network", "must be addresses or networks such as 10.0.0.5, 10.0.0.0/8") from None
    return value


def _queue_url(value: str) -> str:
    if not value.startswith(("memory://", "redis://", "rediss://")):
        raise PydanticCustomError("queue_url", "must begin with memory://, redis:// or rediss://")
    try:
        _ = urlsplit(value).port
    except ValueError:
        raise PydanticCustomError("queue_url", "must be an address such as redis://:password@host:6379/0") from None
    return value


def _is_address(value: str) -> bool:
    """Return whether the value is a host with an optional port and path, to which a path can be appended."""
    try:
        parts = urlsplit(value)
        return bool(parts.hostname) and parts.port != 0 and re.search(r"[\s?#]", value) is None
    except ValueError:  # invalid port or brackets
        return False


def _address(value: str) -> str:
    if not value.startswith(("http://", "https://")):
        raise PydanticCustomError("address", "must begin with http:// or https://")
    if not _is_address(value):
        raise PydanticCustomError("address", "must be an address such as https://host or http://host:8080/path")
    return value


def _origin(value: str) -> str:
    if not value.startswith(("http://", "https://")) or value.count("/") != 2 or not _is_address(value):
        raise PydanticCustomError("origin", "must be origins such as https://app.example.com")
    return value


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _database_url(value: str) -> str:
    if not value.startswith(("postgresql://", "sqlite:///")):
        raise PydanticCustomError("database_url", "must begin with postgresql:// or sqlite:///")
    if not is_database_url(value):
        raise PydanticCustomError(
            "database_url", "must be an address such as postgresql://user:password@host:5432/name"
        )
    return value


ProviderName = Literal["demo", "ave", "geckoterminal"]
AvePlan = Literal["free", "normal", "pro"]
Address = Annotated[str, AfterValidator(_address)]
Limit = Annotated[Rate, NoDecode, BeforeValidator(_rate)]
Networks = Annotated[list[Annotated[str, AfterValidator(_network)]], NoDecode, BeforeValidator(_split)]
Origins = Annotated[list[Annotated[str, AfterValidator(_origin)]], NoDecode, BeforeValidator(_split)]
McpTools = Annotated[list[Literal["read", "design", "research", "paper"]], NoDecode, BeforeValidator(_split)]


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix="STRATEGYBOT_",
        env_file=".env",
        secrets_dir=SECRETS if SECRETS.is_dir() else None,
        env_ignore_empty=True,
        extra="ignore",
        populate_by_name=True,
    )

    host: Annotated[str, Field(description="Where it listens")] = "127.0.0.1"
    port: Annotated[int, Field(ge=1, le=65535, description="The port it listens on")] = 8000
    data_dir: Annotated[Path, Field(description="Holds the SQLite file and the generated secret")] = Path("data")
    database_url: Annotated[
        str | None,
        AfterValidator(lambda url: url and _database_url(url)),
        Field(description="`postgresql://…` to outgrow one machine"),
    ] = None
    secret_key: Annotated[
        SecretStr | None, AfterValidator(lambda key: key and _strong(key)), Field(description="Signs tokens")
    ] = None
    token_lifetime: Annotated[Duration, Field(description="How long an access token lives")] = "24h"
    login_limit: Annotated[Limit, Field(description="Login attempts of one client")] = Rate(5, timedelta(minutes=1))
    register_limit: Annotated[Limit, Field(description="Registrations from one client address")] = Rate(
        300, timedelta(hours=1)
    )
    simulation_limit: Annotated[Limit, Field(description="Simulations that one account may start")] = Rate(
        120, timedelta(hours=1)
    )
    model: Annotated[
        str, Field(description="Who answers: `offline`, or a model such as `openai:…`, `anthropic:…` or `ollama:…`")
    ] = "offline"
    turn_tokens: Annotated[
        int, Field(ge=10_000, description="New tokens that a language model may use for one chat message")
    ] = 100_000
    turn_seconds: Annotated[
        int, Field(ge=10, le=3600, description="Seconds that the answer to one chat message may take")
    ] = 300
    context_tokens: Annotated[
        int, Field(ge=8_000, description="Tokens that one request to the language model may have, tools included")
    ] = 16_000
    chat_limit: Annotated[Limit, Field(description="Chat messages of everyone together")] = Rate(
        500, timedelta(hours=5)
    )
    chat_share: Annotated[
        int, Field(ge=1, le=100, description="Percentage of the chat limit that one account or visitor may use")
    ] = 100
    visitor_share: Annotated[
        int | None,
        Field(ge=1, le=100, description="Percentage of the chat limit that all visitors together may use"),
    ] = None
    queue_url: Annotated[
        str, AfterValidator(_queue_url), Field(description="`redis://…` lets several processes share the work")
    ] = "memory://"
    trusted_proxies: Annotated[Networks, Field(description="Whose `X-Forwarded-For` counts")] = []
    max_connections: Annotated[
        int, Field(ge=1, le=1_000_000, description="Open connections; one client may hold half of them")
    ] = 1000
    mcp_tools: Annotated[
        McpTools, Field(description="Toolsets of MCP, separated by commas: `read`, `design`, `research`, `paper`")
    ] = []
    cors_origins: Annotated[Origins, Field(description="Allowed browser origins")] = []
    ave_api_key: Annotated[
        SecretStr | None,
        AfterValidator(lambda key: key and _sendable(key)),
        Field(validation_alias="AVE_API_KEY", description="The key for AVE, from cloud.ave.ai"),
    ] = None
    ave_api_plan: Annotated[
        AvePlan,
        Field(validation_alias="AVE_API_PLAN", description="`free`, `normal`, `pro`: 1, 5, 20 requests a second"),
    ] = "free"
    provider: Annotated[
        ProviderName | None, Field(description="`demo`, `ave` or `geckoterminal`; `ave` when `AVE_API_KEY` is set")
    ] = None
    ave_data_url: Annotated[Address, Field(description="AVE's host for market data")] = "https://prod.ave-api.com"
    ave_trade_url: Annotated[Address, Field(description="AVE's host for quotes and swaps")] = "https://bot-api.ave.ai"
    geckoterminal_url: Annotated[Address, Field(description="GeckoTerminal's host")] = (
        "https://api.geckoterminal.com/api/v2"
    )
    private_webhooks: Annotated[
        bool, Field(description="Notifications may go to private addresses: loopback, link-local, your own network")
    ] = False
    metrics: Annotated[bool, Field(description="Serve Prometheus metrics at `/metrics`")] = False

    @field_validator("provider")
    @classmethod
    def _ave_has_its_key(cls, name: ProviderName | None, info: ValidationInfo) -> ProviderName | None:
        if name == "ave" and info.data.get("ave_api_key") is None:
            raise PydanticCustomError("provider", "is ave, but AVE_API_KEY is empty")
        return name

    @property
    def market_provider(self) -> ProviderName:
        return self.provider or ("ave" if self.ave_api_key else "demo")

    @property
    def visitor_percent(self) -> int:
        """Visitors may use the whole chat limit where only this machine can reach the service, and half elsewhere."""
        if self.visitor_share is not None:
            return self.visitor_share
        return 100 if _is_loopback(self.host) else 50

    @property
    def database(self) -> str:
        return self.database_url or f"sqlite:///{self.data_dir / 'strategybot.db'}"

    @property
    def token_lifetime_span(self) -> timedelta:
        return timedelta(seconds=duration_seconds(self.token_lifetime))


def environment(secrets: Path = SECRETS) -> dict[str, str]:
    """Return all variables, including the providers' own, from the environment, `.env` and files of secrets."""
    kept = {file.name.upper(): file.read_text().strip() for file in secrets.glob("*_api_key")}
    written = DotEnvSettingsSource(Settings, env_file=".env", case_sensitive=True).env_vars
    return {key: value or "" for key, value in {**kept, **written, **os.environ}.items()}
