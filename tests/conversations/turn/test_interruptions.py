"""Interrupted turns: they are answered with what they had done, and the conversation is free again."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text as sql

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Principal
from strategybot.app import Services, conversations_of
from strategybot.conversations.caller import Caller
from strategybot.conversations.links import Links
from strategybot.conversations.service import ChatRateLimits, Conversations
from strategybot.conversations.turn.calls import Calls, Journal
from strategybot.conversations.turn.interruptions import UNFINISHED, OpenText, interrupt
from strategybot.conversations.turn.turns import Answer, Emit, Question
from strategybot.kit.identifiers import new_id
from strategybot.kit.limits import Rate, RollingLimit
from strategybot.settings import Settings
from tests.backtests.driving import new_user
from tests.conversations.talking import (
    Headers,
    Json,
    ScriptedModel,
    begin,
    call,
    close,
    held,
    post,
    said,
    scripted,
    stream,
    text,
)  # fmt: skip
from tests.conversations.wire.dialects import call as wire_call
from tests.conversations.wire.server import Silence, WireServer, answers
from tests.servers import ServiceProcess

ASK_AGAIN = "I was interrupted while I was answering. Please ask again."
LOOK_FIRST = (
    "I was interrupted while I was answering. This was done by then, and stays done: create bot. "
    "Please look at it before you ask again."
)


def test_a_turn_that_is_interrupted_is_answered_and_frees_the_conversation(
    client: TestClient, settings: Settings, user: Headers
) -> None:
    conversation = begin(client, user)
    model = held(client, settings)
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(post, client, user, conversation, "hello")
        assert model.asked.wait(10)
        close(client, seconds=0.05)
        model.let_go.set()
        answer = asking.result()
    assert answer.status_code == 200
    assert answer.json()["message"]["content"] == ASK_AGAIN
    assert answer.json()["conversation"] == read(client, user, conversation)
    scripted(client, settings, text("Here I am again."))
    assert said(client, user, conversation, "hello?") == "Here I am again."


def test_no_turn_begins_while_the_service_closes(client: TestClient, user: Headers) -> None:
    conversation = begin(client, user)
    services: Services = client.app.state.services  # type: ignore[attr-defined]
    assert client.portal is not None
    with client.portal.wrap_async_context_manager(services.conversations.running_turns.closing()):
        refusal = post(client, user, conversation, "hello")
        expected = {"detail": "The service is about to stop. Please try again in a moment."}
        assert (refusal.status_code, refusal.json()) == (503, expected)
        assert read(client, user, conversation)["messages"] == []
    assert said(client, user, conversation, "/bots").startswith("You have no bot yet")


def test_completed_calls_are_listed_in_the_answer_and_in_the_journal(
    client: TestClient, settings: Settings, user: Headers
) -> None:
    conversation = begin(client, user)
    script = Stalling([call("create_bot", name="Dip"), call("set_bot", bot="Dup"), text("Don")])
    services: Services = client.app.state.services  # type: ignore[attr-defined]
    client.app.state.conversations = conversations_of(services, settings, script.model())  # type: ignore[attr-defined]
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(stream, client, user, conversation, "make me a bot")
        script.wait()
        close(client, seconds=0)
        parts = asking.result()
    assert parts[-1] == "[DONE]"
    assert [part["type"] for part in parts[-8:-1]] == [
        "text-delta", "text-end", "text-start", "text-delta", "text-end", "data-turn", "finish",
    ]  # fmt: skip
    message = parts[-3]["data"]["message"]
    assert (message["content"], parts[-5]["delta"]) == (LOOK_FIRST, LOOK_FIRST)
    made, missed = message["tool_calls"]
    assert (made["name"], made["arguments"]["name"], made["result"]["bot"]["name"]) == ("create_bot", "Dip", "Dip")
    assert missed["result"]["error"].startswith("No bot of yours is called that.")
    with services.database.read() as session:
        outcomes = session.execute(sql("SELECT outcome FROM conversations_tool_calls ORDER BY id")).scalars().all()
    assert outcomes == ["done", f"failed: {missed['result']['error']}"]


class Stalling(ScriptedModel):
    """A model that plays its steps and never finishes the last one."""

    async def _stream(self, messages: list[Any], info: Any) -> Any:
        async for part in super()._stream(messages, info):
            yield part
        if len(self.heard) >= len(self.steps):
            await asyncio.Event().wait()

    def wait(self) -> None:
        until(lambda: len(self.heard) >= len(self.steps))


def until(condition: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


class Broken:
    """An assistant with a defect."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def answer(self, _question: Question, _calls: Calls, _emit: Emit) -> Answer:
        raise self._error


