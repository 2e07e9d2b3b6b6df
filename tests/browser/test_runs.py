"""Runs are named, noted, starred, found again and deleted; and a simulation keeps its rules until it is restarted."""

import re

from playwright.sync_api import Page, expect

from tests.browser.support import Person, assert_accessible
from tests.browser.trading import backtest, pinned, runs_of, trading_bot


def test_runs_are_named_starred_filtered_compared_and_deleted(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    backtest(person, bot, kline_interval="4h", **pinned(90))
    newest = backtest(person, bot, fee_percent=0.5)
    signed_in.goto(f"/bots/{bot['id']}")
    signed_in.get_by_role("button", name="Name it").click()
    dialog = signed_in.get_by_role("dialog")
    expect(dialog.get_by_label("Name")).to_be_focused()
    dialog.get_by_label("Name").fill("Dear fees")
    dialog.get_by_label("Note").fill("What does half a percent cost?")
    dialog.get_by_role("button", name="Save").click()
    expect(signed_in.get_by_role("heading", name="Dear fees")).to_be_visible()
    signed_in.get_by_role("button", name="Give it a star").first.click()
    table = signed_in.get_by_role("table", name="Backtests of this bot")
    signed_in.get_by_text("Columns", exact=True).click()
    signed_in.get_by_role("group", name="Columns").get_by_label("Fee and slippage").check()
    expect(table.get_by_role("row").filter(has_text="Dear fees")).to_contain_text("0.55%")

    for place in range(2):
        table.get_by_role("checkbox").nth(place).check()
    signed_in.get_by_role("button", name="Compare 2 runs").click()
    sides = signed_in.get_by_role("region", name="Comparison")
    expect(sides.get_by_role("row").nth(1)).to_contain_text("Candles")
    expect(sides.get_by_role("columnheader").get_by_text("Revision")).to_have_count(2)
    expect(sides.get_by_role("columnheader").last).to_contain_text("Dear fees")  # the newer one
    expect(sides.get_by_role("row", name=re.compile("^Fee "))).to_contain_text("0.5%")
    expect(sides.get_by_role("row", name="Verdict", exact=False)).to_contain_text("Loses money")
    few = [run for run in runs_of(person, bot) if run["metrics"]["total_trades"] < 30]
    assert few
    expect(
        sides.get_by_role("row", name="Sharpe ratio", exact=False).get_by_text("Of fewer than 30 trades")
    ).to_have_count(len(few))
    expect(sides).to_contain_text("none of them is marked as better")
    expect(sides.get_by_text("★")).to_have_count(0)
    assert_accessible(signed_in)

    signed_in.get_by_role("radio", name="Starred").check()
    expect(table.locator("tbody tr")).to_have_count(1)
    signed_in.get_by_role("button", name="Delete this run").click()
    signed_in.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(signed_in.get_by_text("The run is deleted.")).to_be_visible()
    assert newest["run_id"] not in {run["run_id"] for run in runs_of(person, bot)}


def test_a_simulation_keeps_its_rules_until_it_is_restarted(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    person.client.post(f"/api/bots/{bot['id']}/simulate", json={"fee_percent": 0.2})
    signed_in.goto(f"/bots/{bot['id']}?tab=simulation")
    expect(signed_in.get_by_text("fee 0.2% + slippage 0.05% each way")).to_be_visible()
    signed_in.get_by_role("form", name="Strategy").get_by_label("Stop loss, %").fill("2")
    rules = signed_in.get_by_role("region", name="Rules of the simulation")
    expect(rules).to_contain_text("keeps the rules it started with (revision 1)")
    rules.get_by_role("button", name="Restart with the new rules").click()
    asked = signed_in.get_by_role("dialog", name="End the current simulation?")
    asked.get_by_role("button", name="End it and start again").click()
    expect(signed_in.get_by_text("revision 2", exact=True)).to_be_visible()
    expect(rules).to_have_count(0)
    runs = person.client.get(f"/api/bots/{bot['id']}/simulations").json()["simulations"]
    assert [(run["strategy_revision"], run["fee_percent"], run["stop_reason"]) for run in runs] == [
        (2, 0.2, None),
        (1, 0.2, "replaced"),
    ]
