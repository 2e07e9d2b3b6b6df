"""Helpers that start, follow and read simulations over the API of an application or of a real process."""

from typing import Any

import httpx2

from tests.backtests.driving import Client, Headers, Json, awaited

TOKEN = "So11111111111111111111111111111111111111112"
LIVELY: Json = {
    "conditions": [{"kind": "price_drop", "percent": 0.05, "window": "2m"}],
    "exit_conditions": [{"kind": "price_rise", "percent": 0.05, "window": "1m"}],
    "risk_management": {"stop_loss_percent": 1, "take_profit_percent": 1},
}
"""Buys and sells every few minutes on the demo market."""


def asked(client: Client, who: Headers, bot: Json, **request: Any) -> httpx2.Response:
    return client.post(f"/api/bots/{bot['id']}/simulate", json={"token": TOKEN, **request}, headers=who)


def start(client: Client, who: Headers, bot: Json, **request: Any) -> Json:
    answer = asked(client, who, bot, **request)
    assert answer.status_code == 201, answer.text
    run: Json = answer.json()
    return run


def read(client: Client, who: Headers, run: Json, what: str = "", **query: Any) -> Json:
    answer = client.get(f"/api/bots/{run['bot_id']}/simulate/{run['run_id']}{what}", params=query, headers=who)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def stop(client: Client, who: Headers, run: Json) -> Json:
    answer = client.post(f"/api/bots/{run['bot_id']}/simulate/{run['run_id']}/stop", headers=who)
    assert answer.status_code == 200, answer.text
    stopped: Json = answer.json()
    return stopped


def processed(client: Client, who: Headers, run: Json, candles: int, seconds: float = 15) -> Json:
    """Return the run once it has processed this many candles."""
    return awaited(lambda: read(client, who, run), lambda now: now["candles_processed"] >= candles, seconds)


def stopped(client: Client, who: Headers, run: Json, seconds: float = 15) -> Json:
    return awaited(lambda: read(client, who, run), lambda now: now["status"] == "stopped", seconds)


def page(client: Client, who: Headers, bot: Json, **query: Any) -> Json:
    answer = client.get(f"/api/bots/{bot['id']}/simulations", params=query, headers=who)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found
