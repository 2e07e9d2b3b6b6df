"""The agent loop: tools act as the caller, a turn is streamed and saved completely, and a failure becomes an answer."""

import asyncio
import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic_ai.exceptions import ModelHTTPError, UnexpectedModelBehavior
from pydantic_ai.messages import ModelMessage, ModelResponse, SystemPromptPart, UserPromptPart
from sqlalchemy import select

from strategybot.app import Services
from strategybot.conversations.storage import ToolCall
from strategybot.settings import Settings
from tests.backtests.driving import finished, start
from tests.conversations.talking import (
    Headers,
    arrive,
    begin,
    call,
    calls,
    close,
    held,
    post,
    said,
    say,
    scripted,
    stream,
    text,
)
from tests.engines import on_sqlite_alone
from tests.support import STRATEGY, create_bot, sign_up

pytestmark = on_sqlite_alone

SOL = "So11111111111111111111111111111111111111112"
SUMMARY = (
    "Buy when the price falls at least 5 % within 1d. Sell at a 3 % loss (stop loss), or at a 10 % gain (take profit)."
)


def test_a_bot_is_made_linked_tested_and_explained(client: TestClient, settings: Settings, user: Headers) -> None:
    warmed = create_bot(client, user, "Warm up", strategy=STRATEGY, token=SOL, chain="solana")
    finished(client, user, start(client, user, warmed), seconds=120)  # the engine may have to be compiled first
    conversation = begin(client, user)
    scripted(
        client,
        settings,
        call("create_bot", name="Dip buyer", token=SOL, chain="solana", strategy=STRATEGY),
        call("run_backtest", kline_interval="1h", days=10),
        call("get_backtest"),
        text("Done."),
    )
    turn = say(client, user, conversation, "make it and test it")
    made = turn["message"]["tool_calls"]
    assert [(entry["name"], entry["arguments"].get("days")) for entry in made] == [
        ("create_bot", None),
        ("run_backtest", 10),
        ("get_backtest", None),
    ]
    bot, run, again = (entry["result"] for entry in made)
    assert bot["summary"] == SUMMARY
    assert turn["conversation"]["bot_id"] == bot["bot"]["id"]
    assert run["status"] == "completed"
    assert set(run) == {
        "run_id", "status", "progress", "token", "chain", "kline_interval", "start_time", "end_time", "initial_cash",
        "metrics", "metric_notes", "error", "strategy_revision", "data_source", "fee_percent", "slippage_percent",
        "verdict", "fills_summary", "guards_summary", "symbol", "untrusted", "cost_notes", "no_trade_reason",
        "warm_up_summary", "untested", "pool_costs",
    }  # fmt: skip
    assert run["symbol"] == "SOL"
    assert again == run
    stored = client.get(f"/api/bots/{bot['bot']['id']}/backtest/{run['run_id']}", headers=user).json()
    told = {name: value for name, value in run["metrics"].items() if name != "exit_reasons"}
    assert told.items() <= stored["metrics"].items()
    assert (stored["start_time"], stored["end_time"]) == ("2025-12-23T03:00:00Z", "2026-01-02T03:00:00Z")


def test_many_tokens_are_tested_with_one_purse(client: TestClient, settings: Settings, user: Headers) -> None:
    create_bot(client, user, "Purse", strategy={**STRATEGY, "portfolio": {"max_open": 2}})
    conversation = begin(client, user)
    asked = {"bot": "Purse", "kline_interval": "1h", "days": 10}
    scripted(
        client,
        settings,
        call("run_backtest", tokens=["SOL", "PIPO", "MOOG"], **asked),
        call("run_backtest", trending="solana", limit=4, **asked),
        call("run_backtest", trending="solana", limit=4, as_of="each_day", **asked),
        call("start_simulation", trending="solana", limit=3, as_of="each_day", bot="Purse"),
        text("Done."),
    )
    named, trending, listed, followed = (
        entry["result"] for entry in say(client, user, conversation, "test Purse")["message"]["tool_calls"]
    )
    assert (named["status"], named["symbol"], trending["symbol"]) == ("completed", "3 tokens", "4 tokens")
    assert {row["symbol"] for row in named["tokens"]} == {"SOL", "PIPO", "MOOG"}
    assert trending["portfolio_notes"][0].startswith("These 4 tokens were chosen today.")
    assert listed["portfolio_notes"][0].startswith("On each day it bought only tokens that were listed on that day")
    assert (followed["symbol"], followed["mode"], followed["portfolio"]["max_open"]) == ("3 tokens", "live", 2)


