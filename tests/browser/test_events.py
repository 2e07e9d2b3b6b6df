"""What changes is seen at once, wherever it was changed: in another tab, by a program, in the background."""

import re

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.support import Person, assert_accessible, look_at
from tests.browser.trading import backtest, trading_bot


def test_a_second_tab_sees_changes_live_and_the_bell_tells_of_a_finished_backtest(
    signed_in: Page, context: BrowserContext, person: Person
) -> None:
    bot = trading_bot(person)
    with signed_in.expect_response("**/api/events"):
        signed_in.goto("/bots")
    second = context.new_page()
    with second.expect_response("**/api/events"):
        second.goto(f"/bots/{bot['id']}")
    # By a program: no tab has done it, so that only the server can tell.
    person.client.patch(f"/api/bots/{bot['id']}", json={"name": "Renamed elsewhere"})
    expect(signed_in.get_by_role("heading", name="Renamed elsewhere")).to_be_visible()
    expect(second.get_by_role("heading", name="Renamed elsewhere")).to_be_visible()
    bell = signed_in.get_by_role("button", name="Notifications")
    expect(bell).to_have_accessible_name("Notifications")

    with second.expect_request("**/api/notifications/read"):  # its page is open, so that its bell need not ring
        backtest(person, bot)
    expect(second.get_by_text("Total return").filter(visible=True).first).to_be_visible()
    second.goto("/market")
    expect(second.get_by_role("button", name="Notifications", exact=True)).to_be_visible()

    backtest(person, bot)
    expect(bell).to_have_accessible_name(re.compile("Notifications, [12] unread"))
    bell.click()
    told = signed_in.get_by_role("region", name="Notifications")
    expect(told.get_by_role("link").first).to_contain_text("Renamed elsewhere: backtest finished")
    look_at(signed_in, "notifications")
    told.get_by_role("link").first.click()
    signed_in.wait_for_url(f"**/bots/{bot['id']}?tab=backtests&run=*")
    expect(told).to_be_hidden()


def test_a_target_is_added_switched_off_and_deleted(signed_in: Page) -> None:
    signed_in.goto("/account")
    form = signed_in.locator("form", has_text="Add a target")
    form.get_by_label("Name of the target").fill("My hook")
    form.get_by_label("Address").fill("http://127.0.0.1:9/hook")
    form.get_by_role("button", name="Add a target").click()
    expect(form).to_contain_text("Names a private address")
    form.get_by_label("Send by").select_option("ntfy")
    form.get_by_label("Topic").fill("my-secret-topic")
    form.get_by_label("A simulation bought").uncheck()
    form.get_by_role("button", name="Add a target").click()
    target = signed_in.get_by_role("listitem").filter(has_text="My hook")
    expect(target).to_contain_text("ntfy://… · 8 of 9 events")
    assert_accessible(signed_in)
    target.get_by_role("button", name="Switch off").click()
    expect(target).to_contain_text("switched off")
    target.get_by_role("button", name="Delete").click()
    expect(target).to_have_count(0)
