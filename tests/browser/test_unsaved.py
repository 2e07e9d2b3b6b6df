"""Nothing that a user typed is lost, and nothing but what is on the screen is tested."""

import re

from playwright.sync_api import BrowserContext, Dialog, Page, Request, expect

from tests.browser.chatting import say
from tests.browser.support import Person, assert_accessible, look_at, wait_until
from tests.browser.trading import runs_of, see_chart, trading_bot


def test_run_tests_what_is_on_the_screen_and_leaving_asks(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}")
    message = signed_in.get_by_role("textbox", name="Message")
    message.fill("half a thought")
    form = signed_in.get_by_role("form", name="Strategy")
    form.get_by_label("Stop loss, %").fill("1.5")
    expect(signed_in.get_by_text("saved first, as revision 2")).to_be_visible()
    signed_in.get_by_role("button", name="Run backtest").click()
    see_chart(signed_in)
    run = runs_of(person, bot)[0]
    tested = person.client.get(f"/api/bots/{bot['id']}/backtest/{run['run_id']}").json()
    assert (tested["strategy_revision"], tested["strategy"]["risk_management"]["stop_loss_percent"]) == (2, 1.5)

    form.get_by_label("Stop loss, %").fill("9")
    signed_in.get_by_role("navigation", name="Main").get_by_role("link", name="Bots").click()
    dialog = signed_in.get_by_role("dialog")
    expect(dialog).to_contain_text("9%")
    assert_accessible(signed_in)
    dialog.get_by_role("button", name="Stay").click()
    expect(form.get_by_label("Stop loss, %")).to_have_value("9")
    signed_in.get_by_role("navigation", name="Main").get_by_role("link", name="Bots").click()
    dialog.get_by_role("button", name="Save and leave").click()
    expect(signed_in.get_by_role("heading", name="Bots")).to_be_visible()
    saved = person.client.get(f"/api/bots/{bot['id']}").json()
    assert saved["strategy"]["risk_management"]["stop_loss_percent"] == 9

    signed_in.go_back()
    expect(message).to_have_value("half a thought")
    signed_in.reload()
    expect(message).to_have_value("half a thought")
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    signed_in.on("dialog", leave)
    form.get_by_label("Stop loss, %").fill("8")
    signed_in.reload()
    assert asked == ["beforeunload"]


def test_an_old_undo_takes_nothing_newer_back(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    signed_in.route("**/api/events", lambda route: route.abort())  # or the tab would know at once
    unanswered: set[Request] = set()
    # Playwright cannot call a method of a built-in type by itself.
    signed_in.on("request", lambda request: unanswered.add(request))  # noqa: PLW0108
    for end in ("requestfinished", "requestfailed"):
        signed_in.on(end, lambda request: unanswered.discard(request))  # noqa: PLW0108
    signed_in.goto(f"/bots/{bot['id']}")
    form = signed_in.get_by_role("form", name="Strategy")
    form.get_by_label("Take profit, %").fill("6")
    form.get_by_role("button", name="Save").click()
    saved = signed_in.get_by_role("region", name="Saved")
    expect(saved).to_contain_text("Undo brings “take profit: 4%” back.")
    say(signed_in, "set the stop loss to 2%")
    changed = signed_in.get_by_role("log").get_by_role("region", name="Strategy changed")
    expect(changed.get_by_role("button", name="Undo")).to_be_visible()
    expect(saved).to_contain_text("has changed again since")
    expect(saved.get_by_role("button", name="Undo")).to_have_count(0)
    expect(signed_in.get_by_role("button", name="Send", exact=True)).to_be_visible()
    wait_until(signed_in, lambda: not unanswered)  # all that the change has made it ask
    # Behind the back of this tab: the server refuses what the screen still offers.
    person.client.patch(
        f"/api/bots/{bot['id']}", json={"strategy": {"conditions": [{"kind": "volume_spike", "multiplier": 3}]}}
    )
    changed.get_by_role("button", name="Undo").click()
    expect(changed.get_by_role("alert")).to_contain_text("it is at revision 4 now")
    assert person.client.get(f"/api/bots/{bot['id']}").json()["revision"] == 4


def test_two_tabs_lose_nothing(signed_in: Page, context: BrowserContext, person: Person) -> None:
    bot = trading_bot(person)
    other = context.new_page()
    pages = (signed_in, other)
    for page in pages:
        page.goto(f"/bots/{bot['id']}")
    mine, theirs = (page.get_by_role("form", name="Strategy") for page in pages)
    mine.get_by_label("At least, %").fill("7")
    theirs.get_by_label("Trailing stop, %").fill("5")
    theirs.get_by_role("button", name="Save").click()
    versions = mine.get_by_role("region", name="Two versions")
    expect(versions).to_contain_text(re.compile(r"Trailing stop.*5%.*You changed.*the price falls at least 7\s%"))
    look_at(signed_in, "workbench-conflict")
    mine.get_by_label("Stop loss, %").scroll_into_view_if_needed()
    mine.get_by_role("button", name="Choose a version").click()
    expect(versions.get_by_role("button", name="Take the other one")).to_be_in_viewport()
    versions.get_by_role("button", name="Save mine instead").click()
    expect(mine.get_by_role("region", name="Saved")).to_be_visible()
    # The other tab typed nothing more: it shows the new strategy without being asked to.
    expect(theirs.get_by_label("At least, %")).to_have_value("7")
    expect(theirs.get_by_label("Trailing stop, %")).to_have_value("")
    page_of_revisions = person.client.get(f"/api/bots/{bot['id']}/revisions").json()["revisions"]
    assert page_of_revisions[1]["strategy"]["risk_management"]["trailing_stop_percent"] == 5
    other.close()
