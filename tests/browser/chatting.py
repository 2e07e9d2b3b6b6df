"""Sends a chat message as a person does."""

from playwright.sync_api import Page, expect


def say(page: Page, text: str) -> None:
    expect(
        page.get_by_role("button", name="Send", exact=True)
    ).to_be_visible()  # what was said before has been answered to the end
    page.get_by_role("textbox", name="Message").fill(text)
    page.keyboard.press("Enter")
