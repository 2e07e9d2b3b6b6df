"""The languages of the providers: what a model says, as the server-sent events in which each of them tells it.

A text or the arguments of a call come in pieces of a few letters, so that they are cut wherever it hurts. Each says
in its own words why it ended; how many tokens it took is the same for all.
"""

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Call:
    tool: str
    arguments: str
    """As the model writes them, which need not be JSON."""


@dataclass(frozen=True)
class Thought:
    text: str


Said = str | Call | Thought


def call(tool: str, **arguments: Any) -> Call:
    return Call(tool, json.dumps(arguments))


def pieces(text: str, letters: int) -> Iterator[str]:
    for start in range(0, len(text), letters):
        yield text[start : start + letters]


def openai(said: Sequence[Said], letters: int, ended: str | None = None, tokens: int = 15) -> Iterator[str]:
    """Yield the events of OpenAI's API. The pieces of several calls alternate."""
    words = [_openai_words(part, letters) for part in said if not isinstance(part, Call)]
    calls = [_openai_call(number, part, letters) for number, part in enumerate(said) if isinstance(part, Call)]
    for delta in itertools.chain(*words, _one_of_each(calls)):
        yield _openai_chunk({"delta": delta, "finish_reason": None})
    whole = "tool_calls" if any(isinstance(part, Call) for part in said) else "stop"
    yield _openai_chunk({"delta": {}, "finish_reason": ended or whole})
    usage = {"prompt_tokens": tokens - 5, "completion_tokens": 5, "total_tokens": tokens}
    yield _data({**_OPENAI, "choices": [], "usage": usage})
    yield "data: [DONE]\n\n"


_OPENAI = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1767322800, "model": "wire"}


def _openai_chunk(choice: Json) -> str:
    return _data({**_OPENAI, "choices": [{"index": 0, **choice}]})


def _openai_words(part: str | Thought, letters: int) -> Iterator[Json]:
    field, text = ("content", part) if isinstance(part, str) else ("reasoning_content", part.text)
    return ({"role": "assistant", field: piece} for piece in pieces(text, letters))


def _openai_call(number: int, call: Call, letters: int) -> Iterator[Json]:
    head = {"index": number, "id": f"call_{number}", "type": "function"}
    yield {"tool_calls": [{**head, "function": {"name": call.tool, "arguments": ""}}]}
    for piece in pieces(call.arguments, letters):
        yield {"tool_calls": [{"index": number, "function": {"arguments": piece}}]}


def _one_of_each(many: list[Iterator[Json]]) -> Iterator[Json]:
    rounds = itertools.zip_longest(*many)
    return (item for items in rounds for item in items if item is not None)


def anthropic(said: Sequence[Said], letters: int, ended: str | None = None, tokens: int = 15) -> Iterator[str]:
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "wire", "content": []}
    usage = {"input_tokens": tokens - 5, "output_tokens": 1}
    yield _event({"type": "message_start", "message": {**message, "stop_reason": None, "usage": usage}})
    yield _event({"type": "ping"})
    for number, part in enumerate(said):
        start, deltas = _anthropic_block(number, part, letters)
        yield _event({"type": "content_block_start", "index": number, "content_block": start})
        for delta in deltas:
            yield _event({"type": "content_block_delta", "index": number, "delta": delta})
        yield _event({"type": "content_block_stop", "index": number})
    whole = "tool_use" if any(isinstance(part, Call) for part in said) else "end_turn"
    delta = {"stop_reason": ended or whole, "stop_sequence": None}
    yield _event({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 5}})
    yield _event({"type": "message_stop"})


def _anthropic_block(number: int, part: Said, letters: int) -> tuple[Json, Iterator[Json]]:
    if isinstance(part, str):
        return {"type": "text", "text": ""}, ({"type": "text_delta", "text": text} for text in pieces(part, letters))
    if isinstance(part, Thought):
        start: Json = {"type": "thinking", "thinking": "", "signature": ""}
        return start, ({"type": "thinking_delta", "thinking": text} for text in pieces(part.text, letters))
    start = {"type": "tool_use", "id": f"toolu_{number}", "name": part.tool, "input": {}}
    return start, ({"type": "input_json_delta", "partial_json": text} for text in pieces(part.arguments, letters))


def google(said: Sequence[Said], letters: int, ended: str | None = None, tokens: int = 15) -> Iterator[str]:
    """Yield the events of Google's API. Calls are complete, so their arguments are always a JSON object."""
    for part in said:
        for told in _google_parts(part, letters):
            yield _google_chunk({"content": {"role": "model", "parts": [told]}}, tokens)
    last = {"content": {"role": "model", "parts": [{"text": ""}]}, "finishReason": ended or "STOP"}
    yield _google_chunk(last, tokens)


def _google_chunk(candidate: Json, tokens: int) -> str:
    usage = {"promptTokenCount": tokens - 5, "candidatesTokenCount": 5, "totalTokenCount": tokens}
    return _data({"candidates": [{**candidate, "index": 0}], "usageMetadata": usage, "modelVersion": "wire"})


def _google_parts(part: Said, letters: int) -> Iterator[Json]:
    if isinstance(part, str):
        yield from ({"text": piece} for piece in pieces(part, letters))
    elif isinstance(part, Thought):
        yield from ({"text": piece, "thought": True} for piece in pieces(part.text, letters))
    else:
        yield {"functionCall": {"name": part.tool, "args": json.loads(part.arguments)}}


def _data(value: Json) -> str:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n"


def _event(value: Json) -> str:
    return f"event: {value['type']}\n{_data(value)}"


Dialect = Callable[..., Iterator[str]]
DIALECTS: dict[str, Dialect] = {"openai": openai, "anthropic": anthropic, "google": google}


def error_body(dialect: str, status: int, message: str) -> Json:
    """Return the body of an error response of the provider."""
    if dialect == "openai":
        return {"error": {"message": message, "type": "error", "param": None, "code": None}}
    if dialect == "anthropic":
        return {"type": "error", "error": {"type": _ANTHROPIC_ERRORS.get(status, "api_error"), "message": message}}
    return {"error": {"code": status, "message": message, "status": _GOOGLE_ERRORS.get(status, "INTERNAL")}}


_ANTHROPIC_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}
_GOOGLE_ERRORS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
}
