"""Slash commands: they work without a language model, count as chats, and suggest the nearest one for a typo."""

import re

import pytest
from fastapi.testclient import TestClient

from strategybot.conversations.agent.telling import run_words
from strategybot.settings import Settings
from tests.backtests.driving import finished, start
from tests.conversations.talking import Headers, Json, arrive, begin, said, say, scripted, text
from tests.engines import on_sqlite_alone
from tests.support import STRATEGY, ManualClock, create_bot

pytestmark = on_sqlite_alone

PIPO = "EE39wXdYhJ6qwZN9ueLAZoECEC1qt4LktWRRcatZvs8N-solana"
ALL = (
    "help", "bots", "bot", "strategy", "undo", "backtest", "simulate", "stop", "search", "trending", "risk", "price",
)  # fmt: skip


def test_help_lists_every_command_and_asks_no_model(client: TestClient, settings: Settings, user: Headers) -> None:
    script = scripted(client, settings, text("I was asked."))
    answer = said(client, user, begin(client, user), "/help")
    assert all(f"`/{name}" in answer for name in ALL)
    assert script.heard == []


def test_a_command_is_a_chat(client: TestClient) -> None:
    guest, conversation = arrive(client)
    assert say(client, guest, conversation, "/help")["remaining_chats"] == 49


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("/hepl", "/help"), ("/backtset", "/backtest"), ("/stratgy now", "/strategy"), ("/SIMULTE", "/simulate")],
)
def test_a_typo_gets_the_nearest_command(client: TestClient, user: Headers, typed: str, meant: str) -> None:
    answer = said(client, user, begin(client, user), typed)
    assert f"Did you mean `{meant}" in answer


@pytest.mark.parametrize("typed", ["/", "/xyzzyq", "/`rm -rf`", "/" + "x" * 3000])
def test_an_unknown_command_is_answered_with_help(client: TestClient, user: Headers, typed: str) -> None:
    answer = said(client, user, begin(client, user), typed)
    assert "`/help` lists all of them" in answer
    assert len(answer) < 200


@pytest.mark.parametrize("typed", ["/HELP", "  /help  ", "/help me", "/help\nfoo", "/help\tfoo", "/help\u00a0foo"])
def test_letter_case_and_blanks_do_not_matter(client: TestClient, user: Headers, typed: str) -> None:
    assert said(client, user, begin(client, user), typed).startswith("These are the commands.")


def test_bots_are_listed_linked_and_described(client: TestClient, user: Headers) -> None:
    create_bot(client, user, "Dip buyer", strategy=STRATEGY)
    create_bot(client, user, "Empty")
    conversation = begin(client, user)
    assert said(client, user, conversation, "/strategy") == "No bot is linked to this conversation yet."
    turn = say(client, user, conversation, "/bot dip BUYER")
    assert turn["message"]["content"].startswith("From here on this is about **Dip buyer**: Buy when")
    assert turn["conversation"]["bot_id"] is not None
    listed = said(client, user, conversation, "/bots").split("\n")
    assert listed[0] == "- **Empty**: no strategy yet"
    assert listed[1].startswith("- **Dip buyer** (linked): Buy when the price falls at least 5 %")
    assert said(client, user, conversation, "/strategy").startswith("**Dip buyer**: Buy when")
    assert said(client, user, conversation, "/bot nothing").startswith("No bot of yours is called that. Yours are: ")
    assert said(client, user, conversation, "/bot").startswith("Which bot?")
    empty = said(client, user, conversation, "/bot empty")
    assert empty == "From here on this is about **Empty**, which has no strategy yet."
    for command in ("/backtest", "/simulate 5m"):
        assert said(client, user, conversation, command) == "This bot has no strategy yet. When should it buy?"


