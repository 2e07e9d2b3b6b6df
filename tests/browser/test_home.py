"""Who comes back sees what happened since they were here, on the first page."""

import re

from playwright.sync_api import Page, expect

from tests.browser.support import Person, look_at
from tests.browser.tokens import graded
from tests.browser.trading import backtest, trading_bot

_LEFT_AN_HOUR_AGO = "localStorage.setItem('strategybot.left-at', String(Date.now() - 3_600_000))"


def test_the_first_page_tells_a_user_what_happened_since_they_were_here(signed_in: Page, person: Person) -> None:
    signed_in.goto("/")
    expect(signed_in.get_by_role("button", name="Buy the dip")).to_be_visible()  # a newcomer sees examples

    bot = trading_bot(person)
    run = graded(person, bot, backtest(person, bot))
    old = person.client.post(f"/api/bots/{bot['id']}/simulate", json={"kline_interval": "1m"}).json()
    person.client.post(f"/api/bots/{bot['id']}/simulate/{old['run_id']}/stop")
    other = person.client.post(
        "/api/bots", json={"name": "Other", **{k: bot[k] for k in ("token", "chain", "strategy")}}
    )
    live = f"/api/bots/{other.json()['id']}/simulate"
    person.client.post(live, json={"mode": "live", "kline_interval": "1m", "check_interval": 10})
    person.client.post(f"/api/bots/{bot['id']}/watch", json={})
    signed_in.add_init_script(_LEFT_AN_HOUR_AGO)
    signed_in.goto("/")
    since = signed_in.get_by_role("region", name="Since you were here")
    expect(since.get_by_role("link")).to_have_count(2)  # the finished backtest, and the stopped simulation
    expect(since.get_by_role("heading")).to_have_text("Since you were here")
    expect(since).to_contain_text("Dip buyer")
    money = signed_in.get_by_role("region", name="Paper money")
    expect(money).to_contain_text("1 portfolio, 1 live")
    card = signed_in.get_by_role("article").filter(has_text="Dip buyer")
    expect(card).to_contain_text(f"Verdict: {run['verdict']['headline']}")
    expect(card.get_by_role("list", name="Other runs")).to_contain_text("Paper run stopped")
    expect(card.get_by_role("list", name="Other runs")).to_contain_text("Watch running")
    expect(signed_in.get_by_role("article").filter(has_text="Other")).to_contain_text("live paper trading")
    expect(signed_in.get_by_role("textbox", name="Message")).to_be_visible()
    look_at(signed_in, "home")
    since.get_by_role("link").first.click()
    expect(signed_in).to_have_url(re.compile(f"/bots/{bot['id']}"))
