"""One client must not affect another: floods, slow and silent clients, over real sockets."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from strategybot.kit.descriptors import RESERVE, connections_within
from strategybot.kit.http.connections import MIB, ConnectionLimits, client_of, is_remote
from strategybot.kit.http.middleware import SECURITY_HEADERS
from tests.kit.listening import LARGE, Listening, listening, parsed

HALF_SENT = b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "
WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
QUICK: dict[str, Any] = {"seconds_between_checks": 0.05, "linger_seconds": 0.2}
MUCH = 64 * 1024 * 1024


@pytest.fixture(scope="module")
def server() -> Iterator[Listening]:
    """A server with the limits of production."""
    with listening(ConnectionLimits(seconds_between_checks=0.05)) as server:
        yield server


ENDLESS = {
    "header lines": (b"GET / HTTP/1.1\r\n", b"X-A: " + b"a" * 1000 + b"\r\n"),
    "one header's value": (b"GET / HTTP/1.1\r\nX-A: ", b"a" * 1000),
    "one header's name": (b"GET / HTTP/1.1\r\n", b"a" * 1000),
    "the address": (b"GET /", b"a" * 1000),
    "trailers": (
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n",
        b"X-A: " + b"a" * 1000 + b"\r\n",
    ),
    "one trailer's value": (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-A: ", b"a" * 1000),
    "a chunk's extension": (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"a" * 1000),
}


@pytest.mark.parametrize(("begin", "endless"), ENDLESS.values(), ids=ENDLESS)
@pytest.mark.parametrize("pieces", [1, 200])
def test_endless_headers_are_refused_while_they_arrive(
    server: Listening, begin: bytes, endless: bytes, pieces: int
) -> None:
    with server.connect() as client:
        client.send(begin)
        sent = client.send_until_refused(endless * pieces, MUCH)
        status, headers, body = client.answer()
        assert sent < MUCH
        assert (status, list(body)) == (431, ["detail"])
        assert headers["connection"] == "close"


def test_headers_of_sixty_thousand_bytes_are_accepted(server: Listening) -> None:
    with server.connect() as client:
        client.send(b"GET / HTTP/1.1\r\nConnection: close\r\n" + b"X-A: %s\r\n" % (b"a" * 993) * 60 + b"\r\n")
        assert client.answer()[0] == 200


def test_headers_are_counted_separately_for_each_request(server: Listening) -> None:
    request = b"GET / HTTP/1.1\r\nX-A: %s\r\n\r\n" % (b"a" * 40_000)
    with server.connect() as client:
        for _ in range(3):
            client.send(request)
            assert client.read_once().startswith(b"HTTP/1.1 200")


WEBSOCKET = b"""GET /ws HTTP/1.1\r
Host: x\r
Connection: Upgrade\r
Upgrade: websocket\r
Sec-WebSocket-Version: 13\r
Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
\r
"""
REFUSED = {
    "no HTTP": (b"\x16\x03\x01 hello\r\n\r\n", 400),
    "a bad address": (b"GET http:// HTTP/1.1\r\n\r\n", 400),
    "an address that is no ASCII": ("GET /ü HTTP/1.1\r\n\r\n".encode(), 400),
    "two lengths": (b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    "a bad chunk": (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
    "a tunnel": (b"CONNECT example.com:443 HTTP/1.1\r\n\r\n", 400),
    "too many at once": (WHOLE * 100, 400),
    "large headers": (b"GET / HTTP/1.1\r\nX-A: %s\r\n\r\n" % (b"a" * 70_000), 431),
    "a websocket": (WEBSOCKET, 404),
}


@pytest.mark.parametrize(("request_bytes", "status"), REFUSED.values(), ids=REFUSED)
def test_every_refusal_of_the_server_is_json_with_all_headers(
    server: Listening, request_bytes: bytes, status: int
) -> None:
    with server.connect() as client:
        client.send(request_bytes)
        if status == 404:  # the connection stays open
            answer = parsed(client.read_once())
        elif request_bytes.startswith(WHOLE):
            assert client.is_closed(5)  # a response here would be read as that to the first request
            return
        else:
            answer = client.answer()
    assert (answer[0], list(answer[2])) == (status, ["detail"])
    assert {name.lower(): value for name, value in SECURITY_HEADERS.items()}.items() <= answer[1].items()
    assert answer[1]["x-request-id"]
    assert answer[1]["content-type"] == "application/json"


def test_pipelined_requests_are_answered_in_order(server: Listening) -> None:
    with server.connect() as client:
        client.send(WHOLE * 10 + b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
        assert client.rest().count(b"HTTP/1.1 200") == 11


def test_a_half_sent_request_is_refused_and_a_silent_client_disconnected_in_time() -> None:
    with listening(ConnectionLimits(head_seconds=0.3, **QUICK)) as server:
        with server.connect() as slow, server.connect() as silent:
            slow.send(HALF_SENT)
            assert silent.is_closed(2)
            status, _, body = slow.answer()
            assert (status, body) == (408, {"detail": "The request headers did not arrive in time."})
        with server.connect() as dripping:
            began = time.monotonic()
            dripping.send(HALF_SENT)
            while time.monotonic() < began + 0.25:
                dripping.send(b"a")
                time.sleep(0.02)
            assert dripping.answer()[0] == 408
            assert time.monotonic() < began + 1.5
        server.wait_for(0)


def test_an_idle_connection_is_closed_in_time() -> None:
    with listening(ConnectionLimits(idle_seconds=0.3, **QUICK)) as server, server.connect() as client:
        client.send(WHOLE)
        assert client.read_once().startswith(b"HTTP/1.1 200")
        client.send(WHOLE)
        assert client.read_once().startswith(b"HTTP/1.1 200")
        began = time.monotonic()
        client.rest()  # the body may come after the head
        assert time.monotonic() - began < 2


def test_a_blank_line_does_not_keep_an_idle_connection_open() -> None:
    with listening(ConnectionLimits(idle_seconds=0.2, head_seconds=0.3, **QUICK)) as server, server.connect() as client:
        client.send(WHOLE)
        client.read_once()
        client.send(b"\r\n")
        assert client.rest() is not None
        server.wait_for(0)


@pytest.mark.parametrize("framing", [b"Content-Length: 100000", b"Transfer-Encoding: chunked"])
def test_a_body_has_a_deadline_that_grows_with_its_size(framing: bytes) -> None:
    with listening(ConnectionLimits(**QUICK), body_seconds=0.3) as server, server.connect() as client:
        client.send(b"POST / HTTP/1.1\r\n%s\r\n\r\n" % framing)
        status, _, body = client.answer()
        assert (status, body) == (408, {"detail": "The request body did not arrive in time."})


def test_a_client_that_disconnects_within_a_body_gets_no_response(server: Listening) -> None:
    with server.connect() as client:
        client.send(b"POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\nabc")
        time.sleep(0.05)
    assert server.is_well()


def test_a_connection_whose_response_is_never_read_is_aborted() -> None:
    limits = ConnectionLimits(write_seconds=0.2, slowest_bytes_a_second=MUCH, **QUICK)
    with listening(limits) as server, server.connect(receive_buffer=4096) as client:
        client.send(b"GET /large HTTP/1.1\r\n\r\n")
        server.wait_for(1)
        server.wait_for(0)
        assert len(client.rest()) < LARGE


def test_an_unread_response_on_a_closing_connection_is_aborted_too() -> None:
    limits = ConnectionLimits(write_seconds=0.2, slowest_bytes_a_second=MUCH, **QUICK)
    with listening(limits) as server, server.connect(receive_buffer=4096) as client:
        client.send(b"GET /large HTTP/1.1\r\nConnection: close\r\n\r\n")
        server.wait_for(1)
        server.wait_for(0)


def test_unread_responses_together_stay_within_a_memory_limit() -> None:
    limits = ConnectionLimits(unsent_bytes=2 * LARGE, **QUICK)
    with listening(limits) as server, ExitStack() as stack:
        victim = stack.enter_context(server.connect(receive_buffer=4096, source="127.0.0.2"))
        victim.send(b"GET /large HTTP/1.1\r\nConnection: close\r\n\r\n")
        for _ in range(12):
            client = stack.enter_context(server.connect(receive_buffer=4096))
            client.send(b"GET /large HTTP/1.1\r\n\r\n")
        server.wait_for(2)
        assert len(victim.rest()) > LARGE, "the client that holds least keeps its answer"


def test_a_stream_that_is_read_has_no_deadline() -> None:
    limits = ConnectionLimits(head_seconds=0.2, idle_seconds=0.2, write_seconds=0.2, connections=2, **QUICK)
    with listening(limits) as server, server.connect() as client:
        client.send(b"GET /stream?parts=12&seconds=0.1 HTTP/1.1\r\nConnection: close\r\n\r\n")
        client.read_once()
        for _ in range(5):
            assert server.is_well("127.0.0.2")
        assert b"11\n" in client.rest()


def test_the_connection_that_waited_longest_is_closed_for_a_new_one() -> None:
    with listening(ConnectionLimits(connections=20, **QUICK)) as server, ExitStack() as stack:
        others = [stack.enter_context(server.connect(source=f"127.0.0.{2 + n // 5}")) for n in range(20)]
        for client in others:
            client.send(HALF_SENT)
        server.wait_for(20)
        assert server.is_well()
        assert others[0].is_closed(1)
        others[1].send(b"\r\n\r\n")
        assert others[1].read_once().startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(("proxies", "most"), [((), 10), (("127.0.0.0/8",), 20)])
def test_one_client_may_hold_half_of_all_connections_and_a_proxy_all(proxies: tuple[str, ...], most: int) -> None:
    with listening(ConnectionLimits(connections=20, **QUICK), proxies=proxies) as server, ExitStack() as stack:
        for _ in range(40):
            stack.enter_context(server.connect()).send(HALF_SENT)
        server.wait_for(most)
        assert server.is_well("127.0.0.2")


def test_a_connection_that_is_being_answered_is_not_closed_for_another() -> None:
    with listening(ConnectionLimits(connections=4, **QUICK)) as server, ExitStack() as stack:
        busy = [stack.enter_context(server.connect()) for _ in range(2)]
        for client in busy:
            client.send(b"GET /stream?parts=5&seconds=0.1 HTTP/1.1\r\nConnection: close\r\n\r\n")
            client.read_once()
        with server.connect() as refused:
            status, headers, body = refused.answer()
        assert (status, headers["retry-after"], list(body)) == (503, "1", ["detail"])
        assert all(b"4\n" in client.rest() for client in busy)
        assert server.is_well()


@pytest.mark.parametrize(
    ("descriptors", "wanted", "allowed"),
    [
        (-1, 1000, 1000),
        (20_000, 1000, 1000),
        (1024, 1000, 1024 - RESERVE),
        (64, 1000, 32),
        (1, 5, 1),
        (20_000, 9000, 9000),
    ],
)
def test_connections_leave_a_reserve_of_descriptors(descriptors: int, wanted: int, allowed: int) -> None:
    assert connections_within(descriptors, wanted) == allowed


@pytest.mark.parametrize(
    ("host", "client"),
    [
        ("203.0.113.5", "203.0.113.5"),
        ("::ffff:203.0.113.5", "203.0.113.5"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("testclient", "testclient"),
        (None, "unknown"),
    ],
)
def test_a_client_is_an_ipv4_address_or_an_ipv6_network(host: str | None, client: str) -> None:
    assert client_of(host) == client


@pytest.mark.parametrize("path", ["/large", "/stream?parts=2000000&seconds=0"])
def test_a_client_that_sends_requests_and_reads_no_answer_leaves_no_traceback(
    path: str, caplog: pytest.LogCaptureFixture
) -> None:
    limits = ConnectionLimits(write_seconds=0.2, slowest_bytes_a_second=10**9, **QUICK)
    with caplog.at_level("INFO"), listening(limits) as server:
        with server.connect(receive_buffer=4096) as client:
            client.send(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode() * 4)
            server.wait_for(0) if path == "/large" else time.sleep(0.5)
        server.wait_for(0)
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []
    answered = [record for record in caplog.records if record.message == "request"]
    assert len(answered) < 4, "nothing is done for a client that has left"


def announced(length: int, more: bytes = b"") -> bytes:
    return b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n%s\r\n" % (length, more)


@pytest.mark.parametrize(
    ("request_bytes", "sent"),
    [
        (announced(2 * MIB), b""),
        (announced(2 * MIB, b"Expect: 100-continue\r\n"), b""),
        (announced(10**15), b"x" * 1000),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", b"100001\r\n" + b"x" * (MIB + 1)),
    ],
)
def test_a_body_that_is_too_large_is_refused_at_once(server: Listening, request_bytes: bytes, sent: bytes) -> None:
    with server.connect() as client:
        began = time.monotonic()
        client.send(request_bytes + sent)
        status, headers, body = client.answer()
        assert (status, body) == (413, {"detail": "The request body is larger than 1 MiB."})
        assert headers["connection"] == "close"
        assert time.monotonic() - began < 1
    assert server.is_well()


def test_a_client_that_sends_all_of_a_large_body_reads_the_refusal(server: Listening) -> None:
    with server.connect() as client:
        client.send(announced(20 * MIB))
        for _ in range(20):
            client.send(b"x" * MIB)
        assert client.answer()[0] == 413


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", False),
        ("127.9.9.9", False),
        ("::1", False),
        ("::ffff:127.0.0.1", False),
        ("testclient", False),
        ("203.0.113.5", True),
        ("192.168.1.5", True),
        ("2001:db8::1", True),
    ],
)
def test_another_machine_is_remote(host: str, expected: bool) -> None:
    assert is_remote(client_of(host)) is expected
