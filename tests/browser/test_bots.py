"""All bots at a glance: what they do on paper, in any order, filtered, together; paused, resumed and stopped from there."""

import re
import time
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.drawing import drawn_labels, note_what_is_drawn
from tests.browser.support import Person, look_at
from tests.browser.trading import SOL, see_chart
from tests.support import create_bot

NEVER: dict[str, Any] = {"conditions": [{"kind": "price_drop", "percent": 99, "window": "4h"}]}
ALWAYS: dict[str, Any] = {
    "conditions": [{"kind": "price_level", "level": 1e-6, "direction": "above", "trigger": "is"}],
    "risk_management": {"stop_loss_percent": 40, "take_profit_percent": 80},
}
WAITING = re.compile(r"Holds nothing\. Not yet: the price (fell|rose) [\d.]+% in 4h, it takes a fall of 99%\.")


def paper_bot(person: Person, name: str, strategy: dict[str, Any], **request: Any) -> dict[str, Any]:
    """A bot with a running simulation."""
    bot = create_bot(person.client, {}, name, strategy=strategy, token=SOL, chain="solana")
    body = {"check_interval": 10, "kline_interval": "1m", **request}
    run = person.client.post(f"/api/bots/{bot['id']}/simulate", json=body)
    assert run.status_code == 201, run.text
    return {**bot, "run_id": run.json()["run_id"]}


def wait_until_it_holds(person: Person, bot: dict[str, Any]) -> dict[str, Any]:
    deadline = time.monotonic() + 60
    while True:
        run: dict[str, Any] = person.client.get(f"/api/bots/{bot['id']}/simulate/{bot['run_id']}").json()
        if run["portfolio"]["position"]["quantity"]:
            return run
        assert time.monotonic() < deadline, run["trade_log"]
        time.sleep(0.5)


def names_of(cards: Locator) -> list[str]:
    return [name.strip() for name in cards.get_by_role("heading").all_inner_texts()]


def test_bots_are_filtered_and_ordered(signed_in: Page, person: Person) -> None:
    paper_bot(person, "Beta", NEVER, initial_cash=500)
    paused = paper_bot(person, "alpha", NEVER, initial_cash=2000)
    person.client.post(f"/api/bots/{paused['id']}/simulate/{paused['run_id']}/pause")
    create_bot(person.client, {}, "Gamma")
    signed_in.goto("/bots")
    cards = signed_in.get_by_role("article")
    expect(cards).to_have_count(3)
    assert names_of(cards) == ["Gamma", "alpha", "Beta"]
    expect(cards.filter(has_text="Beta")).to_contain_text(WAITING)
    expect(cards.filter(has_text="Beta")).to_contain_text("Next check")
    look_at(signed_in, "bots-paper")

    signed_in.get_by_label("Order").select_option("By name")
    expect(cards.first).to_contain_text("alpha")
    assert names_of(cards) == ["alpha", "Beta", "Gamma"]
    signed_in.get_by_label("Order").select_option("By paper value")
    expect(cards.nth(1)).to_contain_text("Beta")
    assert names_of(cards) == ["alpha", "Beta", "Gamma"]
    for show, shown in (("Simulating", "Beta"), ("Paused", "alpha"), ("Not simulating", "Gamma")):
        signed_in.get_by_label("Show").select_option(show)
        expect(cards).to_have_count(1)
        expect(cards).to_contain_text(shown)
    signed_in.get_by_label("Show").select_option("Holding a position")
    expect(signed_in.get_by_text("No bot matches the filter.")).to_be_visible()
    signed_in.get_by_label("Show").select_option("All bots")
    signed_in.get_by_label("Name").fill("ALPH")
    expect(cards).to_have_count(1)
    expect(cards).to_contain_text("Simulation paused")


def test_a_held_position_is_drawn_and_its_simulation_paused_resumed_and_stopped_from_the_list(
    signed_in: Page, person: Person
) -> None:
    bot = paper_bot(person, "Holder", ALWAYS)
    note_what_is_drawn(signed_in)
    signed_in.goto(f"/bots/{bot['id']}?tab=simulation")
    see_chart(signed_in)
    run = wait_until_it_holds(person, bot)
    levels = {rule["condition"]: rule["limit"] for rule in run["next_exit"]}
    assert levels["stop loss"] < run["portfolio"]["entry_price"] < levels["take profit"]
    drawn_labels(signed_in, r"^(↓ )?stop [\d.,]+$")
    drawn_labels(signed_in, r"^(↑ )?target [\d.,]+$")
    rules = signed_in.get_by_role("region", name="What could end the position")
    expect(rules).to_contain_text("stop loss: not met, needs a")
    expect(rules).to_contain_text("take profit: not met, needs a")
    look_at(signed_in, "workbench-simulation-held")

    signed_in.get_by_role("link", name="Bots", exact=True).click()
    card = signed_in.get_by_role("article")
    expect(card).to_contain_text(re.compile(r"Holds \$[\d,.]+\. (Bought: price|It holds, )"))
    card.get_by_role("button", name="Pause").click()
    expect(card).to_contain_text("Simulation paused")
    card.get_by_role("button", name="Resume").click()
    expect(card).to_contain_text("Simulation running")

    card.get_by_role("button", name="Stop").click()
    asked = signed_in.get_by_role("dialog", name="Stop the simulation?")
    expect(asked).to_contain_text(
        re.compile(r"It still holds [\d,.]+, worth \$[\d,.]+\. Nothing is sold when it stops")
    )
    look_at(signed_in, "bots-stop")
    asked.get_by_role("button", name="Keep it").click()
    expect(card).to_contain_text("Simulation running")
    card.get_by_role("button", name="Stop").click()
    asked.get_by_role("button", name="Stop simulation").click()
    expect(card).not_to_contain_text("Simulation")
    run = person.client.get(f"/api/bots/{bot['id']}/simulations").json()["simulations"][0]
    assert (run["status"], run["stop_reason"]) == ("stopped", "user")
