"""A bot with something to show, and its backtests."""

import time
from datetime import UTC, datetime
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.support import Person
from tests.support import create_bot

PIPO = "EE39wXdYhJ6qwZN9ueLAZoECEC1qt4LktWRRcatZvs8N"
SOL = "So11111111111111111111111111111111111111112"
DAY = 86_400
# The demo market's prices depend on the date: what a test expects of them, it expects of days that are over.
END = int(datetime(2025, 10, 1, tzinfo=UTC).timestamp())
TRADES_OFTEN = {
    "conditions": [{"kind": "price_drop", "percent": 2, "window": "4h"}],
    "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 4},
}


def trading_bot(person: Person) -> dict[str, Any]:
    return create_bot(person.client, {}, "Dip buyer", strategy=TRADES_OFTEN, token=SOL, chain="solana")


def pinned(days: int = 30) -> dict[str, int]:
    """The same days whenever the test runs."""
    return {"start_time": END - days * DAY, "end_time": END}


def backtest(person: Person, bot: dict[str, Any], **request: Any) -> dict[str, Any]:
    """A finished run, of the same 30 days unless the request names others."""
    body = request if "start_time" in request else {**pinned(), **request}
    run = person.client.post(f"/api/bots/{bot['id']}/backtest", json=body).json()
    while run["status"] in {"pending", "running"}:
        time.sleep(0.05)
        run = person.client.get(f"/api/bots/{bot['id']}/backtest/{run['run_id']}").json()
    assert run["status"] == "completed", run["error"]
    finished: dict[str, Any] = run
    return finished


def graded(person: Person, run: dict[str, Any]) -> dict[str, Any]:
    """The run with its verdict, whose arrival makes a page ask for the run again."""
    while run["verdict"] is None or run["verdict"]["other_tokens_pending"]:
        time.sleep(0.05)
        run = person.client.get(f"/api/bots/{run['bot_id']}/backtest/{run['run_id']}").json()
    return run


def runs_of(person: Person, bot: dict[str, Any]) -> list[dict[str, Any]]:
    runs: list[dict[str, Any]] = person.client.get(f"/api/bots/{bot['id']}/backtests").json()["backtests"]
    return runs


def trades_of(person: Person, run: dict[str, Any]) -> list[dict[str, Any]]:
    path = f"/api/bots/{run['bot_id']}/backtest/{run['run_id']}/trades"
    trades: list[dict[str, Any]] = person.client.get(path, params={"per_page": 100}).json()["trades"]
    return trades


def see_chart(page: Page) -> None:
    expect(page.locator("figure canvas").first).to_be_visible()
