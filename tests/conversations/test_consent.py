"""Acts that end something need the user's own yes, whatever a language model wants; so does acting on another bot."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from strategybot.conversations.consent import NEEDS_YES, Kind, Said, is_yes, said_in
from strategybot.settings import Settings
from tests.conversations.talking import Headers, Json, arrive, begin, call, said, say, scripted, text
from tests.engines import on_sqlite_alone
from tests.support import STRATEGY, create_bot

pytestmark = on_sqlite_alone

SOL = "So11111111111111111111111111111111111111112"


@pytest.mark.parametrize(
    "answer",
    ["yes", "Yes!", "yes, do it", "ok", "sure, go ahead", "Ja, bitte.", "oui", "sí", "да", "はい", "好的", "please do"],
)
def test_a_yes_is_a_yes_in_many_languages(answer: str) -> None:
    assert is_yes(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "", "no", "yes?", "yesterday it fell", "not yet", "yes, but not now", "ok but don't stop it", "what happens?",
        "I like it", "simulate it", "ok, show me the trades", "nein", "ja, aber nicht heute", "fine, what next",
    ],
)  # fmt: skip
def test_anything_else_is_none(answer: str) -> None:
    assert not is_yes(answer)


@pytest.mark.parametrize(
    ("kind", "message", "agreed"),
    [
        ("end_simulation", "stop the simulation", True),
        ("end_simulation", "Can you stop it?", True),
        ("end_simulation", "/stop", True),
        ("end_simulation", "don't stop the simulation", False),
        ("end_simulation", "should I stop it?", False),
        ("end_simulation", "how is it doing?", False),
        ("end_simulation", "yes", False),  # nobody has asked
        ("end_simulation", "set the stop loss to 4 %", False),
        ("end_simulation", "set the stop to 4 %, it is too wide", False),
        ("end_simulation", "use a trailing stop", False),
        ("end_simulation", "please stop", True),
        ("end_simulation", "end my live simulation", True),
        ("replace_simulation", "replace the stop loss by a trailing stop", False),
        ("replace_simulation", "restart it", True),
        ("replace_simulation", "replace the running simulation", True),
        ("replace_simulation", "simulate it on PIPO", False),
        ("end_watch", "stop the watch", True),
        ("end_watch", "stop watching", True),
        ("end_watch", "set the stop loss to 4 %", False),
        ("replace_watch", "alert me when it would buy", False),
        ("delete_bot", "delete my bot", True),
        ("delete_bot", "please delete the dip buyer bot", True),
        ("delete_bot", "remove the stop loss from my bot", False),
        ("delete_bot", "should I delete the bot?", False),
        ("delete_bot", "delete the trailing stop", False),
        ("seal_history", "seal the newest quarter of the history", True),
        ("seal_history", "test it", False),
        ("open_history", "open the sealed part", True),
        ("open_history", "open the chart", False),
        ("share_run", "share it", True),
        ("share_run", "is it worth sharing?", False),
        ("last_backtest", "backtest it", True),
        ("last_backtest", "make a bot that buys dips and test it", True),
        ("last_backtest", "how would it have done last month?", True),
        ("last_backtest", "make a bot that buys dips", False),
        ("last_backtest", "do not test it yet", False),
        ("last_backtest", "is it worth a test?", False),
    ],
)
def test_an_order_of_the_user_is_consent_and_a_question_or_negation_is_not(
    kind: Kind, message: str, agreed: bool
) -> None:
    assert Said(message).agrees_to(kind, "x") is agreed


def test_a_yes_counts_for_what_the_last_answer_asked_and_nothing_else() -> None:
    asked = {"name": "stop_simulation", "arguments": {}, "result": {"error": "Shall I?", NEEDS_YES: "end_simulation a"}}
    fresh = said_in("yes", ["how is it doing?", asked])
    assert fresh.agrees_to("end_simulation", "a")
    assert not fresh.agrees_to("end_simulation", "b")
    assert not fresh.agrees_to("replace_simulation", "a")
    stale = said_in("yes", ["how is it doing?", asked, "tell me a joke"])
    assert not stale.agrees_to("end_simulation", "a")


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ("test dip-buyer too", True),
        ("what about Dip Buyer?", True),
        ("use the dipbuyer", True),
        ("test my other bot", False),
        ("the dip buyers", False),
        ("", False),
    ],
)
def test_a_bot_is_named_by_its_name_however_it_is_spelled(message: str, named: bool) -> None:
    assert Said(message).names("Dip buyer", "01a1de06-3346-7227-a5cd-121d9a9a0f90") is named
    assert Said("and?", before=message).names("Dip buyer") is named


def live(client: TestClient, user: Headers, **bot: Any) -> tuple[Json, Json]:
    """Make a bot with a live simulation, and a conversation about it."""
    made = create_bot(client, user, strategy=STRATEGY, token=SOL, chain="solana", **bot)
    run = client.post(f"/api/bots/{made['id']}/simulate", json={"mode": "live"}, headers=user)
    assert run.status_code == 201, run.text
    return run.json(), begin(client, user, bot_id=made["id"])


def status(client: TestClient, user: Headers, run: Json) -> str:
    return str(client.get(f"/api/bots/{run['bot_id']}/simulate/{run['run_id']}", headers=user).json()["status"])


@pytest.mark.parametrize("tool", ["stop_simulation", "start_simulation", "stop_run"])
def test_a_live_simulation_ends_only_after_the_users_own_yes(
    client: TestClient, settings: Settings, user: Headers, tool: str
) -> None:
    run, conversation = live(client, user)
    named = {"run_id": run["run_id"]} if tool == "stop_run" else {}
    scripted(client, settings, call(tool, **named), call(tool, **named), text("I took care of it."))
    turn = say(client, user, conversation, "tidy up a little")
    for entry in turn["message"]["tool_calls"]:
        assert entry["result"]["error"].endswith("for good. Shall I do it? (yes/no)")
    question = turn["message"]["tool_calls"][0]["result"]["error"]
    assert turn["message"]["content"].startswith("I took care of it.")
    assert question in turn["message"]["content"]  # the user sees it although the model did not ask
    assert status(client, user, run) == "running"
    scripted(client, settings, text("A joke."))
    say(client, user, conversation, "tell me a joke")
    scripted(client, settings, call(tool, **named), text("Done."))
    say(client, user, conversation, "yes")  # to the joke
    assert status(client, user, run) == "running"
    scripted(client, settings, call(tool, **named), text("Done."))
    assert say(client, user, conversation, "Yes, please.")["message"]["tool_calls"][0]["result"]["status"]
    assert status(client, user, run) == "stopped"


@pytest.mark.parametrize("tool", ["start_watch", "stop_run"])
def test_a_running_watch_ends_only_after_the_users_own_yes(
    client: TestClient, settings: Settings, user: Headers, tool: str
) -> None:
    bot = create_bot(client, user, strategy=STRATEGY, token=SOL, chain="solana")
    path = f"/api/bots/{bot['id']}/watch"
    run = client.post(path, json={}, headers=user).json()
    conversation = begin(client, user, bot_id=bot["id"])
    named = {"run_id": run["run_id"]} if tool == "stop_run" else {}
    for message, status_then in (("tidy up a little", "running"), ("yes", "stopped")):
        scripted(client, settings, call(tool, **named), text("Done."))
        say(client, user, conversation, message)
        assert client.get(f"{path}/{run['run_id']}", headers=user).json()["status"] == status_then


def test_the_offline_model_asks_too_and_goes_on_after_a_yes(client: TestClient, user: Headers) -> None:
    run, conversation = live(client, user)
    asked = said(client, user, conversation, "simulate it")
    assert asked.endswith("for good. Shall I do it? (yes/no)")
    assert status(client, user, run) == "running"
    assert said(client, user, conversation, "yes").startswith("The simulation runs on SOL")
    assert status(client, user, run) == "stopped"


def test_the_users_own_order_and_command_end_it_at_once(client: TestClient, user: Headers) -> None:
    for order in ("stop the simulation", "/stop"):
        run, conversation = live(client, user, name=f"Bot {order}")
        assert "stopped" in said(client, user, conversation, order)
        assert status(client, user, run) == "stopped"


def test_the_only_backtest_of_a_visitor_is_not_spent_without_their_wish(client: TestClient, settings: Settings) -> None:
    guest, conversation = arrive(client)
    make = call("create_bot", name="Mine", strategy=STRATEGY, token=SOL, chain="solana")
    scripted(client, settings, make, call("run_backtest", days=1), text("Done."))
    _, refused = say(client, guest, conversation, "a bot that buys 5% dips")["message"]["tool_calls"]
    assert refused["result"]["error"].startswith("This uses the only backtest")
    (bot,) = client.get("/api/bots", headers=guest).json()["bots"]
    assert client.get(f"/api/bots/{bot['id']}/backtests", headers=guest).json()["total_backtests"] == 0
    scripted(client, settings, call("run_backtest", days=1), text("Done."))
    (run,) = say(client, guest, conversation, "ok")["message"]["tool_calls"]
    assert run["result"]["run_id"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("update_trading_strategy", {"strategy": None}),
        ("undo", {}),
        ("run_backtest", {"days": 1}),
        ("optimise", {"parameters": [{"path": "stop_loss_percent", "values": [1, 2]}]}),
        ("survey", {"trending": "solana", "limit": 1}),
        ("start_simulation", {}),
        ("stop_simulation", {}),
        ("set_bot", {}),
        ("update_bot", {"name": "Renamed"}),
        ("delete_bot", {"confirm": "Other plan"}),
        ("restore_revision", {"revision": 1}),
        ("holdout", {"action": "seal"}),
    ],
)
def test_a_conversation_acts_only_on_its_bot_unless_the_user_names_another(
    client: TestClient, settings: Settings, user: Headers, tool: str, arguments: Json
) -> None:
    other = create_bot(client, user, "Other plan", strategy=STRATEGY, token=SOL, chain="solana")
    mine = create_bot(client, user, "Mine", strategy=STRATEGY, token=SOL, chain="solana")
    conversation = begin(client, user, bot_id=mine["id"])
    for bot in ("Other plan", other["id"]):
        scripted(client, settings, call(tool, bot=bot, **arguments), text("Done."))
        (refused,) = say(client, user, conversation, "tidy up")["message"]["tool_calls"]
        assert refused["result"] == {
            "error": "This conversation is not about the bot Other plan. Nothing is done to it unless the user names it."
        }
    assert client.get(f"/api/bots/{other['id']}", headers=user).json() == other
    scripted(client, settings, call(tool, bot="Other plan", **arguments), text("Done."))
    (done,) = say(client, user, conversation, "now do it with other-plan")["message"]["tool_calls"]
    assert "not about the bot" not in str(done["result"])


@pytest.mark.parametrize(
    ("tool", "arguments", "question", "done"),
    [
        ("delete_bot", {"bot": "Mine", "confirm": "Mine"}, "This deletes the bot Mine with all its runs", "deleted"),
        ("holdout", {"action": "seal"}, "Tests of Mine no longer see the sealed part.", "sealed"),
    ],
)
def test_what_cannot_be_taken_back_is_asked_first(
    client: TestClient, settings: Settings, user: Headers, tool: str, arguments: Json, question: str, done: str
) -> None:
    mine = create_bot(client, user, "Mine", strategy=STRATEGY, token=SOL, chain="solana")
    conversation = begin(client, user, bot_id=mine["id"])
    scripted(client, settings, call(tool, **arguments), text("Done."))
    turn = say(client, user, conversation, "tidy up")
    assert turn["message"]["tool_calls"][0]["result"]["error"].startswith(question)
    assert turn["message"]["content"].rstrip("*").endswith("(yes/no)")
    linked = {**mine, "conversation_id": conversation["id"]}
    assert client.get(f"/api/bots/{mine['id']}", headers=user).json() == linked
    scripted(client, settings, call(tool, **arguments), text("Done."))
    (made,) = say(client, user, conversation, "yes")["message"]["tool_calls"]
    assert done in made["result"]


def test_another_bot_may_be_read_and_one_may_be_linked_where_none_is(
    client: TestClient, settings: Settings, user: Headers
) -> None:
    create_bot(client, user, "Other plan", strategy=STRATEGY)
    mine = create_bot(client, user, "Mine")
    scripted(client, settings, call("get_bot_info", bot="Other plan"), text("Done."))
    (read,) = say(client, user, begin(client, user, bot_id=mine["id"]), "look")["message"]["tool_calls"]
    assert read["result"]["bot"]["name"] == "Other plan"
    scripted(client, settings, call("set_bot", bot="Other plan"), call("undo"), text("Done."))
    linked, _ = say(client, user, begin(client, user), "which one?")["message"]["tool_calls"]
    assert linked["result"]["bot"]["name"] == "Other plan"


@pytest.mark.parametrize(
    "message", ["paper trade it", "follow it live", "start paper trading", "run it with fake money"]
)
def test_paper_trading_means_live(client: TestClient, user: Headers, message: str) -> None:
    bot = create_bot(client, user, strategy=STRATEGY, token=SOL, chain="solana")
    begun = say(client, user, begin(client, user, bot_id=bot["id"]), message)["message"]
    assert [run["mode"] for run in runs_of(client, user, bot)] == ["live"], begun["content"]


@pytest.mark.parametrize("message", ["simulate it", "replay it"])
def test_a_replay_of_few_candles_asks_first_and_offers_shorter_ones_or_live(
    client: TestClient, user: Headers, message: str
) -> None:
    bot = create_bot(client, user, strategy=STRATEGY, token=SOL, chain="solana")
    conversation = begin(client, user, bot_id=bot["id"])
    asked = say(client, user, conversation, message)["message"]["content"]
    for words in ("An hour of 1h candles is only 1 candle", "follow it live", "replay it on 1m candles", "(yes/no)"):
        assert words in asked
    assert runs_of(client, user, bot) == []
    say(client, user, conversation, "yes")
    assert [(run["mode"], run["kline_interval"]) for run in runs_of(client, user, bot)] == [("replay", "1h")]
    say(client, user, conversation, message)
    say(client, user, conversation, "follow it live")
    asked = say(client, user, conversation, message)["message"]["content"]
    assert "replay it on 1m candles" in asked
    assert "live simulation" in asked
    say(client, user, conversation, "replay it on 1m candles")
    say(client, user, conversation, "yes")
    assert runs_of(client, user, bot)[0]["kline_interval"] == "1m"
    say(client, user, conversation, "simulate the last hour")
    assert len(runs_of(client, user, bot)) == 4


def test_the_cash_of_a_question_is_not_that_of_the_next_run(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=STRATEGY, token=SOL, chain="solana")
    conversation = begin(client, user, bot_id=bot["id"])
    for message in ("how would it have done with $500?", "test it on 20 days"):
        say(client, user, conversation, message)
    runs = client.get(f"/api/bots/{bot['id']}/backtests", headers=user).json()["backtests"]
    assert [run["initial_cash"] for run in runs] == [10_000, 500]


def runs_of(client: TestClient, user: Headers, bot: Json) -> list[Json]:
    runs: list[Json] = client.get(f"/api/bots/{bot['id']}/simulations", headers=user).json()["simulations"]
    return runs
