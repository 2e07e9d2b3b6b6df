"""A simulation that is started, watched, found again after a reload, checked and stopped."""

import re
import time
from typing import Any

import httpx2
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.support import PHONE, WIDE, Person, come_as, look_at, set_look
from tests.browser.trading import PIPO, SOL, TRADES_OFTEN, backtest, see_chart, trading_bot
from tests.support import create_bot, visitor

# What the first step decides depends on the moment; that it is said in plain words does not.
IN_PLAIN_WORDS = re.compile(r"Not yet: the price (fell|rose) .*, it takes a fall of 2%\.$|Its conditions are met")
# Both its stop and its target lie within every candle: which came first is in doubt.
IN_DOUBT: dict[str, Any] = {
    "conditions": [{"kind": "price_level", "level": 1e-6, "direction": "above", "trigger": "is"}],
    "risk_management": {"stop_loss_percent": 0.01, "take_profit_percent": 0.01},
}
METRICS = ("Cash Balance", "Position", "Entry Price", "Current Price", "Unrealized P&L", "Total Value", "P&L")


def test_a_simulation_is_started_followed_found_again_and_stopped(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}?tab=simulation")
    expect(signed_in.get_by_text("Nothing is simulated yet.")).to_be_visible()
    signed_in.get_by_role("radio", name="10 s").check()
    expect(signed_in.get_by_role("radio", name="Follow the market live")).to_be_checked()
    signed_in.get_by_role("radio", name="Replay the last hour").check()
    signed_in.get_by_role("button", name="Start simulation").click()
    asked = signed_in.get_by_role("form", name="New simulation").get_by_role("alert")
    expect(asked).to_contain_text("An hour of 1h candles is 1 candle")
    expect(asked.get_by_role("button", name="Follow it live")).to_be_visible()
    with signed_in.expect_response("**/api/market/klines/*limit=200*") as before:
        asked.get_by_role("button", name="Replay 60 candles of 1m").click()

    see_chart(signed_in)
    assert len(before.value.json()["klines"]) == 200  # are drawn before its start
    expect(signed_in.get_by_text("1 of 60 candles")).to_be_visible()
    expect(signed_in.get_by_text("Simulating, replay")).to_be_visible()
    expect(signed_in.locator("figcaption").first).to_contain_text("Replay: SOL, 1m candles")
    for name in METRICS:
        expect(signed_in.get_by_role("term").get_by_text(name, exact=True)).to_be_visible()
    log = signed_in.get_by_role("table", name="Trade log of the simulation")
    expect(log.get_by_role("columnheader")).to_contain_text(
        ["Candle", "Action", "Price", "Entry price", "P&L", "Reason"]
    )
    expect(log.locator("tbody tr").first).to_contain_text(IN_PLAIN_WORDS)
    look_at(signed_in, "workbench-simulation")
    set_look(signed_in, "light", PHONE)
    for name in ("Candle", "Action", "Reason"):
        expect(log.get_by_role("columnheader", name=name)).to_be_visible()
    assert log.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth")
    set_look(signed_in, "light", WIDE)

    signed_in.reload()
    expect(signed_in.get_by_text("Running", exact=True)).to_be_visible()
    expect(log.locator("tbody tr").nth(1)).to_be_visible(timeout=30_000)  # the second step, 10 seconds after the first
    signed_in.get_by_role("button", name="Check against a backtest").click()
    expect(signed_in.get_by_text("✓ Equal.")).to_be_visible()

    waits_for = signed_in.get_by_role("region", name=re.compile("What the next purchase|What could end"))
    expect(waits_for.get_by_role("listitem").first).to_be_visible()
    signed_in.get_by_role("button", name="Pause").click()
    expect(signed_in.get_by_text("Paused", exact=True)).to_be_visible()
    expect(signed_in.get_by_text("it goes on where it is when you resume it")).to_be_visible()
    signed_in.reload()
    expect(signed_in.get_by_text("Paused", exact=True)).to_be_visible()
    look_at(signed_in, "workbench-simulation-paused", signed_in.get_by_role("tabpanel", name="Simulation"))
    signed_in.get_by_role("button", name="Resume").click()
    expect(signed_in.get_by_text("Running", exact=True)).to_be_visible()

    signed_in.get_by_role("button", name="Stop", exact=True).click()
    asked = signed_in.get_by_role("dialog", name="Stop the simulation?")
    expect(asked).to_contain_text(re.compile("It holds no position|It still holds"))
    asked.get_by_role("button", name="Keep it").click()
    expect(signed_in.get_by_text("Running", exact=True)).to_be_visible()
    signed_in.get_by_role("button", name="Stop", exact=True).click()
    asked.get_by_role("button", name="Stop simulation").click()
    expect(signed_in.get_by_text("You stopped it.")).to_be_visible()
    run = person.client.get(f"/api/bots/{bot['id']}/simulations").json()["simulations"][0]
    assert (run["status"], run["stop_reason"]) == ("stopped", "user")


