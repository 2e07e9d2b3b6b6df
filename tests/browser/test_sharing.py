"""A backtest is shared, read by somebody without a login, tried, and taken back; a strategy travels as a file."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.browser.support import Person, look_at
from tests.browser.trading import backtest, see_chart, trading_bot


def test_a_shared_backtest_is_read_tried_and_taken_back(
    signed_in: Page, person: Person, browser: Browser, base_url: str, browser_context_args: dict[str, Any]
) -> None:
    bot = trading_bot(person)
    backtest(person, bot)
    signed_in.goto(f"/bots/{bot['id']}")
    signed_in.get_by_role("button", name="Share", exact=True).click()
    signed_in.get_by_role("button", name="Make an address").press("Enter")
    expect(signed_in.get_by_role("button", name="Copy")).to_be_focused()
    address = signed_in.get_by_label("Its address").input_value()
    assert address.startswith(f"{base_url}/s/")

    stranger = browser.new_context(**browser_context_args)
    page = stranger.new_page()
    page.goto(address)
    expect(page.get_by_text("Made with demo prices")).to_be_visible()
    expect(page.get_by_role("heading", name="A shared backtest")).to_be_visible()
    expect(page.get_by_text("Buy when the price falls")).to_be_visible()
    expect(page.get_by_role("table", name="Closed trades of the backtest")).to_be_visible()
    see_chart(page)
    checks = page.get_by_role("region", name="Checks")
    expect(checks).to_contain_text("This is the 1st try on SOL.")
    expect(checks).not_to_contain_text("you")
    look_at(page, "shared")
    for private in (person.email, "Dip buyer", bot["id"]):
        assert private not in page.content()
    page.get_by_role("button", name="Try this strategy").click()
    page.wait_for_url("**/bots/*")
    expect(page.get_by_role("form", name="Strategy")).to_be_visible()

    signed_in.get_by_role("button", name="Stop sharing").press("Enter")
    expect(signed_in.get_by_role("button", name="Make an address")).to_be_focused()
    page.goto(address)
    expect(page.get_by_text("This backtest is not shared, or not any more.")).to_be_visible()
    stranger.close()


def test_a_strategy_is_exported_and_imported(signed_in: Page, person: Person, tmp_path: Path) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}")
    with signed_in.expect_download() as download:
        signed_in.get_by_role("button", name="Export").click()
    file = tmp_path / "strategy.json"
    download.value.save_as(file)
    signed_in.goto("/bots")
    signed_in.get_by_role("button", name="New bot").click()
    signed_in.get_by_label("Or import a strategy").set_input_files(file)
    signed_in.wait_for_url("**/bots/*-*")
    made = person.client.get(f"/api/bots/{signed_in.url.rpartition('/')[2]}").json()
    assert (made["name"], made["strategy"]) == ("Dip buyer (2)", bot["strategy"])


def test_a_personal_token_is_made_shown_once_and_revoked(signed_in: Page, person: Person) -> None:
    signed_in.goto("/account")
    signed_in.get_by_label("Name of the token").fill("Notebook")
    signed_in.get_by_role("button", name="Make a token").click()
    token = signed_in.locator("code", has_text="sbt_").inner_text()
    headers = {"Authorization": f"Bearer {token}"}
    assert person.client.get("/api/bots", headers=headers).status_code == 200
    assert person.client.post("/api/bots", json={"name": "No"}, headers=headers).status_code == 403
    expect(signed_in.get_by_role("button", name="Revoke Notebook")).to_be_visible()
    signed_in.reload()
    expect(signed_in.get_by_text("Reads only")).to_be_visible()
    expect(signed_in.locator("code", has_text="sbt_")).to_have_count(0)
    signed_in.get_by_role("button", name="Revoke Notebook").click()
    expect(signed_in.get_by_role("button", name="Revoke Notebook")).to_have_count(0)
    assert person.client.get("/api/bots", headers=headers).status_code == 401
