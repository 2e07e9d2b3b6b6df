"""Slow and broken networks: nothing pulls one back, what ended says so everywhere, and live parts go on by themselves."""

import re
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.chatting import say
from tests.browser.support import Person, assert_accessible, fresh_page, held_requests, wait_until
from tests.browser.trading import backtest, see_chart, trading_bot


def test_an_answer_that_comes_late_does_not_pull_one_back(page: Page) -> None:
    page.goto("/")
    held = held_requests(page, "**/api/conversations/*/chat*")
    say(page, "buy SOL when it drops 2% in 4 hours, stop loss 3%")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    page.get_by_role("link", name="Market", exact=True).click()
    expect(page.get_by_role("table", name="Tokens")).to_be_visible()
    with page.expect_response("**/api/bots/*/backtests?*"):  # the answer is read to its end, and its bot looked at
        for route in held:
            route.continue_()
    expect(page).to_have_url("/market")
    expect(page.get_by_role("table", name="Tokens")).to_be_visible()


def test_nothing_can_be_pressed_that_would_move_when_the_rest_arrives(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    backtest(person, bot)
    held = held_requests(signed_in, "**/api/bots/*/backtest/*")
    signed_in.goto(f"/bots/{bot['id']}")
    expect(signed_in.get_by_text("Loading the chart…")).to_have_count(1)
    wait_until(signed_in, lambda: len(held) > 0)
    expect(signed_in.get_by_role("tab")).to_have_count(0)
    expect(signed_in.get_by_role("form", name="Strategy")).to_have_count(0)
    for route in held:
        route.continue_()
    signed_in.unroute("**/api/bots/*/backtest/*")
    see_chart(signed_in)
    expect(signed_in.get_by_role("tab")).to_have_count(6)

    news = held_requests(signed_in, "**/api/notifications")
    signed_in.goto("/bots")
    wait_until(signed_in, lambda: len(news) > 0)
    expect(signed_in.get_by_text("Loading your bots…")).to_have_count(1)
    expect(signed_in.get_by_role("article")).to_have_count(0)
    for route in news:
        route.continue_()
    expect(signed_in.get_by_role("article")).to_have_count(1)


def test_a_finished_replay_says_so_everywhere(signed_in: Page, context: BrowserContext, person: Person) -> None:
    bot = trading_bot(person)
    person.client.post(f"/api/bots/{bot['id']}/simulate", json={"check_interval": 10, "kline_interval": "1h"})
    signed_in.goto(f"/bots/{bot['id']}?tab=simulation")
    bots = context.new_page()
    bots.goto("/bots")
    expect(signed_in.get_by_text("Finished: it has seen every candle.")).to_be_visible(timeout=30_000)
    expect(signed_in.get_by_text("Stopped", exact=True)).to_be_visible()
    for running in ("Running", "Simulating"):
        expect(signed_in.get_by_text(running, exact=True)).to_have_count(0)
    expect(signed_in.get_by_role("button", name="Pause")).to_have_count(0)
    expect(bots.get_by_role("heading", name=bot["name"])).to_be_visible()
    expect(bots.get_by_text("Simulation running")).to_have_count(0)
    say(signed_in, "how is the simulation doing?")
    expect(signed_in.get_by_role("log")).to_contain_text("No simulation is running.")
    bots.close()


def test_a_server_that_is_gone_is_seen_within_ten_seconds(signed_in: Page, person: Person) -> None:
    trading_bot(person)
    signed_in.route("**/api/events", lambda route: route.abort())
    signed_in.goto("/bots")
    expect(signed_in.get_by_role("banner")).to_contain_text(
        re.compile(r"Reconnecting… last update \d\d:\d\d:\d\d UTC"), timeout=10_000
    )
    expect(signed_in.locator("main.greyed")).to_be_visible()
    assert_accessible(signed_in)
    signed_in.unroute("**/api/events")
    expect(signed_in.get_by_text("Reconnecting…")).to_have_count(0, timeout=30_000)
    expect(signed_in.locator("main.greyed")).to_have_count(0)


def test_live_parts_go_on_after_a_broken_connection(signed_in: Page, context: BrowserContext, person: Person) -> None:
    bot = trading_bot(person)
    with signed_in.expect_response("**/api/events"):
        signed_in.goto(f"/bots/{bot['id']}")
    expect(signed_in.get_by_role("textbox", name="Message")).to_be_visible()
    preview = signed_in.get_by_role("region", name="Preview")
    preview.scroll_into_view_if_needed()
    expect(preview.locator("canvas").first).to_be_visible()  # every part of the page is here
    context.set_offline(True)
    expect(signed_in.get_by_text("You are offline.")).to_be_visible()
    person.client.patch(f"/api/bots/{bot['id']}", json={"name": "Changed meanwhile"})
    context.set_offline(False)
    expect(signed_in.get_by_role("heading", name="Changed meanwhile")).to_be_visible(timeout=30_000)
    person.client.patch(f"/api/bots/{bot['id']}", json={"name": "Changed afterwards"})
    expect(signed_in.get_by_role("heading", name="Changed afterwards")).to_be_visible(timeout=30_000)


def test_a_part_that_cannot_be_loaded_says_so_alone_and_is_loaded_again(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    backtest(person, bot)
    away = re.compile(r"/assets/(Canvas|ExploreTab)-")
    signed_in.route(away, lambda route: route.abort())
    signed_in.goto(f"/bots/{bot['id']}")
    chart = signed_in.get_by_role("figure")
    explore = signed_in.get_by_role("tabpanel", name="Explore")
    expect(chart).to_contain_text("The chart could not be loaded.")
    percent = signed_in.get_by_role("form", name="Strategy").get_by_label("At least, %")
    percent.fill("7")
    draft = signed_in.get_by_role("textbox", name="Message")
    draft.fill("and a trailing stop of")
    signed_in.get_by_role("tab", name="Explore").click()
    expect(explore).to_contain_text("This part could not be loaded.")
    assert_accessible(signed_in)
    chart.get_by_role("button", name="Try again").click()
    expect(chart).to_contain_text("The chart could not be loaded.")  # it is still away
    signed_in.unroute(away)
    chart.get_by_role("button", name="Try again").click()
    see_chart(signed_in)
    explore.get_by_role("button", name="Try again").click()
    expect(explore.get_by_role("button", name="Search")).to_be_visible()
    expect(percent).to_have_value("7")
    expect(draft).to_have_value("and a trailing stop of")
    signed_in.get_by_role("tab", name="Backtests").click()
    signed_in.get_by_role("button", name="Run backtest").click()
    expect(signed_in.get_by_text("revision 2").first).to_be_visible()


def test_what_could_not_be_loaded_offline_comes_with_the_connection(
    browser: Browser, browser_context_args: dict[str, Any], person: Person
) -> None:
    bot = trading_bot(person)
    with fresh_page(browser, browser_context_args, person) as page:
        page.goto(f"/bots/{bot['id']}")
        expect(page.get_by_role("textbox", name="Message")).to_be_visible()
        page.context.set_offline(True)
        page.get_by_role("tab", name="Explore").click()
        expect(page.get_by_text("This part could not be loaded.")).to_be_visible()
        page.get_by_role("link", name="Market", exact=True).click()
        expect(page.get_by_text("This screen could not be loaded.")).to_be_visible()
        page.context.set_offline(False)
        expect(page.get_by_role("table", name="Tokens")).to_be_visible()
        page.get_by_role("link", name="Bots", exact=True).click()
        expect(page.get_by_role("heading", name=bot["name"])).to_be_visible()
