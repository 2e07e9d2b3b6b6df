"""The headline of a run has all costs in it: token tax and price impact too."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.support import Person, look_at
from tests.browser.tokens import graded, token_named
from tests.browser.trading import TRADES_OFTEN, backtest, pinned, see_chart
from tests.support import create_bot

RSI = {
    "conditions": [{"kind": "compare", "left": {"series": "rsi"}, "operator": "below", "right": 30}],
    "exit_conditions": [{"kind": "compare", "left": {"series": "rsi"}, "operator": "above", "right": 70}],
}


def bot_of(person: Person, symbol: str, strategy: dict[str, Any]) -> dict[str, Any]:
    token = token_named(person, symbol)
    return create_bot(person.client, {}, symbol, strategy=strategy, token=token["address"], chain=token["chain"])


def test_the_return_of_a_taxed_token_is_the_true_one(signed_in: Page, person: Person) -> None:
    bot = bot_of(person, "GRUMP", RSI)
    run = graded(person, bot, backtest(person, bot, kline_interval="1h", **pinned(90)))
    metrics = run["metrics"]
    assert metrics["total_return"] < metrics["return_without_pool_costs"]
    signed_in.goto(f"/bots/{bot['id']}")
    see_chart(signed_in)
    result = signed_in.get_by_role("region", name="Result")
    expect(result).to_contain_text(f"{metrics['total_return']:+.2f}%".replace("-", "−"))
    costs = result.get_by_role("list", name="Costs")
    expect(costs).to_contain_text("4 % of each purchase and 6 % of each sale")
    expect(costs).to_contain_text("Without tax and price impact: ")
    paid = signed_in.get_by_role("tabpanel", name="Backtests")
    for name in ("Fees paid", "Slippage paid", "Token tax paid", "Price impact paid"):
        expect(paid.get_by_text(name)).to_be_visible()
    look_at(signed_in, "costs", paid)

    signed_in.get_by_role("tab", name="Trades").click()
    table = signed_in.get_by_role("table", name="Closed trades of the backtest")
    signed_in.get_by_text("Columns", exact=True).last.click()
    for name in ("Fees", "Slippage", "Tax", "Impact"):
        signed_in.get_by_role("group", name="Columns").get_by_label(name).check()
        expect(table.get_by_role("columnheader", name=name, exact=True)).to_be_visible()


def test_what_if_costs_are_asked_for_and_refused_at_their_field(signed_in: Page, person: Person) -> None:
    bot = bot_of(person, "GRUMP", TRADES_OFTEN)
    signed_in.goto(f"/bots/{bot['id']}")
    form = signed_in.get_by_role("form", name="New backtest")
    form.get_by_text("Cash and costs").click()
    form.get_by_label("Sell tax, %").fill("150")
    form.get_by_role("button", name="Run backtest").click()
    expect(form.get_by_label("Sell tax, %")).to_have_attribute("aria-invalid", "true")
    form.get_by_label("Sell tax, %").fill("0")
    form.get_by_label("Buy tax, %").fill("0")
    form.get_by_role("button", name="Run backtest").click()
    costs = signed_in.get_by_role("region", name="Result").get_by_role("list", name="Costs")
    expect(costs).to_contain_text("The token takes no tax on trades.")
    form.get_by_text("Cash and costs").click()
    expect(form.get_by_label("Sell tax, %")).to_have_value("0")
    form.get_by_text("Off", exact=True).click()
    expect(form.get_by_label("Sell tax, %")).to_have_count(0)
    form.get_by_role("button", name="Run backtest").click()
    expect(costs).to_contain_text("switched off")


def test_nothing_about_a_token_that_cannot_be_sold_is_green(signed_in: Page, person: Person) -> None:
    bot = bot_of(person, "GATE1", RSI)
    run = graded(person, bot, backtest(person, bot, kline_interval="1h", pool_costs="off", **pinned(90)))
    assert run["metrics"]["best_trade_percent"] > 0  # it would be green
    signed_in.goto(f"/bots/{bot['id']}")
    result = signed_in.get_by_role("region", name="Result")
    expect(result).to_contain_text("This token can probably not be sold")
    colour = "element => getComputedStyle(element).color"
    green = signed_in.evaluate(
        "() => { const probe = document.body.appendChild(document.createElement('i')); probe.style.color = 'var(--up)';"
        " const { color } = getComputedStyle(probe); probe.remove(); return color; }"
    )
    gains = signed_in.locator("main").locator(".text-up").filter(has_text="%")
    expect(gains.first).to_be_visible()
    assert green not in {gain.evaluate(colour) for gain in gains.all()}


def test_a_simulation_says_what_it_paid_and_offers_the_missing_backtest(signed_in: Page, person: Person) -> None:
    often = {"conditions": [{"kind": "price_drop", "percent": 0.01, "window": "2m"}]}
    bot = bot_of(person, "GRUMP", often)
    request = {"mode": "replay", "kline_interval": "1m", "check_interval": 10}
    assert person.client.post(f"/api/bots/{bot['id']}/simulate", json=request).status_code == 201
    signed_in.goto(f"/bots/{bot['id']}?tab=simulation")
    panel = signed_in.get_by_role("tabpanel", name="Simulation")
    expect(panel).to_contain_text("GRUMP, 1m candles, a replay of the last hour")
    expect(panel.get_by_role("list", name="Costs")).to_contain_text("The token takes 4 %")
    beside = panel.get_by_role("region", name="Beside the backtest")
    expect(beside).to_contain_text("no finished backtest of these rules on 1m candles of GRUMP")
    beside.get_by_role("button", name="Run this backtest").click()
    expect(beside).to_contain_text("Trades a week")
