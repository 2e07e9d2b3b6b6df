"""Guards are written in the editor, refused in words where half of one is missing, and said back."""

import re

from playwright.sync_api import Page, expect

from tests.browser.support import Person
from tests.browser.trading import trading_bot


def test_guards_are_written_saved_and_said_back(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}")
    signed_in.get_by_text("Guards: limits on the whole run").click()
    signed_in.get_by_label("Most buys a day").fill("2")
    signed_in.get_by_label("Losses in a row before a pause").fill("3")
    signed_in.get_by_role("button", name="Save", exact=True).click()
    expect(signed_in.get_by_text("must be a duration such as 15m").first).to_be_visible()
    signed_in.get_by_label("Pause after them").first.fill("6")
    signed_in.get_by_role("button", name="Save", exact=True).click()
    said = re.compile("After 3 losses in a row, buy nothing for 6h. Buy at most 2 times a day")
    expect(signed_in.get_by_text(said).first).to_be_visible()
    kept = person.client.get(f"/api/bots/{bot['id']}").json()["strategy"]["guards"]
    assert kept == {
        "max_drawdown_percent": None,
        "losing_streak": {"losses": 3, "pause": "6h"},
        "max_trades_per_day": 2,
    }
