"""Coming in: sign up and keep what one made, log in again after a session ended, and leave."""

import re

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.support import Person, come_as
from tests.support import PASSWORD, STRATEGY, create_bot, visitor

ENDED = "Your session has ended. Log in to go on where you were."


def fill_in(page: Page, email: str, password: str = PASSWORD) -> None:
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("main").get_by_role("button").click()


def test_a_visitor_signs_up_and_keeps_the_bot(
    page: Page, context: BrowserContext, base_url: str, person: Person
) -> None:
    del person.client.headers["Authorization"]
    token = person.client.post("/api/conversations", json={}).json()["anonymous_token"]
    create_bot(person.client, visitor(token), "Found as a visitor", strategy=STRATEGY)
    come_as(context, base_url, token, "anonymous")
    page.goto("/bots")
    expect(page.get_by_role("link", name="Found as a visitor")).to_be_visible()

    page.get_by_role("link", name="Sign up").click()
    expect(page.get_by_text("What you have made as a visitor comes along.")).to_be_visible()
    fill_in(page, "claims@example.com")

    expect(page).to_have_url(re.compile("/bots$"))
    expect(page.get_by_role("link", name="Found as a visitor")).to_be_visible()
    expect(page.get_by_role("link", name="Account of claims@example.com")).to_be_visible()
    assert page.evaluate("() => localStorage.getItem('strategybot.anonymous-token')") is None


def test_a_refused_sign_up_says_what_to_mend(page: Page, person: Person) -> None:
    page.goto("/register")
    fill_in(page, "no-address", "short")
    expect(page.get_by_label("Email")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Password")).to_have_attribute("aria-invalid", "true")
    fill_in(page, person.email)
    expect(page.get_by_role("alert")).to_contain_text("already")


def test_an_ended_session_leads_to_the_login_and_back(signed_in: Page, person: Person) -> None:
    signed_in.goto("/market?chain=solana")
    expect(signed_in.get_by_role("heading", name="Trending on Solana")).to_be_visible()
    person.client.post("/api/auth/logout")
    signed_in.reload()

    expect(signed_in.get_by_text(ENDED)).to_be_visible()
    fill_in(signed_in, person.email, "not my password")
    expect(signed_in.get_by_role("alert")).to_have_text("Incorrect email or password.")
    fill_in(signed_in, person.email)

    expect(signed_in.get_by_role("heading", name="Trending on Solana")).to_be_visible()
    expect(signed_in).to_have_url(re.compile(r"/market\?chain=solana$"))


def test_what_needs_an_account_leads_back_after_the_sign_up(page: Page) -> None:
    page.goto("/account")
    page.get_by_role("main").get_by_role("link", name="Sign up for free").click()
    fill_in(page, "comes-back@example.com")
    expect(page.get_by_label("Starting cash, in dollars")).to_be_visible()


def test_settings_follow_the_account(signed_in: Page, person: Person) -> None:
    signed_in.goto("/account")
    signed_in.get_by_label("Starting cash, in dollars").fill("-5")
    signed_in.get_by_role("button", name="Save settings").click()
    expect(signed_in.get_by_label("Starting cash, in dollars")).to_have_attribute("aria-invalid", "true")

    signed_in.get_by_label("Starting cash, in dollars").fill("2500")
    signed_in.get_by_text("Dark", exact=True).click()
    signed_in.get_by_label("Time zone").select_option("Asia/Tokyo")
    signed_in.get_by_role("button", name="Save settings").click()
    expect(signed_in.get_by_text("Your settings are saved.")).to_be_visible()
    signed_in.reload()

    expect(signed_in.locator("html")).to_have_attribute("data-theme", "dark")
    expect(signed_in.get_by_label("Starting cash, in dollars")).to_have_value("2500")
    saved = person.client.get("/api/auth/settings").json()
    assert (saved["initial_cash"], saved["theme"], saved["timezone"]) == (2500, "dark", "Asia/Tokyo")


def test_a_new_password_and_a_deleted_account(signed_in: Page, person: Person) -> None:
    signed_in.goto("/account")
    signed_in.get_by_label("Current password").fill("not my password")
    signed_in.get_by_label("New password").fill("a far better secret")
    signed_in.get_by_role("button", name="Change password").click()
    expect(signed_in.get_by_role("alert")).to_have_text("Incorrect password.")
    signed_in.get_by_label("Current password").fill(PASSWORD)
    signed_in.get_by_role("button", name="Change password").click()
    expect(signed_in.get_by_text("Your password is changed.")).to_be_visible()

    signed_in.get_by_role("button", name="Delete my account…").click()
    signed_in.get_by_label("Your password, to be sure").fill("a far better secret")
    signed_in.get_by_role("button", name="Delete for good").click()
    expect(signed_in.get_by_role("link", name="Log in")).to_be_visible()
    credentials = {"email": person.email, "password": "a far better secret"}
    assert person.client.post("/api/auth/login", json=credentials).status_code == 401
