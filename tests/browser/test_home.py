"""Who comes back sees what happened since they were here, on the first page."""

import re

from playwright.sync_api import Page, Route, expect

from tests.browser.support import Person, assert_accessible, look_at
from tests.browser.tokens import graded
from tests.browser.trading import backtest, trading_bot
from tests.support import create_bot

_LEFT_AN_HOUR_AGO = "localStorage.setItem('strategybot.left-at', String(Date.now() - 3_600_000))"


def went_on(route: Route) -> None:
    """The simulation as it may be hours later: more candles, other than expected, and without new prices.

    A page that asks again, for what is new, is told the same: a candle may close while the test runs.
    """
    run = route.fetch().json()
    if run["klines"] and run["trade_log"]:
        first = run["klines"][-1]
        run["klines"] += [{**first, "time": first["time"] + 60 * place} for place in (1, 2)]
        last = run["trade_log"][-1]
        run["trade_log"] += [{**last, "number": last["number"] + 1, "time": run["klines"][-1]["time"]}]
    run["waiting"] = "The provider does not answer."
    band = {"expected": 1, "low": 0, "high": 2, "live": 1}
    run["expectation"] = {
        "backtest_run_id": run["run_id"],
        "days": 30,
        "trades": 9,
        **dict.fromkeys(("trades_per_week", "win_rate", "max_drawdown"), band),
        "notes": ["Its drawdown is deeper than any of the backtest."],
    }
    return route.fulfill(json=run)


def test_bots_are_tagged_found_by_their_tag_and_duplicated(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    create_bot(person.client, {}, "Other")
    signed_in.goto(f"/bots/{bot['id']}")
    signed_in.get_by_role("button", name="Rename").click()
    dialog = signed_in.get_by_role("dialog")
    dialog.get_by_label("Tags").fill("slow, memes,slow")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    assert person.client.get(f"/api/bots/{bot['id']}").json()["tags"] == ["slow", "memes"]
    signed_in.goto("/bots")
    signed_in.get_by_label("Tag", exact=True).select_option("memes")
    expect(signed_in.get_by_role("article")).to_have_count(1)
    expect(signed_in.get_by_role("article").get_by_role("list", name="Tags")).to_contain_text("slow")
    assert_accessible(signed_in)
    signed_in.get_by_role("button", name="Duplicate Dip buyer").click()
    expect(signed_in.get_by_role("heading", name="Dip buyer copy")).to_be_visible()
    copy = person.client.get("/api/bots").json()["bots"][0]
    assert {name: copy[name] for name in ("strategy", "token", "chain", "tags")} == {
        name: bot[name] for name in ("strategy", "token", "chain")
    } | {"tags": ["slow", "memes"]}


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
    run_id = person.client.post(live, json={"mode": "live", "kline_interval": "1m", "check_interval": 10}).json()[
        "run_id"
    ]
    signed_in.route(re.compile(f"{live}/{run_id}"), went_on)
    person.client.post(f"/api/bots/{bot['id']}/watch", json={})
    signed_in.add_init_script(_LEFT_AN_HOUR_AGO)
    signed_in.goto("/")
    since = signed_in.get_by_role("region", name="Since you were here")
    expect(since.get_by_role("link")).to_have_count(2)  # the finished backtest, and the stopped simulation
    expect(since.get_by_role("heading")).to_have_text("Since you were here")
    expect(since).to_contain_text("Dip buyer")
    money = signed_in.get_by_role("region", name="Paper money")
    expect(money).to_contain_text("1 live portfolio")
    expect(money.locator("svg:has(polyline)")).to_be_visible()
    card = signed_in.get_by_role("article").filter(has_text="Dip buyer")
    expect(card).to_contain_text(f"Verdict: {run['verdict']['headline']}")
    expect(card.get_by_role("list", name="Other runs")).to_contain_text("Paper run stopped")
    expect(card.get_by_role("list", name="Other runs")).to_contain_text("Watch running")
    live_card = signed_in.get_by_role("article").filter(has_text="Other")
    expect(live_card).to_contain_text("live paper trading")
    expect(live_card).to_contain_text("Outside expectation Its drawdown is deeper than any of the backtest.")
    expect(live_card).to_contain_text("No prices The provider does not answer.")
    expect(signed_in.get_by_role("textbox", name="Message")).to_be_visible()
    look_at(signed_in, "home")
    since.get_by_role("link").first.click()
    expect(signed_in).to_have_url(re.compile(f"/bots/{bot['id']}"))