def test_a_change_says_what_was_before_and_can_be_taken_back(
    client: TestClient, settings: Settings, user: Headers
) -> None:
    bot = create_bot(client, user)
    conversation = begin(client, user, bot_id=bot["id"])
    looser = {**STRATEGY, "conditions": [{"kind": "price_drop", "percent": 8}]}
    scripted(
        client,
        settings,
        call("update_trading_strategy", strategy=STRATEGY),
        call("update_trading_strategy", strategy=looser),
        call("get_current_strategy"),
        call("update_trading_strategy", strategy=None),
        text("Done."),
    )
    first, second, current, cleared = (
        entry["result"] for entry in say(client, user, conversation, "go")["message"]["tool_calls"]
    )
    assert (first["revision"], first["before"], first["before_summary"], first["summary"]) == (1, None, None, SUMMARY)
    assert (second["before"], second["before_summary"]) == (first["strategy"], SUMMARY)
    assert current["previous_strategy"] == first["strategy"]
    assert current["has_previous"] is True
    assert (cleared["revision"], cleared["strategy"], cleared["before"]) == (3, None, second["strategy"])
    assert client.get(f"/api/bots/{bot['id']}", headers=user).json()["strategy"] is None


def test_without_a_bot_the_tools_say_so(client: TestClient, settings: Settings, user: Headers) -> None:
    conversation = begin(client, user)
    wanting = ["get_bot_info", "run_backtest", "get_backtest", "stop_simulation"]
    scripted(client, settings, *map(call, wanting), text("Which bot?"))
    made = say(client, user, conversation, "go")["message"]["tool_calls"]
    assert [entry["name"] for entry in made] == wanting
    assert {entry["result"]["error"] for entry in made} == {"No bot is linked to this conversation yet."}


def test_without_a_bot_there_is_no_strategy_to_read_and_nothing_has_failed(
    client: TestClient, settings: Settings, user: Headers
) -> None:
    scripted(client, settings, call("get_current_strategy"), text("Which bot?"))
    (read,) = say(client, user, begin(client, user), "go")["message"]["tool_calls"]
    assert read["result"]["bot"] is None
    assert read["result"]["strategy"] is None
    assert read["result"]["has_previous"] is False


def test_a_run_takes_the_cash_and_the_fee_it_is_given(client: TestClient, settings: Settings, user: Headers) -> None:
    bot = create_bot(client, user, strategy=STRATEGY, token=SOL, chain="solana")
    conversation = begin(client, user, bot_id=bot["id"])
    scripted(
        client,
        settings,
        call("run_backtest", days=1, initial_cash=500, fee_percent=0.3),
        call("start_simulation", initial_cash=700),
        call("stop_simulation"),
        text("Done."),
    )
    tested, simulated, _ = (entry["result"] for entry in say(client, user, conversation, "go")["message"]["tool_calls"])
    stored = client.get(f"/api/bots/{bot['id']}/backtest/{tested['run_id']}", headers=user).json()
    assert (stored["initial_cash"], stored["fee_percent"]) == (500, 0.3)
    assert simulated["portfolio"]["initial_cash"] == 700


def test_without_a_token_nothing_is_run(client: TestClient, settings: Settings, user: Headers) -> None:
    bot = create_bot(client, user, strategy=STRATEGY)
    conversation = begin(client, user, bot_id=bot["id"])
    scripted(client, settings, call("run_backtest"), call("start_simulation"), text("Which token?"))
    made = say(client, user, conversation, "test it")["message"]["tool_calls"]
    assert all(entry["result"]["error"].startswith("There is no token to run on") for entry in made)
    assert client.get(f"/api/bots/{bot['id']}/backtests", headers=user).json()["total_backtests"] == 0


@pytest.mark.parametrize("name", ["Second", "SECOND", "  second "])
def test_a_bot_is_found_by_its_name_in_any_letter_case(
    client: TestClient, settings: Settings, user: Headers, name: str
) -> None:
    create_bot(client, user, "First")
    second = create_bot(client, user, "Second")
    conversation = begin(client, user)
    scripted(client, settings, call("set_bot", bot=name), call("list_bots"), call("get_bot_info"), text("Done."))
    turn = say(client, user, conversation, "go")
    linked, listed, info = (entry["result"] for entry in turn["message"]["tool_calls"])
    assert linked["bot"]["id"] == turn["conversation"]["bot_id"] == info["bot"]["id"] == second["id"]
    assert [(bot["name"], bot["linked"]) for bot in listed["bots"]] == [("Second", True), ("First", False)]
    assert (info["backtests"], info["last_backtest"]) == (0, None)


