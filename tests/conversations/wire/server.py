"""A language model on a loopback port, in the languages of OpenAI, Anthropic and Google. It plays a script.

It answers, refuses, talks nonsense, breaks off, falls silent or never stops: one act a request, the last one for ever.
"""

import itertools
import json
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from tests.conversations.wire.dialects import DIALECTS, Said, error_body

Json = dict[str, Any]


@dataclass(frozen=True)
class Request:
    """A request as the server received it."""

    path: str
    headers: dict[str, str]
    text: str

    @property
    def body(self) -> Json:
        body: Json = json.loads(self.text)
        return body

    @property
    def tokens(self) -> int:
        """Count four characters of compact JSON as a token."""
        return len(json.dumps(self.body, ensure_ascii=False, separators=(",", ":"))) // 4


@dataclass(frozen=True)
class Answers:
    said: Sequence[Said]
    letters: int = 1000
    octets: int = 100_000
    """How many go into one piece of the HTTP body: a few cut through characters, lines and events."""
    events: int | None = None
    """Only so many of the events are told."""
    then: str = "end"
    """`end` as it should, `cut` the connection, or fall `silent`."""
    ended: str | None = None
    """Why, in the provider's word; because all is said, by default."""
    tokens: int | None = 15
    """How many it says that it has used; None counts those of the request."""
    seconds: float = 0.0
    """How long it thinks before the first of the events."""


@dataclass(frozen=True)
class Refuses:
    status: int
    message: str = "no"
    headers: tuple[tuple[str, str], ...] = (("retry-after-ms", "1"),)


@dataclass(frozen=True)
class Sends:
    """Sends any body."""

    body: bytes
    content_type: str = "text/event-stream"
    content_encoding: str = "identity"


@dataclass(frozen=True)
class Repeats:
    """Sends the events of an answer, then repeats the last one before its end for ever."""

    said: Sequence[Said]
    skipped: int
    seconds: float = 0.0


@dataclass(frozen=True)
class Endless:
    """Sends the same bytes for ever."""

    piece: bytes


class Silence:
    """Accepts the request and never answers."""


class HangsUp:
    """Accepts the request and closes the connection."""


TOO_LONG = (
    "This model's maximum context length is {most}: prompt is too long, the input token count ({sent}) exceeds it."
)
Act = Answers | Refuses | Sends | Repeats | Endless | Silence | HangsUp


def answers(*said: Said, **how: Any) -> Answers:
    return Answers(said, **how)


@dataclass
class WireServer:
    acts: list[Act] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    context: int | None = None
    """Requests with more tokens are refused."""

    def __enter__(self) -> Self:
        self.closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _handler_of(self))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def plays(self, *acts: Act, context: int | None = None) -> None:
        self.acts, self.requests, self.context = list(acts), [], context

    def next_act(self, request: Request) -> Act:
        if self.context is not None and request.tokens > self.context:
            self.requests.append(request)
            return Refuses(400, TOO_LONG.format(sent=request.tokens, most=self.context))
        self.requests.append(request)
        act = self.acts[min(len(self.requests), len(self.acts)) - 1]
        return replace(act, tokens=request.tokens + 5) if isinstance(act, Answers) and act.tokens is None else act


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing when a client disconnects."""


def _handler_of(wire: WireServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers["content-length"])).decode()
            headers = {name.lower(): value for name, value in self.headers.items()}
            act = wire.next_act(Request(self.path, headers, text))
            _Conversation(self, _dialect(self.path), wire.closing).play(act)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  its name in the base class
            """Log nothing."""

    return Handler


def _dialect(path: str) -> str:
    if path.startswith("/v1/messages"):
        return "anthropic"
    return "openai" if path == "/v1/chat/completions" else "google"


class _Conversation:
    def __init__(self, handler: BaseHTTPRequestHandler, dialect: str, closing: threading.Event) -> None:
        self._handler, self._dialect, self._closing = handler, dialect, closing

    def play(self, act: Act) -> None:
        ways: dict[type[Any], Callable[[Any], None]] = {
            Answers: self._answer,
            Refuses: self._refuse,
            Sends: self._send,
            Repeats: self._repeat,
            Endless: self._send_for_ever,
            Silence: self._be_silent,
            HangsUp: self._hang_up,
        }
        ways[type(act)](act)

    def _answer(self, act: Answers) -> None:
        self._closing.wait(act.seconds)
        events = list(DIALECTS[self._dialect](act.said, act.letters, act.ended, act.tokens))[: act.events]
        self._begin("text/event-stream")
        body = "".join(events).encode()
        self._tell(body[start : start + act.octets] for start in range(0, len(body), act.octets))
        if act.then == "silent":
            self._be_silent(act)
        elif act.then == "cut":
            self._hang_up(act)
        else:
            self._handler.wfile.write(b"0\r\n\r\n")

    def _refuse(self, act: Refuses) -> None:
        body = json.dumps(error_body(self._dialect, act.status, act.message)).encode()
        self._whole(act.status, "application/json", body, act.headers)

    def _send(self, act: Sends) -> None:
        self._whole(200, act.content_type, act.body, (("Content-Encoding", act.content_encoding),))

    def _repeat(self, act: Repeats) -> None:
        events = list(DIALECTS[self._dialect](act.said, 1000))
        told = events[: len(events) - act.skipped]
        self._begin("text/event-stream")
        self._tell(event.encode() for event in self._for_ever(told, act.seconds))

    def _for_ever(self, events: list[str], seconds: float) -> Iterator[str]:
        yield from events
        while not self._closing.wait(seconds):
            yield events[-1]

    def _send_for_ever(self, act: Endless) -> None:
        self._begin("text/event-stream")
        self._tell(itertools.takewhile(lambda _: not self._closing.is_set(), itertools.repeat(act.piece)))

    def _be_silent(self, _act: Act) -> None:
        self._handler.wfile.flush()
        self._closing.wait(60)
        self._handler.close_connection = True

    def _hang_up(self, _act: Act) -> None:
        self._handler.wfile.flush()
        self._handler.close_connection = True
        self._handler.connection.shutdown(socket.SHUT_RDWR)

    def _begin(self, content_type: str) -> None:
        self._head(200, (("content-type", content_type), ("transfer-encoding", "chunked")))

    def _tell(self, parts: Iterable[bytes]) -> None:
        for part in parts:
            self._handler.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))

    def _whole(self, status: int, content_type: str, body: bytes, headers: Iterable[tuple[str, str]] = ()) -> None:
        self._head(status, (("content-type", content_type), ("content-length", str(len(body))), *headers))
        self._handler.wfile.write(body)

    def _head(self, status: int, headers: Iterable[tuple[str, str]]) -> None:
        """Send the head of a response. Each connection is for one request, so that none stays open after a test."""
        self._handler.send_response(status)
        for name, value in (("connection", "close"), *headers):
            self._handler.send_header(name, value)
        self._handler.end_headers()
