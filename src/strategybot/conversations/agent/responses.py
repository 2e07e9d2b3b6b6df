"""Checks a response of a language model before its calls are made: only a complete response acts.

Providers say why a response ended. Few of their reasons mean that it is complete. A limit, a filter, a refusal, a pause
or no reason mean that it was cut off; then none of its calls is made.
"""

import json
from dataclasses import dataclass, replace

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ModelAPIError, UsageLimitExceeded
from pydantic_ai.messages import INVALID_JSON_KEY, ModelResponse, ModelResponsePart, ToolCallPart
from pydantic_ai.models import ModelRequestContext
from typing_extensions import override

from strategybot.conversations.agent.toolset import TurnContext
from strategybot.conversations.turn.calls import Asked

MOST_TOKENS = 60_000
FINISHED = {"stop", "tool_call"}
# Of servers with an API like OpenAI's. The library only knows the names that the vendors use.
FINISHED_ELSEWHERE = {"end_turn", "eos", "eos_token", "stop_sequence", "tool_calls", "tool_use"}


class BrokenOff(ModelAPIError):
    """The response ended before it was complete; `reason` is one of the library's, or None."""

    def __init__(self, response: ModelResponse) -> None:
        super().__init__(response.model_name or "", "The response ended in the middle.")
        self.reason = response.finish_reason


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
        if calls and ctx.usage.total_tokens > MOST_TOKENS:  # an answer without calls is complete and stays
            raise UsageLimitExceeded("The turn has used up its tokens.")
        return response


def is_whole(response: ModelResponse) -> bool:
    if response.provider_name is None:  # not from a provider, but from the offline model
        return True
    if response.finish_reason is not None:
        return response.finish_reason in FINISHED
    return (response.provider_details or {}).get("finish_reason") in FINISHED_ELSEWHERE


def _readable(part: ModelResponsePart) -> ModelResponsePart:
    """Replace arguments that JSON cannot hold, such as NaN, by a text. The call is refused, the history stays valid."""
    if not isinstance(part, ToolCallPart):
        return part
    try:
        json.dumps(part.args_as_dict(), allow_nan=False)
    except (ValueError, RecursionError):
        return replace(part, args=json.dumps({INVALID_JSON_KEY: str(part.args)}))
    return part
