"""One purse, many tokens: tested, read token by token, shared, and followed live on paper."""

import re

from playwright.sync_api import Page, expect

from tests.browser.support import Person, assert_accessible, look_at
from tests.browser.trading import TRADES_OFTEN, see_chart
from tests.support import create_bot

PURSE = {**TRADES_OFTEN, "portfolio": {"max_open": 2, "prefer": "fall"}}
TRENDING = {"trending": "solana", "limit": 4}


def test_a_purse_of_many_tokens_is_tested_and_read_token_by_token(signed_in: Page, person: Person) -> None:
    bot = create_bot(person.client, {}, "Basket", strategy=PURSE, chain="solana")
    signed_in.goto(f"/bots/{bot['id']}")
    card = signed_in.get_by_role("form", name="Strategy")
    expect(card.get_by_label("Hold at a time")).to_have_value("2")
    expect(card.get_by_label("If places are few, buy")).to_have_value("fall")

    form = signed_in.get_by_role("form", name="New backtest")
    form.get_by_role("radio", name="Many tokens, one purse").check()
    form.get_by_role("radio", name="My own list").check()
    form.get_by_role("button", name="Run backtest").click()
    expect(form.get_by_text("Add the first token.")).to_be_visible()
    for _ in range(2):
        form.get_by_role("combobox", name="Token").fill("PIPO")
        form.get_by_role("option", name="PIPO").first.click()
    expect(form.get_by_role("alert")).to_have_text("PIPO is in the list already.")
    expect(form.get_by_role("list", name="Chosen tokens").get_by_role("listitem")).to_have_count(1)
    form.get_by_role("radio", name="Trending").check()
    form.get_by_label("How many").fill("4")
    assert_accessible(signed_in, part=form)
    form.get_by_role("button", name="Run backtest").click()

    panel = signed_in.get_by_role("tabpanel", name="Backtests")
    expect(panel.get_by_text("These 4 tokens were chosen today.")).to_be_visible()
    expect(signed_in.get_by_text("4 tokens with one purse")).to_be_visible()
    expect(signed_in.get_by_role("figure", name="Gain of the purse over time")).to_be_visible()
    table = panel.get_by_role("table", name="Tokens of the purse")
    expect(table.locator("tbody tr")).to_have_count(4)
    expect(panel.get_by_role("figure", name="Places used over time")).to_contain_text("of 2 places were used")
    expect(panel.get_by_role("list", name="What each token added to the return").get_by_role("listitem")).to_have_count(
        4
    )
    expect(panel.get_by_role("region", name="What else could have been done")).to_contain_text("held in equal parts")
    expect(panel.get_by_role("region", name="How alike the tokens are")).to_contain_text("6 pairs")
    panel.get_by_role("region", name="Tokens", exact=True).scroll_into_view_if_needed()
    look_at(signed_in, "portfolio-backtest")

    name = table.get_by_role("button", name="Show the chart of").first
    symbol = name.inner_text().removeprefix("Show the chart of").strip()
    name.click()
    see_chart(signed_in)
    expect(signed_in.locator("figcaption").first).to_contain_text(f"{symbol}, 1h candles")
    expect(signed_in).to_have_url(re.compile("token="))
    look_at(signed_in, "portfolio-token", signed_in.get_by_role("figure").first)

    signed_in.get_by_role("tab", name="Trades").click()
    trades = signed_in.get_by_role("table", name="Closed trades of the backtest")
    expect(trades.get_by_role("columnheader", name="Token")).to_be_visible()
    row = trades.locator("tbody tr").first
    traded = row.locator("td").nth(1).inner_text()
    row.get_by_role("button", name="Show trade").click()
    expect(signed_in.locator("figcaption").first).to_contain_text(re.compile(rf"{re.escape(traded)}, trade #\d+"))

    signed_in.get_by_label("Chart of").select_option("The whole purse")
    expect(signed_in.get_by_role("figure", name="Gain of the purse over time")).to_be_visible()
    run = person.client.get(f"/api/bots/{bot['id']}/backtests").json()["backtests"][0]
    share = person.client.post(f"/api/bots/{bot['id']}/backtest/{run['run_id']}/share").json()
    signed_in.goto(share["url"])
    table = signed_in.get_by_role("table", name="Tokens of the purse")
    expect(table.locator("tbody tr")).to_have_count(4)
    look_at(signed_in, "portfolio-shared")
    name = table.get_by_role("button", name="Show the chart of").first
    symbol = name.inner_text().removeprefix("Show the chart of").strip()
    name.click()
    expect(signed_in.locator("figcaption", has_text=f"{symbol}, 1h candles")).to_be_visible()
    look_at(signed_in, "portfolio-shared-token")
    signed_in.get_by_role("button", name="Show the whole purse").click()
    expect(signed_in.get_by_role("figure", name="Gain of the purse over time")).to_be_visible()


def test_a_live_purse_shows_its_places_its_tokens_and_their_charts(signed_in: Page, person: Person) -> None:
    always = {"conditions": [{"kind": "price_level", "level": 1e-12, "direction": "above", "trigger": "is"}]}
    bot = create_bot(person.client, {}, "Live basket", strategy={**PURSE, **always}, chain="solana", universe=TRENDING)
    signed_in.goto(f"/bots/{bot['id']}?tab=simulation")
    form = signed_in.get_by_role("form", name="New simulation")
    expect(form.get_by_role("radio", name="Many tokens, one purse")).to_be_checked()
    expect(form.get_by_label("How many")).to_have_value("4")
    expect(form.get_by_role("radio", name="Replay the last hour")).to_be_hidden()
    form.get_by_role("button", name="Start simulation").click()

    panel = signed_in.get_by_role("tabpanel", name="Simulation")
    tokens = panel.get_by_role("table", name="Tokens of the simulation")
    expect(tokens.locator("tbody tr")).to_have_count(4)
    expect(panel.get_by_role("term").get_by_text("Places", exact=True)).to_be_visible()
    expect(panel.get_by_text(re.compile(r"^\d of 2$"))).to_be_visible()
    see_chart(signed_in)
    other = tokens.get_by_role("button", name="Show the chart of").last
    symbol = other.inner_text().removeprefix("Show the chart of").strip()
    other.click()
    expect(signed_in.locator("figcaption").first).to_contain_text(f"Live paper trading: {symbol}")
    log = signed_in.get_by_role("table", name="Trade log of the simulation")
    expect(log.get_by_role("columnheader", name="Token")).to_be_visible()
    look_at(signed_in, "portfolio-simulation")

    signed_in.goto("/bots")
    expect(signed_in.get_by_text("4 tokens with one purse")).to_be_visible()
