"""Checks a response of a language model before its calls are made: only a complete response acts.

Providers say why a response ended. Few of their reasons mean that it is complete. A limit, a filter, a refusal, a pause
or no reason mean that it was cut off; then none of its calls is made.
"""

import json
from dataclasses import dataclass, replace

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ModelAPIError, UsageLimitExceeded
from pydantic_ai.messages import INVALID_JSON_KEY, ModelResponse, ModelResponsePart, TextPart, ToolCallPart
from pydantic_ai.models import ModelRequestContext
from typing_extensions import override

from strategybot.conversations.agent.thoughts import without_thoughts
from strategybot.conversations.agent.toolset import TurnContext
from strategybot.conversations.turn.calls import Asked

FINISHED = {"stop", "tool_call"}
NOTHING = "…"  # in place of a text that was a thought only: no provider takes an empty one
# Of servers with an API like OpenAI's. The library only knows the names that the vendors use.
FINISHED_ELSEWHERE = {"end_turn", "eos", "eos_token", "stop_sequence", "tool_calls", "tool_use"}


DID_NOT_ANSWER = "The language model did not answer as it should. Please try again in a moment."
SENTENCES: dict[str | None, str] = {
    "length": "The answer broke off: it became longer than the language model may write. Please ask for less at once.",
    "content_filter": "The answer broke off: the language model refused to continue. Please ask in other words.",
}


class BrokenOff(ModelAPIError):
    """The response ended before it was complete."""

    def __init__(self, response: ModelResponse) -> None:
        super().__init__(response.model_name or "", "The response ended in the middle.")
        self.sentence = SENTENCES.get(response.finish_reason, DID_NOT_ANSWER)


@dataclass
class ResponseCheck(AbstractCapability[TurnContext]):
    @override
    async def after_model_request(
        self, ctx: RunContext[TurnContext], *, request_context: ModelRequestContext, response: ModelResponse
    ) -> ModelResponse:
        if not is_whole(response):
            raise BrokenOff(response)
        response = replace(response, parts=[_readable(part) for part in response.parts])
        calls = response.tool_calls
        ctx.deps.calls.note([Asked(call.tool_call_id, call.tool_name, call.args_as_dict()) for call in calls])
        ctx.deps.meter.add(response.usage)
        if calls and ctx.deps.meter.used > ctx.deps.limits.tokens:  # an answer without calls is complete and stays
            raise UsageLimitExceeded("The turn has used up its tokens.")
        return response


def is_whole(response: ModelResponse) -> bool:
    if response.provider_name is None:  # not from a provider, but from the offline model
        return True
    if response.finish_reason is not None:
        return response.finish_reason in FINISHED
    return (response.provider_details or {}).get("finish_reason") in FINISHED_ELSEWHERE


def _readable(part: ModelResponsePart) -> ModelResponsePart:
    """Return a text without its thoughts, and a call with arguments that JSON can hold.

    Others, such as NaN, are replaced by a text. The call is then refused, and the history stays valid.
    """
    if isinstance(part, TextPart):
        return replace(part, content=without_thoughts(part.content) or NOTHING)
    if not isinstance(part, ToolCallPart):
        return part
    try:
        json.dumps(part.args_as_dict(), allow_nan=False)
    except (ValueError, RecursionError):
        return replace(part, args=json.dumps({INVALID_JSON_KEY: str(part.args)}))
    return part