def test_any_run_is_read_and_stopped_by_its_id_and_a_watch_trades_nothing(
    client: TestClient, settings: Settings, user: Headers
) -> None:
    bot = create_bot(client, user, strategy=STRATEGY, token=SOL, chain="solana")
    conversation = begin(client, user, bot_id=bot["id"])
    scripted(client, settings, call("start_watch", tokens=["SOL"], kline_interval="1m"), text("I tell you."))
    [made] = say(client, user, conversation, "alert me when it would buy SOL")["message"]["tool_calls"]
    watched = made["result"]
    assert (watched["status"], watched["kline_interval"], len(watched["tokens"])) == ("running", "1m", 1)
    named = {"run_id": watched["run_id"]}
    scripted(client, settings, call("get_run", **named), call("stop_run", **named), text("Done."))
    found, stopped = (entry["result"] for entry in say(client, user, conversation, "stop it")["message"]["tool_calls"])
    assert (found["run_id"], stopped["stop_reason"]) == (watched["run_id"], "user")
    for kind in ("backtests", "simulations"):
        assert client.get(f"/api/bots/{bot['id']}/{kind}", headers=user).json()[f"total_{kind}"] == 0


def test_a_simulation_is_started_and_stopped(client: TestClient, settings: Settings, user: Headers) -> None:
    bot = create_bot(client, user, strategy=STRATEGY, token=SOL, chain="solana")
    client.post(f"/api/bots/{bot['id']}/simulate", json={}, headers=user)  # the engine may have to be compiled first
    conversation = begin(client, user, bot_id=bot["id"])
    scripted(
        client, settings, call("start_simulation"), call("stop_simulation"), call("stop_simulation"), text("Done.")
    )
    started, stopped, again = (
        entry["result"] for entry in say(client, user, conversation, "go")["message"]["tool_calls"]
    )
    assert (started["status"], stopped["status"]) == ("running", "stopped")
    assert started["run_id"] == stopped["run_id"]
    assert "klines" not in started
    assert again == {"error": "No simulation of this bot is running."}


def test_a_visitor_searches_but_does_not_simulate(client: TestClient, settings: Settings) -> None:
    guest, conversation = arrive(client)
    scripted(
        client,
        settings,
        call("search_tokens", query="pipo"),
        call("create_bot", name="Mine", strategy=STRATEGY, token=SOL, chain="solana"),
        call("start_simulation"),
        call("create_bot", name="Another"),
        text("Done."),
    )
    found, _, simulated, second = (
        entry["result"] for entry in say(client, guest, conversation, "go")["message"]["tool_calls"]
    )
    assert [token["symbol"] for token in found] == ["PIPO"]
    assert simulated == {"error": "Simulations need an account. Sign up for a free account to run simulations."}
    assert second == {"error": "Without an account you can have 1 bot. Sign up for a free account to get more bots."}


def test_the_agent_answers_with_the_risk_of_a_token(client: TestClient, settings: Settings, user: Headers) -> None:
    scripted(
        client,
        settings,
        call("get_token_risk", token_id=f"{SOL}-solana"),
        call("get_token_risk", token_id="nothing-solana"),
        text("Done."),
    )
    known, unknown = (
        entry["result"] for entry in say(client, user, begin(client, user), "go")["message"]["tool_calls"]
    )
    assert known["risk_level"] == "low"
    assert unknown == {"error": "Nothing is known about this token."}


def test_the_stream_contains_all_of_the_json_answer(client: TestClient, settings: Settings, user: Headers) -> None:
    conversation = begin(client, user)
    scripted(client, settings, calls(("list_bots", {}), ("set_bot", {"bot": "none"})), text("You have none."))
    parts = stream(client, user, conversation, "which bots?")
    assert [part if part == "[DONE]" else part["type"] for part in parts] == [
        "start",
        "tool-input-available",
        "tool-output-available",
        "tool-input-available",
        "tool-output-error",
        "text-start",
        "text-delta",
        "text-end",
        "data-turn",
        "finish",
        "[DONE]",
    ]
    turn = parts[-3]["data"]
    assert turn["conversation"] == client.get(f"/api/conversations/{conversation['id']}", headers=user).json()
    assert turn["message"]["content"] == "".join(part["delta"] for part in parts[:-1] if part["type"] == "text-delta")
    assert parts[1]["toolCallId"] == parts[2]["toolCallId"]
    assert parts[2]["output"] == turn["message"]["tool_calls"][0]["result"]
    assert set(turn) == {"message", "conversation", "warning", "remaining_chats"}


