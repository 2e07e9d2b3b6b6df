"""Talking about a bot: a change with its way back, the commands, what is left to a visitor, and a server that is away."""

import re
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.chatting import say
from tests.browser.support import Person, look_at, wait_until
from tests.browser.trading import SOL, TRADES_OFTEN, trading_bot
from tests.servers import ServiceProcess
from tests.support import create_bot


def test_a_strategy_is_changed_by_talking_and_the_change_undone(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}")
    sentence = signed_in.get_by_role("complementary", name="Strategy and result")
    expect(sentence).to_contain_text("at a 3 % loss")
    say(signed_in, "set the stop loss to 2%")

    changes = signed_in.get_by_role("log").get_by_role("list", name="Changes")
    expect(changes).to_contain_text("3%")
    expect(changes).to_contain_text("2%")
    expect(sentence).to_contain_text("at a 2 % loss")
    look_at(signed_in, "chat")
    signed_in.get_by_role("log").get_by_role("button", name="Undo").click()

    expect(signed_in.get_by_text("Undone: the earlier strategy is back")).to_be_visible()
    expect(sentence).to_contain_text("at a 3 % loss")
    assert person.client.get(f"/api/bots/{bot['id']}").json()["revision"] == 3
    signed_in.reload()
    expect(signed_in.get_by_text("Undone: the earlier strategy is back")).to_be_visible()
    expect(signed_in.get_by_role("log").get_by_text("set the stop loss to 2%")).to_have_count(1)


def test_suggestions_and_what_an_answer_offers_are_sent_by_one_press(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}")
    log = signed_in.get_by_role("log")
    log.get_by_role("button", name="Set the stop loss to 4 %").click()
    expect(log.get_by_role("list", name="Changes")).to_contain_text("4%")
    log.get_by_role("group", name="Answers").get_by_role("button", name="backtest it").click()
    expect(log.get_by_text("Tested it")).to_be_visible()
    expect(signed_in.get_by_role("button", name="Send", exact=True)).to_be_visible()  # the answer has ended

    say(signed_in, "clear the strategy")
    answers = log.get_by_role("group", name="Answers").get_by_role("button")
    expect(answers).to_have_text(["Yes", "No"])
    answers.first.click()
    expect(answers).to_have_count(0)
    wait_until(signed_in, lambda: person.client.get(f"/api/bots/{bot['id']}").json()["strategy"] is None)


@pytest.mark.parametrize("strategy", [None, TRADES_OFTEN], ids=["without-strategy", "with-strategy"])
def test_every_suggestion_is_understood(signed_in: Page, person: Person, strategy: dict[str, Any] | None) -> None:
    log, place, suggestions = signed_in.get_by_role("log"), 0, 1
    while place < suggestions:
        bot = create_bot(person.client, {}, f"Suggested {place}", strategy=strategy, token=SOL, chain="solana")
        signed_in.goto(f"/bots/{bot['id']}")
        expect(log.get_by_role("listitem").first).to_be_visible()
        suggestions = log.get_by_role("listitem").count()
        log.get_by_role("listitem").nth(place).get_by_role("button").click()
        expect(log.get_by_text("The answer:")).to_be_attached()
        expect(signed_in.get_by_role("button", name="Send", exact=True)).to_be_visible()
        newest = person.client.get("/api/conversations").json()["conversations"][0]["id"]
        *_, answer = person.client.get(f"/api/conversations/{newest}").json()["messages"]
        assert answer["tool_calls"], answer["content"]
        place += 1
    assert place >= 2


def test_the_list_of_commands_is_that_of_the_server(signed_in: Page, person: Person) -> None:
    conversation = person.client.post("/api/conversations", json={}).json()["id"]
    answer = person.client.post(f"/api/conversations/{conversation}/chat", json={"message": "/help"}).json()
    usages = re.findall(r"^- `(/[^`]+)`", answer["message"]["content"], re.MULTILINE)
    signed_in.goto("/")
    signed_in.get_by_role("textbox", name="Message").press("/")
    shown = signed_in.get_by_role("listbox", name="Commands").get_by_role("option")
    expect(shown).to_have_count(len(usages))
    for option, usage in zip(shown.all(), usages, strict=True):
        words = [part.inner_text() for part in option.locator("span").all()]
        assert " ".join(words[:-1]) == usage


def use_up(service: ServiceProcess, chats: int) -> None:
    """Every visitor has sent so many messages."""
    with closing(sqlite3.connect(service.data_dir / "strategybot.db")) as database, database:
        database.execute("UPDATE conversations_allowances SET chats = ?", [chats])


def test_what_is_left_to_a_visitor_is_counted_down(page: Page, service: ServiceProcess) -> None:
    page.goto("/")
    say(page, "/help")
    expect(page.get_by_text("49 messages left")).to_be_visible()
    use_up(service, 39)
    say(page, "/bots")
    expect(page.get_by_text("10 messages are left without an account.")).to_be_visible()
    look_at(page, "chat-few-left")
    use_up(service, 50)
    say(page, "/bots")
    expect(page.get_by_role("alert")).to_contain_text("Without an account you can send 50 messages.")
    page.get_by_role("alert").get_by_role("link", name="Sign up for free").click()
    expect(page.get_by_text("What you have made as a visitor comes along.")).to_be_visible()


def test_a_message_waits_until_the_server_can_be_reached(
    signed_in: Page, person: Person, context: BrowserContext
) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}")
    box = signed_in.get_by_role("textbox", name="Message")
    expect(box).to_be_visible()
    say(signed_in, "/strategy")
    expect(signed_in.get_by_text("Read the strategy")).to_have_count(1)
    context.set_offline(True)
    say(signed_in, "/strategy")
    expect(signed_in.get_by_role("alert")).to_contain_text("cannot be reached")
    context.set_offline(False)
    signed_in.get_by_role("button", name="Try again").click()
    expect(signed_in.get_by_text("Read the strategy")).to_have_count(2)


def test_the_newest_stays_in_sight_until_the_reader_scrolls_up(signed_in: Page) -> None:
    signed_in.goto("/")
    answers = signed_in.get_by_text("These are the commands.")
    for number in (1, 2, 3):
        say(signed_in, "/help")
        expect(answers).to_have_count(number)
        expect(answers.last.locator("xpath=following::li[last()]")).to_be_in_viewport()
    signed_in.get_by_role("region", name="Messages").evaluate("messages => { messages.scrollTop = 0 }")
    latest = signed_in.get_by_role("button", name="To the latest")
    latest.click()
    expect(latest).to_have_count(0)
    expect(answers.last.locator("xpath=following::li[last()]")).to_be_in_viewport()
