"""`strategybot mcp --url`: forwards MCP from standard input and output to a server, without importing the service.

Each message is a request of its own, so a server may restart in between. Whatever goes wrong is answered as an error of
JSON-RPC in one sentence.
"""

import json
import os
import sys
from collections.abc import AsyncIterator
from io import TextIOWrapper
from typing import Any

import anyio
import httpx2
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    NAME_BEARING_METHODS,
    encode_header_value,
)

SECONDS_TO_ANSWER = 90  # a tool may wait a minute for a backtest
SECONDS_FOR_A_RESTART = 3
SECONDS_BETWEEN_TRIES = 0.25
INTERNAL_ERROR, PARSE_ERROR = -32603, -32700
PROTOCOL_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
REFUSALS = {
    401: "The server at {url} refuses the token in STRATEGYBOT_TOKEN. Make a new one on its account page.",
    403: "The server at {url} does not allow this.",
    404: "There is no MCP server at {url}.",
    429: "The server at {url} is asked too often. Please try again in a moment.",
    503: "The server at {url} is starting or stopping. Please try again in a moment.",
}
PROBLEMS = {
    httpx2.TimeoutException: f"The server at {{url}} has not answered in {SECONDS_TO_ANSWER} seconds.",
    httpx2.ConnectError: "The server at {url} cannot be reached. Is it running?",
    httpx2.HTTPError: "The connection to the server at {url} broke. Please try again.",
}
NOT_PASSED_ON = "This message, or its answer from the server at {url}, cannot be passed on."
Message = dict[str, Any]


def serve_remote(url: str) -> None:
    """Forward every message to the server at this URL, with the token in STRATEGYBOT_TOKEN."""
    address = f"{url.rstrip('/').removesuffix('/mcp')}/mcp"
    tools = os.environ.get("STRATEGYBOT_MCP_TOOLS")
    anyio.run(_Proxy(f"{address}?tools={tools}" if tools else address, os.environ["STRATEGYBOT_TOKEN"]).run)


class _Proxy:
    def __init__(self, url: str, token: str) -> None:
        self._url, self._token = url, token
        self._version: str | None = None
        self._under_way: dict[Any, anyio.CancelScope] = {}
        self._writing = anyio.Lock()

    async def run(self) -> None:
        """Forward messages until the input ends."""
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json, text/event-stream"}
        self._client = httpx2.AsyncClient(headers=headers, timeout=SECONDS_TO_ANSWER)
        lines = anyio.wrap_file(TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace"))
        async with self._client, anyio.create_task_group() as tasks:
            async for line in lines:
                if line.strip():
                    tasks.start_soon(self._forward, line)
            tasks.cancel_scope.cancel()

    async def _forward(self, line: str) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            await self._refuse(None, "The message is no JSON.", PARSE_ERROR)
            return
        if not _is_message(message):
            await self._refuse(None, "This is no message of JSON-RPC 2.0.", PARSE_ERROR)
            return
        self._notice(message)
        with anyio.CancelScope() as scope:
            self._under_way[message.get("id")] = scope
            try:
                await self._answer(message)
            finally:
                self._under_way.pop(message.get("id"), None)

    def _notice(self, message: Message) -> None:
        """End the answer to a call that the client takes back: the server then stops its work."""
        if message.get("method") == "notifications/cancelled":
            request_id = (message.get("params") or {}).get("requestId")
            if isinstance(request_id, str | int) and request_id in self._under_way:
                self._under_way[request_id].cancel()

    async def _answer(self, message: Message) -> None:
        is_request = "id" in message and "method" in message
        try:
            async for answer in self._ask(message):
                await self._tell(answer)
                is_request = is_request and not _answers(answer, message)
            problem = f"The server at {self._url} ended its answer too early. Please try again."
        except Exception as error:  # noqa: BLE001  whatever is wrong with one message, the others are served
            problem = self._words(error)
        if is_request:
            await self._refuse(message["id"], problem)

    def _words(self, error: Exception) -> str:
        found = next((words for kind, words in PROBLEMS.items() if isinstance(error, kind)), NOT_PASSED_ON)
        return (str(error) if isinstance(error, _Refused) else found).replace("{url}", self._url)

    async def _ask(self, message: Message) -> AsyncIterator[Message]:
        """Yield what the server answers. A server that is being restarted is asked again for a few seconds."""
        deadline = anyio.current_time() + SECONDS_FOR_A_RESTART
        while True:
            try:
                async with self._client.stream("POST", self._url, json=message, headers=self._headers(message)) as got:
                    async for answer in self._read(got):
                        self._remember(answer)
                        yield answer
                return
            except httpx2.ConnectError:  # nothing was sent yet
                if anyio.current_time() >= deadline:
                    raise
                await anyio.sleep(SECONDS_BETWEEN_TRIES)

    async def _read(self, response: httpx2.Response) -> AsyncIterator[Message]:
        kind = response.headers.get("content-type", "")
        if kind.startswith("text/event-stream"):
            async for line in response.aiter_lines():
                if line.startswith("data:") and line[5:].strip():
                    yield json.loads(line[5:])
            return
        body = await response.aread()
        if response.status_code == 202 or (not body and response.status_code < 300):
            return
        found = _parse(body)
        if found.get("jsonrpc") == "2.0":
            yield found
            return
        words = REFUSALS.get(
            response.status_code, found.get("detail") or "The server at {url} did not answer as MCP does."
        )
        raise _Refused(str(words))

    def _headers(self, message: Message) -> dict[str, str]:
        """Return the headers that a server reads instead of the message."""
        params = message.get("params") or {}
        version = (params.get("_meta") or {}).get(PROTOCOL_VERSION_KEY)
        if version is None:
            return {MCP_PROTOCOL_VERSION_HEADER: self._version} if self._version else {}
        headers = {MCP_PROTOCOL_VERSION_HEADER: str(version), MCP_METHOD_HEADER: str(message.get("method"))}
        name = params.get(NAME_BEARING_METHODS.get(str(message.get("method")), ""))
        return {**headers, MCP_NAME_HEADER: encode_header_value(name)} if isinstance(name, str) else headers

    def _remember(self, answer: Message) -> None:
        """Keep the version that an older client and the server have agreed on."""
        result = answer.get("result")
        if isinstance(result, dict) and "protocolVersion" in result:
            self._version = str(result["protocolVersion"])

    async def _refuse(self, message_id: Any, sentence: str, code: int = INTERNAL_ERROR) -> None:
        await self._tell({"jsonrpc": "2.0", "id": message_id, "error": {"code": code, "message": sentence}})

    async def _tell(self, message: Message) -> None:
        async with self._writing:
            sys.stdout.write(json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n")
            sys.stdout.flush()


def _is_message(found: Any) -> bool:
    return (
        isinstance(found, dict)
        and isinstance(found.get("id"), str | int | None)
        and isinstance(found.get("params"), dict | None)
    )


class _Refused(Exception):
    """The server answered, but not with a message."""


def _answers(answer: Message, message: Message) -> bool:
    return answer.get("id") == message.get("id") and "method" not in answer


def _parse(body: bytes) -> Message:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
