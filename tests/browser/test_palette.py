"""A few keys lead to everything: the palette, the list of shortcuts, and the chat."""

import re
from contextlib import suppress

from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as NotInTime

from tests.browser.support import Person, assert_accessible
from tests.browser.trading import backtest, trading_bot


def press_until_it_opens(page: Page, keys: str) -> None:
    """The keys are listened to once the page has nothing better to do."""
    opened = page.get_by_role("dialog")
    for _ in range(30):
        page.keyboard.press(keys)
        with suppress(NotInTime):
            opened.wait_for(timeout=1000)
            return


def test_the_palette_finds_bots_runs_tokens_and_actions(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    run = backtest(person, bot)
    signed_in.goto("/market")
    expect(signed_in.get_by_role("table", name="Tokens")).to_be_visible()
    press_until_it_opens(signed_in, "Control+k")
    box = signed_in.get_by_role("combobox", name="Search bots, runs, tokens and actions")
    expect(box).to_be_focused()
    assert_accessible(signed_in)
    signed_in.keyboard.type("dip")
    expect(signed_in.get_by_role("option", name="Dip buyer").first).to_have_attribute("aria-selected", "true")
    signed_in.keyboard.press("Enter")
    expect(signed_in).to_have_url(re.compile(f"/bots/{bot['id']}$"))

    signed_in.keyboard.press("Control+k")
    expect(box).to_be_focused()
    signed_in.keyboard.type("1h candles")
    expect(signed_in.get_by_role("option", name="1h candles")).to_be_visible()
    signed_in.keyboard.press("Enter")
    expect(signed_in).to_have_url(re.compile(f"run={run['run_id']}"))

    signed_in.keyboard.press("Control+k")
    expect(box).to_be_focused()
    signed_in.keyboard.type("PIPO")
    signed_in.get_by_role("option", name="Token").first.click()
    expect(signed_in).to_have_url(re.compile("/market/.+"))


def test_a_question_mark_lists_the_shortcuts_and_c_leads_to_the_chat(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}")
    message = signed_in.get_by_role("textbox", name="Message")
    expect(message).to_be_visible()
    press_until_it_opens(signed_in, "?")
    shortcuts = signed_in.get_by_role("dialog")
    expect(shortcuts).to_contain_text("Ctrl K")
    assert_accessible(signed_in)
    signed_in.keyboard.press("Escape")
    expect(shortcuts).to_have_count(0)
    signed_in.keyboard.press("c")
    expect(message).to_be_focused()
    signed_in.keyboard.press("?")  # is typed, and opens nothing
    expect(message).to_have_value("?")
    expect(shortcuts).to_have_count(0)


def test_one_can_skip_to_the_chat(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}")
    message = signed_in.get_by_role("textbox", name="Message")
    expect(message).to_be_visible()
    for _ in range(2):
        signed_in.keyboard.press("Tab")
    expect(signed_in.get_by_role("button", name="Skip to the chat")).to_be_focused()
    signed_in.keyboard.press("Enter")
    expect(message).to_be_focused()
