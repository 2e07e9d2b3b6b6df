"""`/mcp` refuses web pages of other origins, as the specification of MCP demands."""

import pytest
from fastapi.testclient import TestClient

from strategybot.mcp.api import ForeignOrigin
from strategybot.settings import Settings
from strategybot.trading.words.verdicts import METHOD
from tests.application import application
from tests.engines import on_sqlite_alone
from tests.support import sign_up

pytestmark = on_sqlite_alone
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
}
ACCEPTED = {"Accept": "application/json, text/event-stream"}


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 200),
        ("https://app.example.com", 200),
        ("https://evil.example.com", 403),
        ("http://testserver", 403),
        ("http://localhost:8000", 403),
        ("null", 403),
        ("", 403),
    ],
)
def test_only_allowed_origins_use_it(settings: Settings, origin: str | None, status: int) -> None:
    allowing = settings.model_copy(update={"cors_origins": ["https://app.example.com"]})
    with TestClient(application(allowing)) as client:
        headers = {**sign_up(client), **ACCEPTED, **({} if origin is None else {"Origin": origin})}
        answer = client.post("/mcp", json=INITIALIZE, headers=headers)
        assert answer.status_code == status, answer.text
        if status == 403:
            assert answer.json() == {"detail": ForeignOrigin.message}
        else:
            assert answer.json()["result"]["serverInfo"]["name"] == "strategybot"
            assert METHOD in answer.json()["result"]["instructions"]


def test_a_foreign_page_learns_nothing_about_its_token(shared_client: TestClient) -> None:
    answer = shared_client.post("/mcp", json=INITIALIZE, headers={"Origin": "https://evil.example.com"})
    assert answer.status_code == 403
