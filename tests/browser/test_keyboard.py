"""The way through the app with keys alone."""

import re

from playwright.sync_api import Page, expect

from tests.browser.support import Person
from tests.browser.trading import see_chart, trading_bot
from tests.support import PASSWORD


def test_a_keyboard_is_enough(page: Page, person: Person) -> None:
    page.goto("/login")
    expect(page.get_by_label("Email")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Email")).to_be_focused()
    page.keyboard.type(person.email)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Bots")).to_be_visible()

    new_bot = page.get_by_role("button", name="New bot")
    new_bot.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(new_bot).to_be_focused()

    page.keyboard.press("Enter")
    page.get_by_label("Name").focus()
    page.keyboard.type("Made by keys")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/bots/.+"))
    assert person.client.get("/api/bots").json()["bots"][0]["name"] == "Made by keys"


def test_the_focus_stays_where_a_key_was_pressed(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}")
    run = signed_in.get_by_role("button", name="Run backtest")
    run.focus()
    signed_in.keyboard.press("Enter")
    see_chart(signed_in)
    expect(signed_in.get_by_text("Run of")).to_be_visible()
    expect(run).to_be_focused()  # the form of the new run is another one
    signed_in.keyboard.press("Enter")  # the second run takes the place of one that is shown
    expect(signed_in.get_by_role("row").filter(has=signed_in.get_by_role("checkbox"))).to_have_count(2)
    expect(run).to_be_focused()

    signed_in.get_by_label("At least, %").focus()
    signed_in.keyboard.type("3")
    signed_in.get_by_role("button", name="Save", exact=True).focus()
    signed_in.keyboard.press("Enter")
    expect(signed_in.get_by_role("region", name="Saved")).to_be_focused()
    expect(signed_in.get_by_role("region", name="Saved")).to_be_in_viewport()
