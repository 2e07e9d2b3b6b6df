"""A run says what it is wherever it is shown: token, candles, dates, costs, revision and whose prices."""

import time

from playwright.sync_api import Page, expect

from tests.browser.support import Person, look_at
from tests.browser.trading import DAY, PIPO, backtest, runs_of, see_chart, trading_bot

OLD = "Result of revision 1, rules have changed"


def test_a_run_carries_its_identity_everywhere(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    chat = person.client.post("/api/conversations", json={"bot_id": bot["id"]}).json()
    person.client.post(f"/api/conversations/{chat['id']}/chat", json={"message": "test it"})
    start = int(time.time()) - 90 * DAY
    old = backtest(person, bot, token=PIPO, kline_interval="4h", start_time=start, fee_percent=0.25)
    changed = {**bot["strategy"], "position_percent": 50}
    assert person.client.patch(f"/api/bots/{bot['id']}", json={"strategy": changed}).status_code == 200

    signed_in.goto("/bots")
    card = signed_in.get_by_role("article").filter(has_text=bot["name"])
    expect(card).to_contain_text("PIPO on Solana")
    expect(card).to_contain_text("Demo prices")
    expect(card).not_to_contain_text("SOL on Solana")
    expect(card).to_contain_text(OLD)
    expect(card.locator(".greyed").get_by_text("Last backtest")).to_be_visible()

    signed_in.goto(f"/bots/{bot['id']}?run={old['run_id']}")
    see_chart(signed_in)
    identity = signed_in.locator("p").filter(has_text="fee 0.25% + slippage 0.05% each way").first
    for words in ("PIPO on Solana", "4h candles", "(90 days", "revision 1", "Demo prices"):
        expect(identity).to_contain_text(words)
    form = signed_in.get_by_role("form", name="New backtest")
    expect(form).to_contain_text("PIPO on Solana")
    expect(form.get_by_role("radio", name="4h")).to_be_checked()
    expect(form.get_by_role("radio", name="90 days")).to_be_checked()
    expect(signed_in.get_by_text("SOL", exact=True).filter(visible=True)).to_have_count(1)  # in the list of all runs

    signed_in.get_by_role("tab", name="Simulation").click()  # the result beside it is not a simulation's
    expect(signed_in.get_by_role("region", name="Result of the backtest")).to_contain_text("PIPO on Solana")
    result = signed_in.get_by_role("complementary", name="Strategy and result").locator(".greyed")
    expect(result).to_contain_text("Verdict")
    for tab in ("Trades", "Backtests"):
        signed_in.get_by_role("tab", name=tab).click()
        panel = signed_in.get_by_role("tabpanel")
        expect(panel).to_contain_text(f"{OLD} · Run again")
        expect(panel.locator(".greyed")).to_be_visible()
    expect(signed_in.get_by_role("complementary", name="Strategy and result")).to_contain_text(f"{OLD} · Run again")
    expect(signed_in.get_by_role("log")).to_contain_text(OLD)

    tested = signed_in.get_by_role("region", name="Tested strategy")
    expect(tested).to_contain_text(f"{OLD}: the bot is at revision 2 now.")
    tested.get_by_text("What has changed since").click()
    expect(tested).to_contain_text("50% of the cash")
    look_at(signed_in, "workbench-old-run")
    tested.get_by_role("button", name="Restore revision 1").click()
    expect(tested).to_have_count(0)
    assert person.client.get(f"/api/bots/{bot['id']}").json()["strategy"] == bot["strategy"]
    expect(signed_in.get_by_text(OLD)).to_have_count(0)
    expect(signed_in.locator(".greyed")).to_have_count(0)


def test_an_edit_greys_the_result_until_it_is_run_again(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    backtest(person, bot)
    signed_in.goto(f"/bots/{bot['id']}")
    result = signed_in.get_by_role("region", name="Result", exact=True)
    expect(result).to_contain_text("Verdict")
    form = signed_in.get_by_role("form", name="Strategy")
    form.get_by_label("Stop loss, %").fill("5")
    form.get_by_role("button", name="Save").click()
    expect(result).to_contain_text(OLD)
    result.get_by_role("button", name="Run again").click()
    expect(signed_in.get_by_text(OLD)).to_have_count(0)
    signed_in.get_by_role("tab", name="Revisions").click()
    revisions = signed_in.get_by_role("tabpanel").locator("ol > li")
    for place in range(2):
        expect(revisions.nth(place)).to_contain_text("Its run")
        expect(revisions.nth(place)).to_contain_text("Verdict:")
    look_at(signed_in, "workbench-revisions", signed_in.get_by_role("tabpanel"))
    newest = runs_of(person, bot)[0]
    assert (newest["strategy_revision"], newest["kline_interval"]) == (2, bot["recommended_kline_interval"])
