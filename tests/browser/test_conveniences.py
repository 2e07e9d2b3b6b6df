"""Small things that a user expects: a link that leads through the login, a new name, a search, and a chart that answers."""

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.support import Person, assert_accessible, wait_until
from tests.browser.trading import backtest, see_chart, trading_bot


def test_a_bot_is_renamed_its_trades_walked_through_and_offline_is_said(
    signed_in: Page, context: BrowserContext, person: Person
) -> None:
    bot = trading_bot(person)
    backtest(person, bot)
    person.client.post("/api/conversations", json={"bot_id": bot["id"], "title": "About dips"})
    signed_in.goto(f"/bots/{bot['id']}")
    signed_in.get_by_role("button", name="Rename").click()
    dialog = signed_in.get_by_role("dialog")
    expect(dialog.get_by_label("Name")).to_be_focused()
    dialog.get_by_label("Name").fill("Patient dip buyer")
    dialog.get_by_role("button", name="Save").click()
    expect(signed_in.get_by_role("heading", name="Patient dip buyer")).to_be_visible()

    see_chart(signed_in)
    caption = signed_in.locator("figcaption")
    caption.get_by_role("button", name="Next trade").click()
    expect(caption).to_contain_text("trade #1")
    signed_in.keyboard.press("ArrowRight")
    expect(caption).to_contain_text("trade #2")

    def tells_of_the_candle_under_the_pointer() -> bool:
        signed_in.locator("figure canvas").first.hover(force=True)
        return "Vol" in signed_in.locator("figure").inner_text()

    wait_until(signed_in, tells_of_the_candle_under_the_pointer)

    signed_in.get_by_role("button", name="History").click()
    dialog.get_by_label("Search conversations").fill("patient")
    expect(dialog.get_by_role("listitem")).to_contain_text(["Patient dip buyer"])
    assert_accessible(signed_in)
    dialog.get_by_label("Search conversations").fill("nothing like it")
    expect(dialog.get_by_role("listitem")).to_have_count(0)
    dialog.get_by_role("button", name="Close").click()

    context.set_offline(True)
    expect(signed_in.get_by_text("You are offline.")).to_be_visible()
    context.set_offline(False)
    expect(signed_in.get_by_text("You are offline.")).to_have_count(0)


def test_a_link_to_a_bot_leads_through_the_login(page: Page, person: Person) -> None:
    bot = trading_bot(person)
    page.goto(f"/bots/{bot['id']}?tab=trades")
    page.wait_for_url(f"**/login?next=%2Fbots%2F{bot['id']}%3Ftab%3Dtrades")
    expect(page.get_by_text("strategybot user reset-password")).to_be_visible()
