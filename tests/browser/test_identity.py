"""A run says what it is wherever it is shown: token, candles, dates, costs, revision and whose prices."""

import time

from playwright.sync_api import Page, expect

from tests.browser.support import Person, look_at
from tests.browser.trading import DAY, backtest, see_chart, trading_bot

PIPO = "EE39wXdYhJ6qwZN9ueLAZoECEC1qt4LktWRRcatZvs8N"


def test_a_run_carries_its_identity_everywhere(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    backtest(person, bot)
    start = int(time.time()) - 90 * DAY
    old = backtest(person, bot, token=PIPO, kline_interval="4h", start_time=start, fee_percent=0.25)
    changed = {**bot["strategy"], "position_percent": 50}
    assert person.client.patch(f"/api/bots/{bot['id']}", json={"strategy": changed}).status_code == 200

    signed_in.goto("/bots")
    card = signed_in.get_by_role("article").filter(has_text=bot["name"])
    expect(card).to_contain_text("PIPO on Solana")
    expect(card).to_contain_text("Demo prices")
    expect(card).not_to_contain_text("SOL on Solana")

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
    signed_in.get_by_role("tab", name="Backtests").click()

    tested = signed_in.get_by_role("region", name="Tested strategy")
    expect(tested).to_contain_text("This run tested revision 1; the bot is at revision 2 now.")
    tested.get_by_text("What has changed since").click()
    expect(tested).to_contain_text("50% of the cash")
    look_at(signed_in, "workbench-old-run")
    tested.get_by_role("button", name="Restore revision 1").click()
    expect(tested).to_have_count(0)
    assert person.client.get(f"/api/bots/{bot['id']}").json()["strategy"] == bot["strategy"]
