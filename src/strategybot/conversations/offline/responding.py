"""Return the next response of a conversation: run the plan of the turn again over the tool results so far."""

import gc
from functools import cache

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart

from strategybot.conversations.agent import telling
from strategybot.conversations.offline.dialogue import plan_for
from strategybot.conversations.offline.grammar import Grammar
from strategybot.conversations.offline.history import Call, Outcome, Say, Turn, turn_of
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
    step = next_step(turn_of(messages, tools, grammar or compiled_grammar()))
    if isinstance(step, Call):
        return ModelResponse([ToolCallPart(step.name, step.arguments)], model_name=OFFLINE)
    return ModelResponse([TextPart(step.text)], model_name=OFFLINE, metadata={OFFLINE: step.memory})


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
    if not done:
        return "The other model broke off before it did anything. What should I do?"
    lines = [f"- {telling.reported(each.call.name, each.content, each.failure)}" for each in done]
    return "\n".join(["The other model broke off. This is what was done:", *lines])
