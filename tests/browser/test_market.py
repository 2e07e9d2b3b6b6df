"""From a search in the market to a bot, on a phone; and what is shown when something is refused or away."""

import re

from playwright.sync_api import Page, expect

from tests.browser.support import PHONE, Person, assert_no_sideways_scrolling
from tests.support import create_bot


def test_from_a_search_to_a_bot_on_a_phone(signed_in: Page, person: Person) -> None:
    signed_in.set_viewport_size(PHONE)
    signed_in.goto("/bots")
    signed_in.get_by_role("link", name="Market").click()
    signed_in.get_by_label("Search by symbol, name or address").fill("no such thing")
    expect(signed_in.get_by_text("No token matches.")).to_be_visible()
    signed_in.get_by_label("Search by symbol, name or address").fill("rocket")
    signed_in.get_by_role("link", name="ROKT").click()

    expect(signed_in.get_by_role("heading", name="ROKT Rocket Hamster")).to_be_visible()
    expect(signed_in.get_by_text("High risk")).to_be_visible()
    expect(signed_in.locator("figcaption")).to_contain_text("ROKT, candles of 1h.")
    assert_no_sideways_scrolling(signed_in)
    signed_in.get_by_role("button", name="Make a bot for this").click()

    expect(signed_in).to_have_url(re.compile("/bots/.+"))
    bot = person.client.get("/api/bots").json()["bots"][0]
    assert (bot["name"], bot["chain"]) == ("ROKT bot", "solana")
    assert signed_in.url.endswith(bot["id"])


def test_a_taken_name_gets_a_number(signed_in: Page, person: Person) -> None:
    create_bot(person.client, {}, "WBNB bot")
    signed_in.goto("/market?q=wbnb")
    signed_in.get_by_role("link", name="WBNB").first.click()
    signed_in.get_by_role("button", name="Make a bot for this").click()
    expect(signed_in).to_have_url(re.compile("/bots/.+"))
    assert {bot["name"] for bot in person.client.get("/api/bots").json()["bots"]} == {"WBNB bot", "WBNB bot 2"}


def test_the_eleventh_bot_of_the_free_tier_is_refused_with_a_way_on(signed_in: Page, person: Person) -> None:
    for number in range(10):
        create_bot(person.client, {}, f"Bot {number}")
    signed_in.goto("/bots")
    signed_in.get_by_role("button", name="New bot").click()
    signed_in.get_by_role("dialog").get_by_label("Name").fill("One too many")
    signed_in.get_by_role("button", name="Create").click()
    expect(signed_in.get_by_role("alert")).to_contain_text("The normal tier has more bots.")
    signed_in.get_by_role("link", name="See your tier").click()
    expect(signed_in.get_by_text("10 of 10")).to_be_visible()


def test_a_server_that_is_away_is_said_and_survived(signed_in: Page) -> None:
    signed_in.goto("/bots")
    expect(signed_in.get_by_text("No bots yet.")).to_be_visible()
    signed_in.route("**/api/market/**", lambda route: route.abort())
    signed_in.get_by_role("link", name="Market", exact=True).click()
    expect(signed_in.get_by_role("alert")).to_contain_text("The server cannot be reached.")
