"""Each screen, in both themes and both widths, as it looks with something on it."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.support import Person, look_at
from tests.browser.trading import backtest, trading_bot
from tests.support import create_bot


def test_the_entrance(page: Page) -> None:
    page.goto("/register")
    expect(page.get_by_role("button", name="Sign up")).to_be_visible()
    look_at(page, "register")


def test_an_empty_list_of_bots(signed_in: Page) -> None:
    signed_in.goto("/bots")
    expect(signed_in.get_by_text("No bots yet.")).to_be_visible()
    look_at(signed_in, "bots-empty")


def test_bots(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    create_bot(person.client, {}, "An idea for later")
    backtest(person, bot)
    started = person.client.post(f"/api/bots/{bot['id']}/simulate", json={"check_interval": 60})
    assert started.status_code == 201, started.text
    signed_in.goto("/bots")
    expect(signed_in.get_by_text("Simulation running")).to_be_visible()
    expect(signed_in.get_by_text("Last backtest")).to_be_visible()
    expect(signed_in.get_by_text("SOL on Solana")).to_be_visible()
    expect(signed_in.locator("polyline")).to_be_visible()
    look_at(signed_in, "bots")


def test_the_market(signed_in: Page) -> None:
    signed_in.goto("/market")
    expect(signed_in.get_by_role("row").nth(3)).to_be_visible()
    look_at(signed_in, "market")


@pytest.mark.parametrize(("name", "words"), [("token", "SOL"), ("token-risky", "ROKT")])
def test_a_token(signed_in: Page, person: Person, name: str, words: str) -> None:
    tokens = person.client.get("/api/market/tokens", params={"query": words}).json()["tokens"]
    signed_in.goto(f"/market/{tokens[0]['token_id']}")
    expect(signed_in.get_by_text("A low score is no promise.")).to_be_visible()
    expect(signed_in.locator("canvas").first).to_be_visible()
    look_at(signed_in, name)


def test_the_account(signed_in: Page) -> None:
    signed_in.goto("/account")
    expect(signed_in.get_by_role("button", name="Save settings")).to_be_visible()
    expect(signed_in.get_by_role("meter").first).to_be_visible()
    look_at(signed_in, "account")


def test_no_such_page(page: Page) -> None:
    page.goto("/nowhere/at/all")
    expect(page.get_by_role("heading", name="Not found")).to_be_visible()
    look_at(page, "missing")