def test_undo_brings_back_what_was_before(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user)
    conversation = begin(client, user, bot_id=bot["id"])
    assert said(client, user, conversation, "/undo").startswith("There is nothing to undo")
    for percent in (5, 8):
        strategy = {"conditions": [{"kind": "price_drop", "percent": percent}]}
        client.patch(f"/api/bots/{bot['id']}", json={"strategy": strategy}, headers=user)
    turn = say(client, user, conversation, "/undo")
    assert "falls at least 5 %" in turn["message"]["content"]
    assert [entry["name"] for entry in turn["message"]["tool_calls"]] == ["undo"]
    assert client.get(f"/api/bots/{bot['id']}", headers=user).json()["revision"] == 3
    assert turn["message"]["content"].endswith("Another `/undo` goes further back.")
    assert "has no strategy yet" in said(client, user, conversation, "/undo")
    assert said(client, user, conversation, "/undo") == "There is nothing more to undo."
    assert said(client, user, conversation, "/undo x").startswith("How many changes?")


def test_a_bot_that_was_made_with_its_strategy_has_nothing_to_undo(
    client: TestClient, user: Headers, clock: ManualClock
) -> None:
    bot = create_bot(client, user, strategy=STRATEGY)
    conversation = begin(client, user, bot_id=bot["id"])
    clock.advance(minutes=1)
    client.patch(f"/api/bots/{bot['id']}", json={"name": "Renamed"}, headers=user)
    answer = said(client, user, conversation, "/undo")
    assert answer == "There is nothing to undo: this strategy was never changed."
    assert client.get(f"/api/bots/{bot['id']}", headers=user).json()["strategy"] is not None


def test_a_first_strategy_that_came_later_can_be_undone(client: TestClient, user: Headers, clock: ManualClock) -> None:
    bot = create_bot(client, user, "Dip")
    clock.advance(minutes=1)
    client.patch(f"/api/bots/{bot['id']}", json={"strategy": STRATEGY}, headers=user)
    conversation = begin(client, user, bot_id=bot["id"])
    answer = said(client, user, conversation, "/undo")
    assert answer == "Undone. **Dip** has no strategy yet. Another `/undo` goes further back."


def test_a_backtest_is_run_on_a_token_by_its_symbol(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=STRATEGY)
    finished(client, user, start(client, user, bot, token=PIPO), seconds=120)
    conversation = begin(client, user, bot_id=bot["id"])
    turn = say(client, user, conversation, "/backtest pipo 15m 7d")
    assert turn["message"]["tool_calls"][-1]["arguments"] == {
        "token": PIPO,
        "chain": None,
        "kline_interval": "15m",
        "days": 7.0,
    }
    run = turn["message"]["tool_calls"][-1]["result"]
    lines = turn["message"]["content"].split("\n")
    assert lines[0].endswith("on solana, 15m candles, 26 Dec 2025 to 2 Jan 2026:")
    assert f"- Return: {run['metrics']['total_return']:.2f} %" in lines
    assert f"- Trades: {run['metrics']['total_trades']}" in lines
    assert turn["message"]["receipts"]["unverified"] == []


def test_a_backtest_of_30_days_equals_the_default(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=STRATEGY, token=PIPO)
    conversation = begin(client, user, bot_id=bot["id"])
    said(client, user, conversation, "/backtest 1h 30d")
    said(client, user, conversation, "/backtest 1h")
    runs = client.get(f"/api/bots/{bot['id']}/backtests", headers=user).json()["backtests"]
    spans = {(run["start_time"], run["end_time"]) for run in runs}
    assert spans == {("2025-12-03T03:00:00Z", "2026-01-02T03:00:00Z")}


def test_a_watch_follows_the_token_that_is_named_or_the_bots_own(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=STRATEGY, token=PIPO)
    conversation = begin(client, user, bot_id=bot["id"])
    for command in ("/watch", "/watch PIPO"):
        assert said(client, user, conversation, command).startswith("I watch ")
    watches = client.get(f"/api/bots/{bot['id']}/watches", headers=user).json()["watches"]
    assert [(each["status"], len(each["tokens"])) for each in watches] == [("running", 1), ("stopped", 1)]
    assert watches[0]["tokens"][0]["token"] == watches[1]["tokens"][0]["token"]


