"""The workbench: a strategy edited by form and brought back, and how it looks with and without something on it."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.support import PHONE, Person, assert_accessible, assert_no_sideways_scrolling, look_at
from tests.browser.trading import backtest, see_chart, trading_bot
from tests.support import create_bot


def test_a_strategy_is_edited_by_form_and_the_change_undone(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}")
    sentence = signed_in.get_by_role("region", name="Strategy", exact=True)
    form = signed_in.get_by_role("form", name="Strategy")
    expect(sentence).to_contain_text("falls at least 2 %")

    form.get_by_label("At least, %").fill("120")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_text("Must be below 100.")).to_be_visible()
    form.get_by_label("At least, %").fill("7.5")
    form.get_by_role("button", name="Save").click()

    notice = signed_in.get_by_role("region", name="Saved")
    expect(notice).to_contain_text("the price falls at least 2 % within 4h")
    expect(notice).to_contain_text("the price falls at least 7.5 % within 4h")
    expect(sentence).to_contain_text("falls at least 7.5 %")
    notice.get_by_role("button", name="Undo").click()
    expect(sentence).to_contain_text("falls at least 2 %")
    expect(form.get_by_label("At least, %")).to_have_value("2")

    signed_in.get_by_role("tab", name="Revisions").click()
    expect(signed_in.get_by_role("heading", name=re.compile("^Revision "))).to_have_text(
        ["Revision 3", "Revision 2", "Revision 1"]
    )
    assert_accessible(signed_in)
    assert_sealed_and_opened_after_a_yes(signed_in, person, bot)
    signed_in.get_by_role("button", name="Restore").first.click()
    expect(sentence).to_contain_text("falls at least 7.5 %")
    assert person.client.get(f"/api/bots/{bot['id']}").json()["revision"] == 4


def assert_sealed_and_opened_after_a_yes(page: Page, person: Person, bot: dict[str, Any]) -> None:
    def holdout() -> Any:
        return person.client.get(f"/api/bots/{bot['id']}").json()["holdout"]

    sealed = page.get_by_role("region", name="Sealed history")
    sealed.get_by_role("button", name="Seal the newest quarter").click()
    asked = page.get_by_role("dialog", name="Seal the newest history?")
    expect(asked).to_contain_text("After tests up to now it covers only candles to come.")
    asked.get_by_role("button", name="Cancel").click()
    assert holdout() is None
    sealed.get_by_role("button", name="Seal the newest quarter").click()
    asked.get_by_role("button", name="Seal it").click()
    sealed.get_by_role("button", name="Open it").click()
    asked = page.get_by_role("dialog", name="Open the sealed history?")
    expect(asked).to_contain_text("This cannot be undone")
    assert holdout()["opened_at"] is None
    asked.get_by_role("button", name="Open it").click()
    expect(sealed).to_contain_text("Every later result shows it.")


def test_the_first_strategy_of_a_bot_is_written_by_form(signed_in: Page, person: Person) -> None:
    bot = create_bot(person.client, {}, "An idea")
    signed_in.goto(f"/bots/{bot['id']}")
    expect(signed_in.get_by_text("It has no strategy yet.")).to_be_visible()
    look_at(signed_in, "workbench-empty")
    signed_in.set_viewport_size(PHONE)
    signed_in.get_by_text("Strategy", exact=True).first.click()
    signed_in.get_by_role("button", name="Write the first condition").click()
    signed_in.get_by_label("Kind of condition 1").select_option("Volume spike")
    signed_in.get_by_role("button", name="Save").click()
    expect(signed_in.get_by_role("region", name="Saved")).to_contain_text("the volume is at least 3 × its 1h average")
    saved = person.client.get(f"/api/bots/{bot['id']}").json()
    assert saved["strategy"]["conditions"] == [{"kind": "volume_spike", "multiplier": 3.0, "window": "1h"}]


def test_the_workbench_fits_every_width(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    backtest(person, bot, kline_interval="4h")
    signed_in.goto(f"/bots/{bot['id']}?tab=trades")
    see_chart(signed_in)
    expect(signed_in.get_by_role("table", name="Closed trades of the backtest")).to_be_visible()
    look_at(signed_in, "workbench-trades")
    for width in (360, 768, 1024, 1280, 1920, 2560):
        signed_in.set_viewport_size({"width": width, "height": 900})
        for area in ("Chat", "Strategy", "Chart") if width < 1280 else ():
            signed_in.get_by_role("radio", name=area).check()
            assert_no_sideways_scrolling(signed_in)
        assert_no_sideways_scrolling(signed_in)
    heights = signed_in.evaluate("() => [document.documentElement.scrollHeight, innerHeight]")
    assert heights[0] == heights[1], "a wide window holds the whole workbench; its columns scroll, the page does not"


def test_a_phone_shows_first_what_the_result_means(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    backtest(person, bot)
    signed_in.set_viewport_size(PHONE)
    signed_in.goto(f"/bots/{bot['id']}")
    # Not the sentence that says what a verdict tests, which holds the same words.
    verdict = signed_in.get_by_text(re.compile("simply holding (made|lost|the token)")).filter(visible=True)
    see_chart(signed_in)
    expect(verdict).to_have_count(1)
    expect(verdict).to_be_in_viewport(ratio=1)


def test_a_bot_that_does_not_exist(signed_in: Page) -> None:
    signed_in.goto("/bots/01890000-0000-7000-8000-000000000000")
    expect(signed_in.get_by_role("heading", name="There is no such bot.", level=1)).to_be_visible()
