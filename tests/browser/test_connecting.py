"""A program asks to be connected: the consent page names it and what it may do, and the account page revokes it."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.support import Person, look_at

REDIRECT = "http://127.0.0.1:9/callback"


def test_a_program_is_connected_and_revoked(signed_in: Page, person: Person, base_url: str) -> None:
    client = person.client.post("/oauth/register", json={"client_name": "Desk assistant", "redirect_uris": [REDIRECT]})
    query = {
        "client_id": client.json()["client_id"],
        "redirect_uri": REDIRECT,
        "response_type": "code",
        "code_challenge": "c" * 43,
        "state": "s1",
        "scope": "read write",
    }
    address = person.client.get("/oauth/authorize", params=query).headers["Location"]
    assert address.startswith(f"{base_url}/connect?request=")
    signed_in.goto(address)
    expect(signed_in.get_by_text("Desk assistant")).to_be_visible()
    expect(signed_in.get_by_text("127.0.0.1:9")).to_be_visible()
    expect(signed_in.get_by_label("It may")).to_have_value("write")
    look_at(signed_in, "connect")
    signed_in.get_by_label("It may").select_option("read")
    signed_in.route(f"{REDIRECT}**", lambda route: route.fulfill(body="Back in the program"))
    with signed_in.expect_request(f"{REDIRECT}**") as asked:
        signed_in.get_by_role("button", name="Allow").click()
    told = parse_qs(urlsplit(asked.value.url).query)
    assert told["state"] == ["s1"]
    assert told["code"][0]
    expect(signed_in.get_by_text("Back in the program")).to_be_visible()
    signed_in.goto("/connect?request=forged")
    expect(signed_in.get_by_text("not valid any more")).to_be_visible()
