"""No address that a user gives reaches a private host, unless the operator allows it."""

import socket
import threading
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from tests.engines import on_sqlite_alone
from tests.support import sign_up

TARGETS = "/api/notifications/targets"
DISCORD = "discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js"
SLACK = "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ"
pytestmark = on_sqlite_alone


class Listener:
    """Accepts connections on loopback and counts them."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port, self.connections = self._socket.getsockname()[1], 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            connection.close()

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    listener = Listener()
    yield listener
    listener.close()


@pytest.mark.parametrize(
    "url",
    [
        "ntfy://127.0.0.1:{port}?to=t",
        "ntfy://localhost:{port}/t",
        "ntfys://127.0.0.1:{port}/t#",
        DISCORD + "#?template=http://127.0.0.1:{port}/x",
        DISCORD + ";?template=http://127.0.0.1:{port}/x",
        DISCORD + "/;?template=http://127.0.0.1:{port}/x",
        DISCORD + "?template=http://127.0.0.1:{port}/x",
        SLACK + "/#?template=http://127.0.0.1:{port}/x",
        SLACK + "/#general?template=http://127.0.0.1:{port}/x",
        "mailto://u:p@example.com#?smtp=127.0.0.1:{port}",
        "mailto://u:p@example.com:{port}?smtp=127.0.0.1",
        "mailto://u:p@example.com:{port}#?smtp=127.0.0.1",
        "mailtos://u:p@127.0.0.1:{port}",
        "gotify://127.0.0.1:{port}/token",
        "matrix://token@127.0.0.1:{port}/!room:example.com",
        "http://127.0.0.1:{port}#@example.com",
        "http://example.com@127.0.0.1:{port}/",
        "http://127.0.0.1:{port}/;x",
    ],
)
def test_an_address_never_reaches_a_private_host(
    client: TestClient, user: dict[str, str], listener: Listener, url: str
) -> None:
    before = listener.connections
    made = client.post(TARGETS, json={"name": "Hook", "url": url.format(port=listener.port)}, headers=user)
    assert made.status_code in (201, 422), made.text
    if made.status_code == 201:
        client.post(f"{TARGETS}/{made.json()['id']}/test", headers=user)
    assert listener.connections == before


def test_a_template_is_no_local_file(client: TestClient, user: dict[str, str]) -> None:
    for url in (f"{DISCORD}#?template=/etc/passwd", f"{DISCORD};?template=file:///etc/passwd"):
        assert client.post(TARGETS, json={"name": "Hook", "url": url}, headers=user).status_code == 422


def test_an_ordinary_address_of_telegram_is_taken(client: TestClient) -> None:
    user = sign_up(client, "telegram@example.com")
    made = client.post(TARGETS, json={"name": "Phone", "url": "tgram://123:TOKEN/CHAT"}, headers=user)
    assert made.status_code == 201, made.text
    assert made.json()["kind"] == "telegram"
