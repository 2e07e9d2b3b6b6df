"""Tokens of the demo market, and backtests of them."""

import time
from typing import Any

from tests.browser.support import Person


def token_named(person: Person, symbol: str) -> dict[str, Any]:
    tokens = person.client.get("/api/market/tokens", params={"query": symbol}).json()["tokens"]
    found: dict[str, Any] = next(token for token in tokens if token["symbol"] == symbol)
    return found


def graded(person: Person, bot: dict[str, Any], run: dict[str, Any]) -> dict[str, Any]:
    """The run once its verdict is there."""
    deadline = time.monotonic() + 30
    while run["verdict"] is None:
        assert time.monotonic() < deadline, run["verdict_error"]
        time.sleep(0.2)
        run = person.client.get(f"/api/bots/{bot['id']}/backtest/{run['run_id']}").json()
    return run
