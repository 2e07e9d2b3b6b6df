"""Forms: what a new bot asks for, what is refused is not offered, and what is added is seen."""

from playwright.sync_api import Page, expect

from tests.browser.support import Person, assert_accessible
from tests.browser.trading import trading_bot
from tests.support import create_bot


def test_a_new_bot_asks_plainly_and_its_workbench_is_not_empty(signed_in: Page) -> None:
    signed_in.goto("/bots")
    signed_in.get_by_role("button", name="New bot").click()
    dialog = signed_in.get_by_role("dialog")
    chosen = dialog.get_by_label("Or import a strategy")
    box = chosen.bounding_box()
    assert box is not None
    assert box["width"] <= 1  # a button of our own stands for the browser's
    expect(dialog.get_by_text("Choose a file")).to_be_visible()
    assert "`" not in dialog.inner_text()
    assert_accessible(signed_in)
    dialog.get_by_label("Name").fill("Fresh")
    dialog.get_by_role("button", name="Create").click()
    empty = signed_in.get_by_text("It has no strategy yet.").locator(
        "xpath=ancestor::div[contains(@class, 'min-h-44')]"
    )
    box = empty.bounding_box()
    assert box is not None
    assert box["height"] < 300


def test_a_time_with_more_candles_than_the_tier_has_is_not_offered(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}")
    form = signed_in.get_by_role("form", name="New backtest")
    form.get_by_role("radio", name="1 year").check()
    form.get_by_role("radio", name="1m", exact=True).check()
    expect(form.get_by_role("radio", name="1 year")).to_be_disabled()
    expect(form.get_by_role("radio", name="30 days")).to_be_checked()


def test_a_condition_that_is_added_is_seen_and_ready_to_be_filled_in(signed_in: Page, person: Person) -> None:
    bot = create_bot(
        person.client, {}, "Many", strategy={"conditions": [{"kind": "price_drop", "percent": 2, "window": "4h"}] * 3}
    )
    signed_in.goto(f"/bots/{bot['id']}")
    entry = signed_in.get_by_role("region", name="Buy when")
    entry.get_by_role("button", name="Add a condition").click()
    added = entry.get_by_role("group").filter(has=signed_in.get_by_role("combobox", name="Kind")).last
    expect(added).to_be_in_viewport(ratio=0.9)
    expect(added.get_by_role("combobox").first).to_be_focused()


def test_the_account_is_one_column_with_aligned_labels(signed_in: Page) -> None:
    signed_in.goto("/account")
    expect(signed_in.get_by_role("meter").first).to_be_visible()
    cards = signed_in.locator("main section:has(> header h2)")
    lefts = {round(box["x"]) for card in cards.all() if (box := card.bounding_box())}
    assert len(lefts) == 1, lefts
    fields = signed_in.get_by_role("group", name="What new runs begin with").locator("select, input")
    tops = [round(box["y"]) for field in fields.all() if (box := field.bounding_box())]
    assert [tops[0], tops[2], tops[4]] == [tops[1], tops[3], tops[5]]