@pytest.mark.parametrize("error", [RuntimeError("a defect"), TimeoutError("not ours")])
def test_a_defect_is_not_an_interruption_and_frees_the_conversation_too(
    client: TestClient, settings: Settings, user: Headers, error: Exception
) -> None:
    services: Services = client.app.state.services  # type: ignore[attr-defined]
    database, clock = services.database, services.clock
    links, chats = Links(database, services.bots, clock), RollingLimit(database, clock, "chat", Rate.parse("9/1h"))
    client.app.state.conversations = Conversations(  # type: ignore[attr-defined]
        database, services.accounts, services.bots, links, ChatRateLimits(chats), Broken(error), clock, services.leases
    )
    conversation = begin(client, user)
    answer = post(client, user, conversation, "hello")
    assert (answer.status_code, answer.json()) == (500, {"detail": "Internal server error"})
    assert [message["content"] for message in read(client, user, conversation)["messages"]] == ["hello", ASK_AGAIN]
    scripted(client, settings, text("Here I am again."))
    assert said(client, user, conversation, "hello?") == "Here I am again."


def test_a_call_that_was_not_finished_may_have_been_done(client: TestClient, services: Services, user: Headers) -> None:
    told: list[Json] = []
    text_parts = OpenText(told.append)
    caller = Caller(Principal("nobody", "free"), UserSettings(), begin(client, user)["id"], new_id())
    calls = Calls(Journal(services.database, services.clock), caller, text_parts.emit)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled(calls))
    answer = interrupt("test it", calls, text_parts)
    assert "This may have been done: run backtest. Please look at it" in answer.content
    (made,) = answer.tool_calls
    assert (made.name, made.arguments, made.result) == ("run_backtest", {"days": 9}, {"error": UNFINISHED})
    assert answer.outcomes == dict.fromkeys(calls.by_id, "interrupted")
    assert [part["type"] for part in told] == ["tool-input-available", "text-start", "text-delta", "text-end"]


async def cancelled(calls: Calls) -> None:
    begun = asyncio.Event()

    async def never_ends() -> None:
        begun.set()
        await asyncio.Event().wait()

    call_made = asyncio.create_task(calls.make("run_backtest", {"days": 9}, never_ends))
    await begun.wait()
    call_made.cancel()
    await call_made


def test_a_service_that_stops_during_a_turn_answers_everyone_and_ends_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    with WireServer() as wire:
        monkeypatch.setenv("OLLAMA_BASE_URL", f"{wire.url}/v1")
        wire.plays(answers(wire_call("create_bot", name="Dip")), Silence())
        with ServiceProcess(tmp_path / "data", model="ollama:wire") as service, ThreadPoolExecutor(2) as pool:
            with httpx2.Client(base_url=service.url, timeout=60) as client:
                user = new_user(client)
                first, second = begin(client, user), begin(client, user)
            asking = pool.submit(alone, service, post, user, first, "make me a bot")
            until(lambda: len(wire.requests) == 2)
            streaming = pool.submit(alone, service, stream, user, second, "and another")
            until(lambda: len(wire.requests) == 3)
            assert service.terminate() == 0
            answer, parts = asking.result(), streaming.result()
            assert "Traceback" not in service.log()
    assert answer.status_code == 200
    message = answer.json()["message"]
    assert (message["content"], [made["name"] for made in message["tool_calls"]]) == (LOOK_FIRST, ["create_bot"])
    assert parts[-3]["data"]["message"]["content"] == ASK_AGAIN
    assert parts[-2:] == [{"type": "finish"}, "[DONE]"]


def alone(service: ServiceProcess, ask: Callable[..., Any], *arguments: Any) -> Any:
    with httpx2.Client(base_url=service.url, timeout=60) as client:
        return ask(client, *arguments)


def read(client: TestClient, who: Headers, conversation: Json) -> Json:
    found: Json = client.get(f"/api/conversations/{conversation['id']}", headers=who).json()
    return found
