"""The first minute of somebody who has no account: an idea goes in, and is seen tested; signing up keeps it."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chatting import say
from tests.browser.support import look_at, take_picture
from tests.browser.trading import see_chart
from tests.support import PASSWORD

WORKBENCH = re.compile("/bots/[0-9a-f-]{36}$")


def test_a_visitor_sees_an_example_tested_and_keeps_it(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_text("No account needed")).to_be_visible()
    look_at(page, "start")
    page.get_by_role("button", name="Buy the dip").click()

    expect(page).to_have_url(WORKBENCH)
    workbench = page.url
    strategy = page.get_by_role("complementary", name="Strategy and result")
    expect(strategy).to_contain_text("falls at least 4 % within 2h")
    see_chart(page)
    expect(page.locator("figcaption")).to_contain_text("PIPO, 1h candles")  # a visitor may not ask the market for it
    expect(page.get_by_role("region", name="Result")).to_contain_text("simply holding")
    log = page.get_by_role("log")
    expect(log.get_by_text("Tested it")).to_be_visible()
    expect(log.get_by_text("Buy PIPO when it falls")).to_have_count(1)
    expect(log.get_by_text("checked against the backtest")).to_be_visible()
    expect(page.get_by_text("49 messages left")).to_be_visible()
    take_picture(page, "first-minute")

    page.get_by_role("link", name="Sign up to keep it").click()
    page.get_by_label("Email").fill("first-minute@example.com")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button").click()

    expect(page).to_have_url(workbench)
    expect(page.get_by_role("link", name="Account of first-minute@example.com")).to_be_visible()
    expect(log.get_by_text("Buy PIPO when it falls")).to_have_count(1)
    see_chart(page)
    expect(page.get_by_text("messages left")).to_have_count(0)


@pytest.mark.parametrize("example", ["Buy the dip", "Ride the breakout", "Follow the crowd", None])
def test_every_suggestion_leads_to_at_least_ten_trades(page: Page, example: str | None) -> None:
    page.goto("/")
    box = page.get_by_role("textbox", name="Message")
    if example is None:  # the sentence that stands in the box
        box.fill((box.get_attribute("placeholder") or "").removesuffix("…"))
        page.keyboard.press("Enter")
    else:
        page.get_by_role("button", name=example).click()
    expect(page).to_have_url(WORKBENCH)
    caption = page.locator("figcaption")
    if example is None:  # no test was asked for: the one backtest is used when the visitor says so
        expect(page.get_by_text("This look is free")).to_be_visible()
        page.get_by_role("button", name="Test it", exact=True).click()
    expect(caption).to_contain_text(re.compile(r": \d+ trades"))
    found = re.search(r": (\d+) trades", caption.inner_text())
    assert found, caption.inner_text()
    assert int(found[1]) >= 10
    expect(page.get_by_role("log").get_by_text("Tested it")).to_have_count(0 if example is None else 1)


def test_the_one_backtest_is_used_after_a_yes_on_candles_that_show_the_window(page: Page) -> None:
    page.goto("/")
    say(page, "Buy SOL when it falls 1.5% within 90 minutes, sell at 3% profit or 2% loss")
    expect(page).to_have_url(WORKBENCH)
    look = page.get_by_role("region", name="First look")
    expect(look).to_contain_text("SOL, 15m candles")
    expect(look.locator("canvas").first).to_be_visible()
    log = page.get_by_role("log")
    expect(log).to_contain_text("This uses the only backtest that you have without an account. Shall I run it?")
    expect(page.get_by_text("No backtest yet.")).to_be_visible()
    look_at(page, "first-look")
    say(page, "yes")
    expect(log.get_by_text("Tested it")).to_be_visible()
    expect(page.get_by_role("region", name="Result")).to_contain_text("simply holding")
    expect(page.locator("figcaption")).to_contain_text("SOL, 15m candles over 30 days")


def test_keys_alone_lead_from_an_idea_to_its_test(page: Page) -> None:
    """No token is named, and no test is asked for: the page takes one of the demo market and shows it."""
    page.goto("/")
    box = page.get_by_role("textbox", name="Message")
    expect(box).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # skips to the content
    page.keyboard.press("Tab")
    expect(box).to_be_focused()
    page.keyboard.type("buy when it drops 1.5% in 1 hour, take profit 5%, stop loss 3%")
    page.keyboard.press("Enter")

    expect(page).to_have_url(WORKBENCH)
    expect(page.get_by_text("Shown on SOL, a token of the demo market.")).to_be_visible()
    expect(page.get_by_role("region", name="First look")).to_contain_text("SOL, 15m candles")
    preview = page.get_by_role("region", name="Preview")  # it waited for the token
    preview.scroll_into_view_if_needed()
    expect(preview.locator("canvas").first).to_be_visible()

    box.focus()
    page.keyboard.type("/str")
    expect(page.get_by_role("option", name="/strategy")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.get_by_role("log").get_by_text("Read the strategy")).to_be_visible()


def test_whoever_comes_back_finds_the_way_to_their_bot(page: Page) -> None:
    page.goto("/")
    page.get_by_role("textbox", name="Message").fill("buy when it drops 5% in 1 hour, stop loss 3%")
    page.keyboard.press("Enter")
    expect(page).to_have_url(WORKBENCH)
    workbench = page.url
    page.goto("/")
    expect(page.get_by_text("49 messages left without an account")).to_be_visible()
    page.get_by_role("link", name="Go on with").click()
    expect(page).to_have_url(workbench)
    expect(page.get_by_role("log").get_by_text("buy when it drops 5% in 1 hour")).to_have_count(1)
