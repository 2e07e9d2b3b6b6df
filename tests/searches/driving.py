"""Helpers that start, follow and read optimisations and surveys."""

from typing import Any

from tests.backtests.driving import FINISHED, Client, Headers, Json, awaited

TOKEN = "So11111111111111111111111111111111111111112"
CHAIN = "solana"
STRATEGY: Json = {
    "conditions": [{"kind": "price_drop", "percent": 1, "window": "1h"}],
    "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 3, "max_holding": "12h"},
}
PARAMETERS = [
    {"path": "conditions.0.percent", "from": 0.5, "to": 2, "step": 0.5},
    {"path": "stop_loss_percent", "values": [1, 2, 4]},
]
REQUEST: Json = {"token": TOKEN, "chain": CHAIN, "kline_interval": "15m", "parameters": PARAMETERS}


def asked(client: Client, who: Headers, bot: Json, kind: str, **request: Any) -> Any:
    return client.post(f"/api/bots/{bot['id']}/{kind}", json=request, headers=who)


def start(client: Client, who: Headers, bot: Json, kind: str = "optimise", **request: Any) -> Json:
    answer = asked(client, who, bot, kind, **request)
    assert answer.status_code == 202, answer.text
    run: Json = answer.json()
    return run


def read(client: Client, who: Headers, run: Json, kind: str = "optimise", what: str = "", **query: Any) -> Json:
    answer = client.get(f"/api/bots/{run['bot_id']}/{kind}/{run['run_id']}{what}", params=query, headers=who)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def finished(client: Client, who: Headers, run: Json, kind: str = "optimise", seconds: float = 60) -> Json:
    return awaited(lambda: read(client, who, run, kind), lambda now: now["status"] in FINISHED, seconds)


def settled(client: Client, who: Headers, run: Json) -> Json:
    """Return a completed optimisation after its verdict has tested the other tokens."""
    finished(client, who, run)
    return awaited(
        lambda: read(client, who, run),
        lambda now: not now["verdict"] or not now["verdict"]["other_tokens_pending"],
        60,
    )
