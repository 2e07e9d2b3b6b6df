"""The context of a language model: what is sent of a conversation fits, and if nothing can, both numbers are told."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.usage import RequestUsage

from strategybot.app import Services, conversations_of
from strategybot.conversations.agent.context import InContext, fit
from strategybot.conversations.agent.limits import TokenMeter, TurnLimits
from strategybot.settings import Settings
from tests.conversations.talking import Headers, ScriptedModel, begin, said, text
from tests.engines import on_sqlite_alone

pytestmark = on_sqlite_alone

LARGE = {"rows": [{"id": number, "text": "x" * 100} for number in range(40)]}


def turn(number: int, *results: Any, answer: str | None = "Done.") -> list[ModelMessage]:
    messages: list[ModelMessage] = [ModelRequest([UserPromptPart(f"question {number}")])]
    for place, result in enumerate(results):
        call_id = f"call_{number}_{place}"
        messages.append(ModelResponse([ThinkingPart("hm"), ToolCallPart("list_bots", "{}", tool_call_id=call_id)]))
        messages.append(ModelRequest([ToolReturnPart("list_bots", result, tool_call_id=call_id)]))
    return [*messages, ModelResponse([TextPart(answer)])] if answer else messages


def contents(messages: list[ModelMessage]) -> list[Any]:
    return [part.content for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]


def prompts(messages: list[ModelMessage]) -> list[Any]:
    return [part.content for message in messages for part in message.parts if isinstance(part, UserPromptPart)]


TALK = [*turn(1, LARGE), *turn(2, LARGE), *turn(3, LARGE, LARGE, answer=None)]


@pytest.mark.parametrize(
    ("room", "whole", "asked"),
    [
        (100_000, [True, True, True, True], [1, 2, 3]),
        (4_500, [False, True, True, True], [1, 2, 3]),
        (3_500, [False, False, True, True], [1, 2, 3]),
        (1_900, [False, False, False, True], [1, 2, 3]),
        (1_600, [False, True], [3]),
        (1_400, [False, False], [3]),
        (600, [False, False], [3]),
    ],
)
def test_older_results_become_lines_first_then_older_turns_go(room: int, whole: list[bool], asked: list[int]) -> None:
    messages, counted = fit(TALK, room)
    assert counted <= room
    assert prompts(messages) == [f"question {number}" for number in asked]
    assert [content == LARGE for content in contents(messages)] == whole
    calls = [part.tool_call_id for each in messages for part in each.parts if isinstance(part, ToolCallPart)]
    returns = [part.tool_call_id for each in messages for part in each.parts if isinstance(part, ToolReturnPart)]
    assert calls == returns


def test_thoughts_of_earlier_turns_are_not_sent_and_those_of_this_turn_are() -> None:
    messages, _ = fit(TALK, 100_000)
    thoughts = [part for message in messages for part in message.parts if isinstance(part, ThinkingPart)]
    assert len(thoughts) == 2


def test_the_history_itself_is_not_changed() -> None:
    fit(TALK, 500)
    assert contents(TALK) == [LARGE] * 4


def test_a_message_that_the_context_cannot_hold_is_answered_with_both_numbers(
    client: TestClient, services: Services, settings: Settings, user: Headers
) -> None:
    script = ScriptedModel([text("Hello.")])
    model = InContext(script.model(), tokens=2_000)
    client.app.state.conversations = conversations_of(services, settings, model)  # type: ignore[attr-defined]
    content = said(client, user, begin(client, user), "hello")
    assert content.startswith(
        "The language model's context is too small for this message: with the tools it needs about "
    )
    assert content.endswith(" tokens, and 2,000 are set (STRATEGYBOT_CONTEXT_TOKENS).")
    assert script.heard == []


def test_only_new_tokens_count() -> None:
    meter = TokenMeter()
    for sent, answered in ((5_000, 100), (6_000, 100), (6_500, 50), (3_000, 10)):
        meter.add(RequestUsage(input_tokens=sent, output_tokens=answered))
    assert meter.used == 6_500 + 260


def test_the_limits_of_a_turn_are_those_of_the_settings(settings: Settings) -> None:
    assert (settings.turn_seconds, settings.turn_tokens, settings.context_tokens) == (300, 100_000, 16_000)
    assert TurnLimits(settings.turn_seconds, settings.turn_tokens) == TurnLimits(300, 100_000, 24, 120, 10)
