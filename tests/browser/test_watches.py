"""A watch tells when the entry conditions become true, in its tab and by the bell, and trades nothing."""

from playwright.sync_api import Page, expect

from tests.browser.support import Person, look_at
from tests.browser.trading import SOL

ALWAYS = {"conditions": [{"kind": "price_level", "direction": "above", "level": 0.000001, "trigger": "is"}]}


def test_a_watch_is_started_tells_by_the_bell_and_is_stopped(signed_in: Page, person: Person) -> None:
    draft = {"name": "Alarm", "strategy": ALWAYS, "token": SOL, "chain": "solana"}
    bot = person.client.post("/api/bots", json=draft).json()
    signed_in.goto(f"/bots/{bot['id']}?tab=watch")
    panel = signed_in.get_by_role("tabpanel", name="Watch")
    expect(panel.get_by_text("No watch yet.")).to_be_visible()
    form = panel.get_by_role("form", name="New watch")
    expect(form.get_by_text("Your tier has up to 3 tokens.")).to_be_visible()
    form.get_by_role("button", name="Start watch").click()

    watch = panel.get_by_role("region", name="Watch", exact=True)
    signals = watch.get_by_role("table", name="When the entry conditions became true")
    expect(signals).to_contain_text("SOL", timeout=15_000)
    expect(watch.get_by_role("table", name="Watched tokens")).to_contain_text("true")
    look_at(signed_in, "workbench-watch", watch)
    told = person.client.get("/api/notifications").json()["notifications"]
    assert [each["event"] for each in told] == ["watch.signal"]
    signed_in.goto("/")
    signed_in.get_by_role("region", name="Since you were here").get_by_role("link").first.click()
    expect(watch.get_by_role("table", name="Watched tokens")).to_be_in_viewport()

    form.get_by_role("button", name="Start watch").click()
    asked = signed_in.get_by_role("dialog", name="End the running watch?")
    expect(asked).to_contain_text("The running one of 1 token")
    asked.get_by_role("button", name="Keep it").click()
    assert len(person.client.get(f"/api/bots/{bot['id']}/watches").json()["watches"]) == 1

    watch.get_by_role("button", name="Stop").click()
    expect(watch.get_by_text("stopped")).to_be_visible()
    assert person.client.get(f"/api/bots/{bot['id']}/watches").json()["watches"][0]["stop_reason"] == "user"
