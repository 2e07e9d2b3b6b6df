"""Conversations with the real providers' code, whose other end is a script on a loopback port.

All of them talk to one application: what it takes to make one, and a provider's client, is most of a test's time.
"""

import itertools
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from fastapi.testclient import TestClient

from strategybot.app import Services, conversations_of
from strategybot.conversations.agent.language_models import language_model
from strategybot.conversations.agent.limits import TurnLimits
from strategybot.conversations.service import Conversations
from strategybot.settings import Settings
from tests.application import application
from tests.conversations.talking import Headers, Json, begin, say, stream
from tests.conversations.wire.server import WireServer
from tests.servers import SECRET
from tests.support import ManualClock, sign_up

KEY = "sk-wire-4f1d0c9b8a7e6d5c-secret"
KEYS = dict.fromkeys(("OPENAI_API_KEY", "OLLAMA_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"), KEY)
_numbers = itertools.count()


@dataclass
class Exchange:
    client: TestClient
    settings: Settings
    server: WireServer
    lines: dict[tuple[Any, ...], Conversations] = field(default_factory=dict)

    def connect(self, vendor: str, seconds: float, url: str, keys: dict[str, str]) -> None:
        """Let this model answer from now on."""
        wanted = (vendor, seconds, url, *keys.values())
        if wanted not in self.lines:
            settings = self.settings.model_copy(update={"model": f"{vendor}:wire"})
            model = language_model(settings.model, {**_addresses(url), **keys})
            services: Services = self.client.app.state.services  # type: ignore[attr-defined]
            # The proportions of the real ones: 120 seconds of 300 to the first token, and a heartbeat every 10.
            limits = TurnLimits(seconds, first_token_seconds=0.4 * seconds, heartbeat_seconds=seconds / 30)
            self.lines[wanted] = conversations_of(services, settings, model, limits)
        self.client.app.state.conversations = self.lines[wanted]  # type: ignore[attr-defined]


def _addresses(url: str) -> dict[str, str]:
    chats = dict.fromkeys(("OPENAI_BASE_URL", "OLLAMA_BASE_URL"), f"{url}/v1")
    return {**chats, "ANTHROPIC_BASE_URL": url, "GOOGLE_GEMINI_BASE_URL": url}


@dataclass
class Line:
    exchange: Exchange
    email: str
    who: Headers
    conversation: Json

    @property
    def client(self) -> TestClient:
        return self.exchange.client

    @property
    def server(self) -> WireServer:
        return self.exchange.server

    def connect(self, vendor: str, seconds: float = 120, url: str | None = None, **keys: str) -> None:
        self.exchange.connect(vendor, seconds, url or self.server.url, {**KEYS, **keys})

    def say(self, text: str = "go") -> Json:
        return say(self.client, self.who, self.conversation, text)

    def said(self, text: str = "go") -> str:
        return str(self.say(text)["message"]["content"])

    def stream(self, text: str = "go") -> list[Json]:
        """Return the streamed parts without the last `[DONE]`."""
        return stream(self.client, self.who, self.conversation, text)[:-1]

    def bots(self) -> list[str]:
        return [bot["name"] for bot in self.client.get("/api/bots", headers=self.who).json()["bots"]]


@pytest.fixture(scope="session")
def exchange(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Exchange]:
    """Yield one application for all tests: the messages of a provider do not depend on the database."""
    folder = tmp_path_factory.mktemp("wire")
    shutil.copy(request.getfixturevalue("migrated_sqlite"), folder / "strategybot.db")
    settings = Settings(_env_file=None, data_dir=folder, secret_key=SECRET, chat_limit="1000000/5h")
    with TestClient(application(settings, ManualClock())) as client, WireServer() as server:
        yield Exchange(client, settings, server)


@pytest.fixture
def line(exchange: Exchange) -> Line:
    """Return a new user with a new conversation."""
    email = f"caller-{next(_numbers)}@example.com"
    who = sign_up(exchange.client, email)
    return Line(exchange, email, who, begin(exchange.client, who))


@pytest.fixture(params=["openai", "anthropic", "google"])
def vendor(request: pytest.FixtureRequest) -> str:
    return str(request.param)