def test_a_length_of_time_is_not_read_as_a_token(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=STRATEGY)
    conversation = begin(client, user, bot_id=bot["id"])
    for command in ("/backtest PIPO 1d 9999d", "/backtest PIPO 0d", "/backtest PIPO 30m", "/simulate PIPO 4h"):
        turn = say(client, user, conversation, command)
        assert turn["message"]["content"].split(": ")[1].startswith("please say")
        assert turn["message"]["tool_calls"] == []


def test_the_advice_about_a_run_that_goes_on_shows_that_run(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=STRATEGY, token=PIPO)
    run = finished(client, user, start(client, user, bot), seconds=120)
    advice = run_words({**run, "status": "running", "progress": 42.0})
    (quoted,) = re.findall("“(.+)”", advice)
    turn = say(client, user, begin(client, user, bot_id=bot["id"]), quoted)
    (looked,) = turn["message"]["tool_calls"]
    assert (looked["name"], looked["result"]["run_id"]) == ("get_backtest", run["run_id"])
    assert client.get(f"/api/bots/{bot['id']}/backtests", headers=user).json()["total_backtests"] == 1


def test_a_visitor_is_offered_a_backtest_only_while_one_is_left(client: TestClient) -> None:
    guest, conversation = arrive(client)
    left = []
    for name in ("First", "Second"):
        bot = create_bot(client, guest, name, strategy=STRATEGY, token=PIPO)
        client.post(f"/api/conversations/{conversation['id']}/set-bot", json={"bot_id": bot["id"]}, headers=guest)
        for _ in range(2):
            read = say(client, guest, conversation, "/strategy")["message"]["tool_calls"][0]["result"]
            left.append((read["backtests_left"], start_status(client, guest, bot)))
        client.delete(f"/api/bots/{bot['id']}", headers=guest)
    assert left == [(1, 202), (0, 403), (0, 403), (0, 403)]


def start_status(client: TestClient, who: Headers, bot: Json) -> int:
    return client.post(f"/api/bots/{bot['id']}/backtest", json={}, headers=who).status_code


def test_a_symbol_on_many_chains_is_asked_about(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=STRATEGY)
    conversation = begin(client, user, bot_id=bot["id"])
    answer = said(client, user, conversation, "/backtest usdc")
    assert answer.startswith("Which one? Send the command again with its id:")
    assert answer.count("**USDC**") == 4
    assert said(client, user, conversation, "/backtest nosuchtoken").startswith("No such token was found.")
    assert said(client, user, conversation, "/backtest").startswith("There is no token to run on")
    assert client.get(f"/api/bots/{bot['id']}/backtests", headers=user).json()["total_backtests"] == 0


def test_a_simulation_begins_and_ends(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=STRATEGY)
    conversation = begin(client, user, bot_id=bot["id"])
    assert said(client, user, conversation, "/stop") == "No simulation of this bot is running."
    begun = said(client, user, conversation, f"/simulate {PIPO} 5m live")
    assert begun.startswith("The simulation runs on PIPO on solana")
    assert "5m candles, live, one step every 60 seconds" in begun
    assert "they are invented" in said(client, user, conversation, "how is my simulation?")
    ended = said(client, user, conversation, "/stop")
    assert "is stopped. It ended with a total value of 10,000.00. Made with demo prices: they are invented" in ended


def test_market_commands_answer_with_market_data(client: TestClient) -> None:
    guest, conversation = arrive(client)
    assert "**PIPO** Pipo the Cat on solana, $" in said(client, guest, conversation, "/search pipo")
    assert said(client, guest, conversation, "/search qqqqqq").startswith("No token was found")
    assert said(client, guest, conversation, "/trending solana").count("\n") == 9
    assert said(client, guest, conversation, "/trending ../x").startswith("Which chain?")
    assert said(client, guest, conversation, "/risk PIPO").startswith("The risk is **medium**")
    assert said(client, guest, conversation, f"/price {PIPO}").startswith("**EE39wXdY…** on solana is at $0.000")
    for command in ("/search", "/risk", "/price"):
        assert "?" in said(client, guest, conversation, command)