def test_a_refused_turn_does_not_begin_to_stream(client: TestClient, user: Headers) -> None:
    nobodys = {"id": "01900000-0000-7000-8000-000000000000"}
    answer = post(client, user, nobodys, "hello", Accept="text/event-stream")
    assert (answer.status_code, answer.json()) == (404, {"detail": "Conversation not found."})


def test_a_client_that_goes_away_does_not_lose_the_turn(client: TestClient, settings: Settings, user: Headers) -> None:
    conversation = begin(client, user)
    model = held(client, settings)

    async def ask_and_go_away() -> None:
        body, gone = json.dumps({"message": "hello"}).encode(), asyncio.Event()
        requests = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> Any:
            for request in requests:
                return request
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                gone.set()

        headers = {**user, "Accept": "text/event-stream", "Content-Type": "application/json"}
        raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        raw.append((b"content-length", str(len(body)).encode()))
        path = f"/api/conversations/{conversation['id']}/chat"
        scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b""}
        await client.app({**scope, "headers": raw, "http_version": "1.1", "scheme": "http"}, receive, send)

    assert client.portal is not None
    client.portal.call(ask_and_go_away)
    assert model.asked.wait(10)
    model.let_go.set()
    close(client, seconds=10)
    messages = client.get(f"/api/conversations/{conversation['id']}", headers=user).json()["messages"]
    assert [message["content"] for message in messages] == ["hello", "Here I am."]


def test_the_model_remembers_what_was_said_and_done(client: TestClient, settings: Settings, user: Headers) -> None:
    conversation = begin(client, user)
    script = scripted(client, settings, call("list_bots"), text("None."), text("I said: none."))
    say(client, user, conversation, "which bots?")
    say(client, user, conversation, "/help")
    say(client, user, conversation, "and now?")
    last = script.heard[-1]
    prompts = [part.content for message in last for part in message.parts if isinstance(part, UserPromptPart)]
    assert prompts == ["which bots?", "/help", "and now?"]
    kinds = [part.part_kind for message in last for part in message.parts if not isinstance(part, SystemPromptPart)]
    assert kinds == [
        "user-prompt", "tool-call", "tool-return", "text", "user-prompt", "text", "user-prompt",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ModelHTTPError(status_code=401, model_name="x", body="sk-secret"), "refused the key"),
        (ModelHTTPError(status_code=404, model_name="x", body="sk-secret"), "does not know the language"),
        (ModelHTTPError(status_code=500, model_name="x", body="sk-secret"), "did not answer as it should"),
        (UnexpectedModelBehavior("sk-secret"), "could not finish"),
        (RuntimeError("sk-secret"), "could not finish"),
    ],
    ids=["key", "name", "outage", "nonsense", "defect"],
)
def test_a_failure_is_an_answer_and_tells_no_secret(
    client: TestClient, settings: Settings, user: Headers, error: Exception, sentence: str
) -> None:
    conversation = begin(client, user)
    scripted(client, settings, call("create_bot", name="Made before"), error)
    turn = say(client, user, conversation, "go")
    assert sentence in turn["message"]["content"]
    assert "sk-secret" not in json.dumps(turn)
    assert turn["conversation"]["bot_id"] is not None  # what was done stays done
    assert said(client, user, conversation, "/bots").startswith("- **Made before** (linked)")


def test_an_empty_answer_is_replaced_by_a_hint(client: TestClient, settings: Settings, user: Headers) -> None:
    scripted(client, settings, text(" "))
    assert said(client, user, begin(client, user), "go").strip()


def test_every_call_is_in_the_journal(
    client: TestClient, services: Services, settings: Settings, user: Headers
) -> None:
    conversation = begin(client, user)
    scripted(
        client,
        settings,
        call("list_bots"),
        call("set_bot", bot="none"),
        call("no_such_tool", who="all\x00"),
        call("set_bot", bot=1),
        call("set_bot", '{"bot": "no'),
        text("Done."),
    )
    turn = say(client, user, conversation, "go")
    client.delete(f"/api/conversations/{conversation['id']}", headers=user)
    entries = _journal(services)
    assert {entry[3] for entry in entries} == {turn["conversation"]["messages"][0]["id"]}
    wrongly = "failed: The model called it wrongly."
    assert [entry[:3] for entry in entries] == [
        ("list_bots", {}, "done"),
        ("set_bot", {"bot": "none"}, "failed: No bot of yours is called that. You have none yet."),
        ("no_such_tool", {"who": "all"}, wrongly),
        ("set_bot", {"bot": 1}, "failed: bot must be a string"),
        ("set_bot", {"INVALID_JSON": '{"bot": "no'}, wrongly),
    ]


