"""A strategy with a ladder, two targets and a nested group: edited by keyboard, tested, and its fills on the chart."""

import itertools
import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.support import (
    CONTRAST,
    PHONE,
    PICTURES,
    SCREENSHOTS,
    WIDE,
    Person,
    Theme,
    assert_accessible,
    assert_no_sideways_scrolling,
    look_at,
    set_look,
)
from tests.browser.trading import SOL, backtest, see_chart, trades_of, trading_bot
from tests.support import create_bot

TEMPLATES = 10


def press(control: Locator, key: str = "Enter") -> None:
    control.focus()
    control.press(key)


def choose(select: Locator, letters: str) -> None:
    """Choose by keyboard: the first letters of the option."""
    select.focus()
    select.press_sequentially(letters)


def look_at_editor(page: Page, form: Locator) -> None:
    """The editor is accessible; on a phone it is one of three areas, so `look_at` would not see it."""
    themes: tuple[Theme, ...] = ("light", "dark")
    for theme, size in itertools.product(themes, (WIDE, PHONE)):
        set_look(page, theme, size)
        if size is PHONE:
            page.get_by_role("radio", name="Strategy").check()
            assert_no_sideways_scrolling(page)
        if theme == "light" or size is WIDE:
            assert_accessible(page, part=form, only=CONTRAST if theme == "dark" else None)
        if PICTURES:
            name = f"orders-editor-{'wide' if size is WIDE else 'phone'}-{theme}"
            page.set_viewport_size({"width": size["width"], "height": 2600})
            form.screenshot(path=SCREENSHOTS / f"{name}.png")
    set_look(page, "light", WIDE)


def test_orders_and_groups_are_edited_by_keyboard_and_tested(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}")
    form = signed_in.get_by_role("form", name="Strategy")
    words = form.get_by_role("region", name="In words")
    expect(form.get_by_label("Take profit, %")).to_have_value("4")

    press(form.get_by_text("More ways to sell"))
    press(form.get_by_role("button", name="Sell in parts, at several targets"))
    expect(words).to_contain_text("50 % of what was bought at a 4 % gain (take profit 1 of 2)")
    press(form.get_by_text("Buy in parts"))
    press(form.get_by_role("button", name="Buy more on the way down"))
    press(form.get_by_role("button", name="Add a step"))
    form.get_by_role("group", name="Step 1").get_by_label("Lower by, %").fill("1")
    form.get_by_role("group", name="Step 2").get_by_label("Lower by, %").fill("2")
    expect(words).to_contain_text("Buy with 40 % of the cash when")
    expect(words).to_contain_text("20 % when it is 1 % lower, 20 % when it is 2 % lower")

    entry = form.get_by_role("region", name="Buy when")
    choose(form.get_by_label("Kind of condition 1", exact=True), "Group")
    press(entry.get_by_role("button", name="Add to group 1"))
    choose(form.get_by_label("Kind of condition 1.2", exact=True), "Group")
    choose(form.get_by_label("Kind of condition 1.2.1", exact=True), "Time")
    press(entry.get_by_role("button", name="Add a condition"))
    choose(form.get_by_label("Kind of condition 2", exact=True), "Volume")
    press(form.get_by_role("button", name="Move condition 2", exact=True), "ArrowRight")
    expect(form.get_by_role("button", name="Move condition 1.3", exact=True)).to_be_focused()
    signed_in.keyboard.press("ArrowUp")
    signed_in.keyboard.press("ArrowUp")
    expect(form.get_by_role("button", name="Move condition 1.1", exact=True)).to_be_focused()
    expect(words).to_contain_text(
        "(the volume is at least 3 × its 1h average or the price falls at least 2 % within 4h"
        " or (the candle closes between 09:00 and 17:00 (UTC)))"
    )
    signed_in.keyboard.press("Enter")
    look_at_editor(signed_in, form)

    form.get_by_role("group", name="Step 2").get_by_label("Lower by, %").fill("0.5")
    press(form.get_by_role("button", name="Save"))
    expect(form.get_by_text("Drop percent must rise from one step to the next.")).to_be_visible()
    form.get_by_role("group", name="Step 2").get_by_label("Lower by, %").fill("2")
    press(form.get_by_role("button", name="Save"))
    expect(signed_in.get_by_role("region", name="Saved")).to_contain_text("20% at −1%, 20% at −2%")
    saved = person.client.get(f"/api/bots/{bot['id']}").json()["strategy"]
    assert [each["kind"] for each in saved["conditions"][0]["conditions"]] == ["volume_spike", "price_drop", "group"]

    run = backtest(person, bot, kline_interval="1h")
    parted = next(each for each in reversed(trades_of(person, run)) if len(each["fills"]) > 3)
    signed_in.goto(f"/bots/{bot['id']}?tab=trades")
    see_chart(signed_in)
    press(signed_in.get_by_role("button", name=f"fills of trade #{parted['number']}", exact=False))
    fills = signed_in.get_by_role("table", name=f"Fills of trade #{parted['number']}")
    expect(fills.get_by_role("row")).to_have_count(1 + len(parted["fills"]))
    press(signed_in.get_by_role("button", name=f"Show trade #{parted['number']} on the chart", exact=True))
    expect(signed_in.get_by_text(re.compile(f"trade #{parted['number']} on 1h candles"))).to_be_visible()
    fills.scroll_into_view_if_needed()
    expect(fills.get_by_text("Ladder").first).to_be_in_viewport()
    look_at(signed_in, "orders-trade", part=fills)


def test_every_template_is_valid(signed_in: Page, person: Person) -> None:
    bot = create_bot(person.client, {}, "An idea", token=SOL, chain="solana")
    signed_in.goto(f"/bots/{bot['id']}")
    templates = signed_in.get_by_role("list", name="Templates").get_by_role("button")
    expect(templates).to_have_count(TEMPLATES)
    form = signed_in.get_by_role("form", name="Strategy")
    for place in range(TEMPLATES):
        templates.nth(place).click()
        expect(form.get_by_role("region", name="In words")).to_contain_text(re.compile("^Buy"))
        form.get_by_role("button", name="Discard").click()
