"""A visitor sees the tokens of the demo market, and does not waste their one backtest."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.support import assert_accessible, come_as, held_requests, look_at
from tests.browser.trading import SOL, see_chart
from tests.support import create_bot, visitor

NEVER: dict[str, Any] = {
    "conditions": [{"kind": "price_drop", "percent": 30, "window": "4h"}],
    "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 4},
}


@pytest.fixture
def guest(context: BrowserContext, base_url: str) -> Iterator[httpx2.Client]:
    """The API as a visitor sees it; the browser is theirs too."""
    with httpx2.Client(base_url=base_url, timeout=30) as client:
        token = client.post("/api/conversations", json={}).json()["anonymous_token"]
        client.headers.update(visitor(token))
        come_as(context, base_url, token, "anonymous")
        yield client


def test_a_visitor_looks_through_the_demo_market(page: Page) -> None:
    page.goto("/market")
    tokens = page.get_by_role("table", name="Tokens")
    expect(tokens).to_contain_text("PIPO")
    page.get_by_role("searchbox").fill("pipo")
    expect(tokens.locator("tbody tr")).to_have_count(1)
    assert_accessible(page)


def test_a_visitor_sees_no_gate_until_it_is_known_whose_market_it_is(page: Page) -> None:
    held = held_requests(page, "**/api/info")
    page.goto("/market")
    expect(page.get_by_role("searchbox")).to_be_visible()
    expect(page.get_by_text("Looking for tokens…")).to_be_attached()
    expect(page.get_by_text("This needs a free account.")).to_have_count(0)
    for route in held:
        route.continue_()
    expect(page.get_by_role("table", name="Tokens")).to_contain_text("PIPO")


def test_a_visitor_is_told_when_the_market_cannot_be_asked(page: Page) -> None:
    page.route("**/api/info", lambda route: route.fulfill(status=503, json={"detail": "Down for a moment."}))
    page.goto("/market")
    expect(page.get_by_role("alert")).to_contain_text("Down for a moment.")
    page.unroute("**/api/info")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("table", name="Tokens")).to_contain_text("PIPO")


def test_a_rule_that_never_buys_is_told_of_before_the_one_backtest(page: Page, guest: httpx2.Client) -> None:
    bot = create_bot(guest, {}, "Never", strategy=NEVER, token=SOL, chain="solana")
    page.goto(f"/bots/{bot['id']}")
    form = page.get_by_role("form", name="New backtest")
    told = form.get_by_role("status")
    expect(told).to_contain_text("would not have bought")
    expect(form.get_by_role("button", name="Run anyway")).to_be_visible()
    look_at(page, "visitor-never-buys")
    form.get_by_role("button", name="Choose another token").click()
    found = form.get_by_role("combobox", name="Token")
    expect(found).to_be_focused()
    found.fill("pipo")
    expect(form.get_by_role("option", name="PIPO").first).to_be_visible()
    page.keyboard.press("Escape")
    form.get_by_role("button", name="Use smaller numbers").click()
    expect(told).to_have_count(0)
    assert guest.get(f"/api/bots/{bot['id']}/backtests").json()["total_backtests"] == 0
    form.get_by_role("button", name="Run backtest").click()
    see_chart(page)
    run = guest.get(f"/api/bots/{bot['id']}/backtests").json()["backtests"][0]
    assert run["metrics"]["total_trades"] > 0
