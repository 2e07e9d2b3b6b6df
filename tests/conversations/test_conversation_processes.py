"""Two processes with one database count the chats of a visitor and of all users together."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2

from tests.backtests.driving import new_user
from tests.conversations.talking import Headers, arrive, begin, post
from tests.servers import PostgresServer, ServiceProcess


def test_the_limits_hold_across_processes(postgres: PostgresServer, tmp_path: Path) -> None:
    url, limit = postgres.new_database(), "70/5h"
    (tmp_path / "data").mkdir()
    with (
        ServiceProcess(tmp_path / "data", database_url=url, chat_limit=limit) as one,
        ServiceProcess(tmp_path / "data", database_url=url, chat_limit=limit) as other,
    ):
        clients = [httpx2.Client(base_url=service.url, timeout=60) for service in (one, other)]
        guest, conversation = arrive(clients[0])
        assert post(clients[1], guest, conversation, "/bots").status_code == 200
        assert sixty_at_once(clients, guest) == {200: 49, 403: 11}
        assert sixty_at_once(clients, new_user(clients[0])) == {200: 20, 429: 40}
        for client in clients:
            client.close()


def sixty_at_once(clients: list[httpx2.Client], who: Headers) -> dict[int, int]:
    conversations = [begin(clients[number % 2], who) for number in range(60)]

    def chat(number: int) -> int:
        return post(clients[number % 2], who, conversations[number], "/help").status_code

    with ThreadPoolExecutor(20) as pool:
        return dict(Counter(pool.map(chat, range(60))))