def test_a_simulation_says_how_its_exits_were_decided(signed_in: Page, person: Person) -> None:
    doubtful, strict = (
        create_bot(person.client, {}, name, strategy=IN_DOUBT, token=SOL, chain="solana")
        for name in ("In doubt", "Stop first")
    )
    simulate = f"/api/bots/{doubtful['id']}/simulate"
    run = person.client.post(simulate, json={"check_interval": 10, "kline_interval": "15m"}).json()
    signed_in.goto(f"/bots/{strict['id']}?tab=simulation")
    form = signed_in.get_by_role("form", name="New simulation")
    form.get_by_role("radio", name="Follow the market live").check()
    form.get_by_role("radio", name="15m").check()
    form.get_by_text("Cash and costs").click()
    form.get_by_label("Fee, %").fill("0.3")
    form.get_by_role("radio", name="Stop first").check()
    form.get_by_role("button", name="Start simulation").click()
    exits = signed_in.get_by_role("region", name="Exits")
    expect(exits).to_contain_text("Stop and target inside one candle: Stop first.")
    started = person.client.get(f"/api/bots/{strict['id']}/simulations").json()["simulations"][0]
    assert (started["intrabar"], started["fee_percent"]) == ("off", 0.3)

    deadline = time.monotonic() + 60
    while sum(run["fills_resolved"].values()) == 0:
        assert time.monotonic() < deadline, run["trade_log"]
        time.sleep(0.2)
        run = person.client.get(f"{simulate}/{run['run_id']}").json()
    counts = person.client.post(f"{simulate}/{run['run_id']}/stop").json()["fills_resolved"]
    signed_in.goto(f"/bots/{doubtful['id']}?tab=simulation&simulation={run['run_id']}")
    expect(exits).to_contain_text(
        f"Exits so far: {counts['exact']} exact, {counts['resolved']} decided on 1-minute candles, "
        f"{counts['assumed']} assumed (stop first). Stop and target inside one candle: 1-minute candles decide."
    )
    look_at(signed_in, "workbench-simulation-exits", signed_in.get_by_role("tabpanel", name="Simulation"))


def test_a_live_simulation_begins_with_what_was_tested_and_is_named_as_what_it_is(
    signed_in: Page, person: Person
) -> None:
    bot = create_bot(person.client, {}, "Anywhere", strategy=TRADES_OFTEN)
    page = f"/bots/{bot['id']}?tab=simulation"
    signed_in.goto(page)
    form = signed_in.get_by_role("form", name="New simulation")
    form.get_by_role("button", name="Start simulation").click()
    expect(form).to_contain_text("Choose a token.")
    expect(signed_in.get_by_text("Is required")).to_have_count(0)

    backtest(person, bot, token=PIPO, chain="solana", kline_interval="15m")
    signed_in.goto(page)
    expect(form).to_contain_text("PIPO on Solana")
    expect(form.get_by_role("radio", name="15m")).to_be_checked()
    form.get_by_role("button", name="Start simulation").click()
    see_chart(signed_in)
    expect(signed_in.locator("figcaption").first).to_contain_text("Live paper trading: PIPO, 15m candles")
    log = signed_in.get_by_role("table", name="Trade log of the simulation")
    expect(log.locator("tbody tr").first).not_to_contain_text("waiting:")
    beside = signed_in.get_by_role("region", name="Beside the backtest")
    expect(beside).to_contain_text(re.compile("backtest of PIPO, 15m candles|backtest of these rules"))
    result = signed_in.get_by_role("region", name="Result of the backtest")
    expect(result).not_to_contain_text("do not compare the two")

    backtest(person, bot, token=SOL, chain="solana")
    signed_in.reload()
    expect(result).to_contain_text(
        "The simulation trades PIPO on 15m candles, this backtest SOL on 1h candles: do not compare the two."
    )
    signed_in.goto("/bots")
    card = signed_in.get_by_role("article").filter(has_text="Anywhere")
    expect(card).to_contain_text("Simulation running, live paper trading")
    expect(card).to_contain_text("PIPO (Solana), 15m candles")


def test_a_visitor_is_told_what_a_simulation_needs(page: Page, context: BrowserContext, base_url: str) -> None:
    with httpx2.Client(base_url=base_url, timeout=30) as client:
        token = client.post("/api/conversations", json={}).json()["anonymous_token"]
        bot = create_bot(client, visitor(token), "An idea")
    come_as(context, base_url, token, "anonymous")
    page.goto(f"/bots/{bot['id']}?tab=simulation")
    expect(page.get_by_text("Simulations need an account.")).to_be_visible()
    expect(page.get_by_role("link", name="Sign up for free")).to_have_attribute(
        "href", f"/register?next=%2Fbots%2F{bot['id']}"
    )


def test_another_simulation_asks_before_it_ends_the_running_one_and_keeps_the_focus(
    signed_in: Page, person: Person
) -> None:
    bot = create_bot(person.client, {}, "Twice", strategy=TRADES_OFTEN, token=SOL, chain="solana")
    first = person.client.post(f"/api/bots/{bot['id']}/simulate", json={"mode": "live", "check_interval": 60}).json()
    signed_in.goto(f"/bots/{bot['id']}")  # which has no backtest
    new = signed_in.get_by_role("button", name="New simulation")
    new.press("Enter")
    form = signed_in.get_by_role("form", name="New simulation")
    expect(form.locator(":focus")).to_have_count(1)
    form.get_by_role("radio", name="Replay the last hour").check()
    form.get_by_role("radio", name="15m").check()
    form.get_by_role("button", name="Start simulation").press("Enter")
    form.get_by_role("button", name="Replay 60 candles of 1m").press("Enter")
    asked = signed_in.get_by_role("dialog", name="End the current simulation?")
    expect(asked).to_contain_text("The live one of SOL, running")
    asked.get_by_role("button", name="Keep it").press("Enter")
    simulations = f"/api/bots/{bot['id']}/simulations"
    assert [each["run_id"] for each in person.client.get(simulations).json()["simulations"]] == [first["run_id"]]

    form.get_by_role("button", name="Replay 60 candles of 1m").press("Enter")
    asked.get_by_role("button", name="End it and start this one").press("Enter")
    expect(new).to_be_focused()
    runs = person.client.get(simulations).json()["simulations"]
    assert [(each["mode"], each["status"]) for each in runs] == [("replay", "running"), ("live", "stopped")]
