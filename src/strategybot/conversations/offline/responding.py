"""Return the next response of a conversation: run the plan of the turn again over the tool results so far."""

import gc
from functools import cache

from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_core import to_jsonable_python

from strategybot.conversations.agent import telling
from strategybot.conversations.offline.dialogue import plan_for
from strategybot.conversations.offline.grammar import Grammar
from strategybot.conversations.offline.history import Call, Outcome, Say, Turn
from strategybot.conversations.offline.lexicon import SENTENCES, SeriesWords
from strategybot.conversations.turn.turns import OFFLINE
from strategybot.kit.json_object import Json
from strategybot.trading.language.series import SERIES


@cache
def compiled_grammar() -> Grammar:
    """Compile the tables once in a process, and exclude them from garbage collection, which would take 0.1 s."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return Grammar(SeriesWords(SERIES, {}))
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


def respond(messages: list[ModelMessage], tools: set[str], grammar: Grammar | None = None) -> ModelResponse:
    step = next_step(_turn(messages, tools, grammar or compiled_grammar()))
    if isinstance(step, Call):
        return ModelResponse([ToolCallPart(step.name, step.arguments)], model_name=OFFLINE)
    return ModelResponse([TextPart(step.text)], model_name=OFFLINE, metadata={OFFLINE: step.memory})


def _turn(messages: list[ModelMessage], tools: set[str], grammar: Grammar) -> Turn:
    start = max((number for number, message in enumerate(messages) if _prompt(message)), default=0)
    earlier, current = _responses(messages[:start]), messages[start:]
    left = next(((each.metadata or {}).get(OFFLINE) for each in reversed(earlier)), None)
    return Turn(
        text=_prompt(messages[start]) if messages else "",
        done=[_outcome(part) for each in current for part in each.parts if isinstance(part, ToolReturnPart)],
        foreign=any(each.model_name != OFFLINE and each.tool_calls for each in _responses(current)),
        memory=left if isinstance(left, dict) else {},
        tools=tools,
        grammar=grammar,
    )


def _responses(messages: list[ModelMessage]) -> list[ModelResponse]:
    return [message for message in messages if isinstance(message, ModelResponse)]


def _prompt(message: ModelMessage) -> str:
    contents = [part.content for part in message.parts if isinstance(part, UserPromptPart)]
    return " ".join(content for content in contents if isinstance(content, str))


def _outcome(part: ToolReturnPart) -> Outcome:
    call, content = Call(part.tool_name), to_jsonable_python(part.content)
    if part.outcome == "success":
        return Outcome(call, content)
    return Outcome(call, failure=content if isinstance(content, str) else "It did not work.")


def next_step(turn: Turn) -> Call | Say:
    if turn.foreign:
        return Say(_report(turn.done))
    plan = plan_for(turn)
    try:
        step = next(plan)
        for outcome in turn.done:
            if outcome.call.name != step.name:
                return Say(_report(turn.done))
            step = plan.send(outcome)
    except StopIteration as end:
        said: Say = end.value
        # A question is open for one turn, the last change and the topic until the next.
        kept: Json = {key: turn.memory[key] for key in ("last", "topic", "token", "test") if key in turn.memory}
        return Say(said.text, {**kept, **said.memory})
    return step if step.name in turn.tools else Say(SENTENCES["cannot_call"])


def _report(done: list[Outcome]) -> str:
    """Return what the tools did before another model broke off."""
    lines = [f"- {telling.reported(each.call.name, each.content, each.failure)}" for each in done]
    return "\n".join(["The other model broke off. This is what was done:", *lines])