HUNDREDS = [("create_bot", {"name": f"Bot {number}"}) for number in range(120)]


@pytest.mark.parametrize(
    ("steps", "names"),
    [
        ([call("no_such_tool")], ["no_such_tool"] * 4),
        ([calls(("list_bots", {}), ("no", {}), ("neither", {}))], ["no", "neither", "list_bots"] * 4),
        ([call("set_bot", bot=1)], ["set_bot"] * 24),
        ([call("list_bots")], ["list_bots"] * 24),
        ([calls(*[("list_bots", {})] * 41)], ["list_bots"] * 41),
        ([calls(*HUNDREDS)], ["create_bot"] * 100),
    ],
    ids=["unknown again", "unknown among known", "wrong again", "too many", "too many at once", "hundreds"],
)
def test_a_call_that_ends_the_turn_is_in_the_journal_too(
    client: TestClient, services: Services, settings: Settings, user: Headers, steps: list[Any], names: list[str]
) -> None:
    scripted(client, settings, *steps)
    turn = say(client, user, begin(client, user), "go")
    entries = _journal(services)
    assert sorted(name for name, *_ in entries) == sorted(names)
    assert all(outcome for _, _, outcome, _ in entries)
    assert len(turn["message"]["tool_calls"]) <= 40
    assert client.get("/api/bots", headers=user).json()["total_bots"] == 0


def _journal(services: Services) -> list[tuple[str, Any, str, str]]:
    """What was called with which arguments, how it ended, and in which turn."""
    with services.database.read() as session:
        rows = session.execute(select(ToolCall).order_by(ToolCall.id)).scalars()
        return [(row.name, row.arguments, str(row.outcome), row.turn_id) for row in rows]


def test_no_tool_acts_for_a_deleted_conversation(
    client: TestClient, services: Services, settings: Settings, user: Headers
) -> None:
    conversation = begin(client, user)

    def delete_and_go_on(_messages: list[ModelMessage]) -> ModelResponse:
        with services.database.write() as session:
            session.connection().exec_driver_sql("DELETE FROM conversations")
        return call("create_bot", name="Too late")

    scripted(client, settings, call("list_bots"), delete_and_go_on, text("Done."))
    assert post(client, user, conversation, "go").status_code == 404
    assert client.get("/api/bots", headers=user).json()["total_bots"] == 0


def test_an_answer_of_the_offline_fallback_is_marked_as_such(
    client: TestClient, settings: Settings, user: Headers
) -> None:
    scripted(client, settings, text("Hello."), model="openai:x")
    assert said(client, user, begin(client, user), "hello") == "Hello."
    stranger = sign_up(client, "eve@example.com")
    assert said(client, stranger, begin(client, stranger), "hello") == "Hello."


def test_values_are_searched_and_many_tokens_tested_for_the_linked_bot(
    client: TestClient, settings: Settings, user: Headers
) -> None:
    conversation = begin(client, user)
    parameters = [{"path": "stop_loss_percent", "from": 2, "to": 6, "step": 2}]
    strategy = {**STRATEGY, "conditions": [{"kind": "price_drop", "percent": 1, "window": "1d"}]}
    scripted(
        client,
        settings,
        call("create_bot", name="Dip buyer", token=SOL, chain="solana", strategy=strategy),
        call("optimise", parameters=parameters, kline_interval="1h"),
        call("optimise", parameters=[{"path": "conditions.0.kind", "values": [1]}]),
        call("survey", trending="solana", limit=2, kline_interval="1h", days=10),
        text("Done."),
    )
    turn = say(client, user, conversation, "try stops from 2 to 6 %, then test it on the top 2")
    _, found, refused, rows = (entry for entry in turn["message"]["tool_calls"])
    assert (found["result"]["status"], found["result"]["variants_done"]) == ("completed", 3)
    assert len(found["result"]["walk_forward"]["blocks"]) == 5
    assert "neither a number nor a duration" in json.dumps(refused)
    assert (rows["result"]["status"], len(rows["result"]["rows"])) == ("completed", 2)
    assert "sparkline" not in rows["result"]["rows"][0]
