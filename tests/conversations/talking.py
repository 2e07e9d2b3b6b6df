"""Helpers that begin and lead conversations, with a scripted language model in place of a real one."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import anyio
import anyio.to_thread
import httpx2
from fastapi.testclient import TestClient
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel

from strategybot.app import Services, conversations_of
from strategybot.conversations.service import Conversations
from strategybot.settings import Settings
from tests.support import visitor

Headers = dict[str, str]
Json = dict[str, Any]
Client = TestClient | httpx2.Client
Step = ModelResponse | Exception | Callable[[list[ModelMessage]], ModelResponse]


def begin(client: Client, who: Headers | None = None, **draft: Any) -> Json:
    answer = client.post("/api/conversations", json=draft, headers=who or {})
    assert answer.status_code == 201, answer.text
    conversation: Json = answer.json()
    return conversation


def arrive(client: Client) -> tuple[Headers, Json]:
    """Create a visitor with a first conversation."""
    conversation = begin(client)
    return visitor(conversation["anonymous_token"]), conversation


def post(client: Client, who: Headers, conversation: Json, message: str, **headers: str) -> httpx2.Response:
    path = f"/api/conversations/{conversation['id']}/chat"
    return client.post(path, json={"message": message}, headers={**who, **headers})


def say(client: Client, who: Headers, conversation: Json, message: str) -> Json:
    """Send a message and return the whole turn."""
    answer = post(client, who, conversation, message)
    assert answer.status_code == 200, answer.text
    turn: Json = answer.json()
    return turn


def said(client: Client, who: Headers, conversation: Json, message: str) -> str:
    return str(say(client, who, conversation, message)["message"]["content"])


def stream(client: Client, who: Headers, conversation: Json, message: str) -> list[Any]:
    """Return every part that was streamed; the last one is `[DONE]`."""
    answer = post(client, who, conversation, message, Accept="text/event-stream")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = [event.removeprefix("data: ") for event in answer.text.strip().split("\n\n")]
    return [event if event == "[DONE]" else json.loads(event) for event in events]


@dataclass
class ScriptedModel:
    """A language model that plays these steps in order and repeats the last one."""

    steps: list[Step]
    heard: list[list[ModelMessage]] = field(default_factory=list)

    def model(self) -> FunctionModel:
        return FunctionModel(self._answer, stream_function=self._stream, model_name="scripted")

    def _answer(self, messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        step = self.steps[min(len(self.heard), len(self.steps) - 1)]
        self.heard.append(list(messages))
        if isinstance(step, Exception):
            raise step
        return step(messages) if callable(step) else step

    async def _stream(self, messages: list[ModelMessage], info: AgentInfo) -> Any:
        response = self._answer(messages, info)
        for index, part in enumerate(response.parts):
            if isinstance(part, TextPart):
                yield part.content
            elif isinstance(part, ToolCallPart):
                yield {index: DeltaToolCall(part.tool_name, _written(part), tool_call_id=part.tool_call_id)}


def _written(part: ToolCallPart) -> str:
    return part.args if isinstance(part.args, str) else json.dumps(part.args or {})


def text(content: str) -> ModelResponse:
    return ModelResponse([TextPart(content)])


def call(tool: str, arguments: Any = None, **named: Any) -> ModelResponse:
    return ModelResponse([ToolCallPart(tool, named if arguments is None else arguments)])


def calls(*made: tuple[str, Any]) -> ModelResponse:
    return ModelResponse([ToolCallPart(name, arguments) for name, arguments in made])


def scripted(client: TestClient, settings: Settings, *steps: Step, **changes: Any) -> ScriptedModel:
    """Let a model that plays these steps answer all conversations of the application from now on."""
    script = ScriptedModel(list(steps))
    services: Services = client.app.state.services  # type: ignore[attr-defined]
    changed = settings.model_copy(update=changes)
    client.app.state.conversations = conversations_of(services, changed, script.model())  # type: ignore[attr-defined]
    return script


class Held:
    """A language model that answers when the test releases it."""

    def __init__(self) -> None:
        self.asked, self.let_go = threading.Event(), threading.Event()

    def model(self) -> FunctionModel:
        return FunctionModel(stream_function=self._stream, model_name="held")

    async def _stream(self, _messages: list[ModelMessage], _info: AgentInfo) -> Any:
        self.asked.set()
        await anyio.to_thread.run_sync(self.let_go.wait, 10)
        yield "Here I am."


def held(client: TestClient, settings: Settings) -> Held:
    script = Held()
    services: Services = client.app.state.services  # type: ignore[attr-defined]
    conversations = conversations_of(services, settings, script.model())
    client.app.state.conversations = conversations  # type: ignore[attr-defined]
    return script


def close(client: TestClient, seconds: float) -> None:
    """Close the conversations of this application, as the service does when it stops."""
    assert client.portal is not None
    conversations: Conversations = client.app.state.conversations  # type: ignore[attr-defined]
    client.portal.call(conversations.running_turns.close, seconds)
