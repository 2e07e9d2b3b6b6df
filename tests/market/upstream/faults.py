"""A server that fails in one of many ways, chosen by the path: /<fault>/<real path>.

Each fault is listed with the expected error.
"""

import asyncio
import gzip
import socket
import struct
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace

from strategybot.market.provider import ProviderError, ProviderFailure, ProviderRateLimited, ProviderStatus
from tests.market.upstream.ave import KEY
from tests.market.upstream.server import LoopbackServer, Reply, Request, http

TINY_TIMEOUT, EASY_TIMEOUT = 0.5, 8.0
MAX_BYTES = 256 * 1024
Answer = Callable[[Request], Reply]


@dataclass(frozen=True)
class Visit:
    request: Request
    writer: asyncio.StreamWriter
    number: int
    good: bytes

    def send(self, answer: bytes) -> None:
        self.writer.write(answer)


Behaviour = Callable[[Visit], Awaitable[None]]


@dataclass(frozen=True)
class Fault:
    name: str
    behaviour: Behaviour
    error: type[ProviderError] | None  # None: the call succeeds, with data or (`empty`) without
    words: str = ""
    status: int = 0
    tries: int = 1  # for a repeatable call; any other has one
    empty: bool = False
    timeout: float = EASY_TIMEOUT


class FaultyUpstream(LoopbackServer):
    """A server with a fault in front of a working one."""

    def __init__(self, faults: Iterable[Fault], answer: Answer) -> None:
        super().__init__(self._handle)
        self.visits: Counter[tuple[str, str]] = Counter()
        self._faults = {fault.name: fault for fault in faults}
        self._answer = answer

    def address(self, fault: Fault) -> str:
        return f"{self.url}/{fault.name}"

    async def _handle(self, request: Request, writer: asyncio.StreamWriter) -> None:
        name, rest = request.target.removeprefix("/").split("/", 1)
        plain = replace(request, target=f"/{rest}")
        key = (name, "/".join(plain.path))
        self.visits[key] += 1
        good = self._answer(plain).encoded()
        await self._faults[name].behaviour(Visit(plain, writer, self.visits[key], good))


def says(answer: bytes) -> Behaviour:
    async def behaviour(visit: Visit) -> None:
        visit.send(answer)

    return behaviour


def says_and_hangs_up(answer: bytes) -> Behaviour:
    async def behaviour(visit: Visit) -> None:
        visit.send(answer)
        visit.writer.close()

    return behaviour


def says_and_hangs(answer: bytes) -> Behaviour:
    async def behaviour(visit: Visit) -> None:
        visit.send(answer)
        await asyncio.sleep(30)

    return behaviour


def drips(pieces: Iterable[bytes], pause: float) -> Behaviour:
    async def behaviour(visit: Visit) -> None:
        for piece in pieces:
            visit.send(piece)
            await visit.writer.drain()
            await asyncio.sleep(pause)

    return behaviour


def pours(head: bytes, piece: bytes) -> Behaviour:
    """Send data endlessly; at most 64 MiB if nobody disconnects."""

    async def behaviour(visit: Visit) -> None:
        visit.send(head)
        for _ in range(64 * 1024 * 1024 // len(piece)):
            visit.writer.write(piece)
            await visit.writer.drain()
        visit.writer.close()

    return behaviour


async def resets(visit: Visit) -> None:
    visit.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    visit.writer.transport.abort()


async def cuts_the_good_answer(visit: Visit) -> None:
    visit.send(visit.good[:-5])
    visit.writer.close()


async def answers_with_another_type(visit: Visit) -> None:
    visit.send(visit.good.replace(b"application/json", b"text/html; charset=ebcdic"))


async def answers_with_more_than_asked(visit: Visit) -> None:
    content = visit.good.partition(b"\r\n\r\n")[2]
    visit.send(http(b'{"surprise": [1, {"a": null}], ' + content[1:]))


async def compresses_the_good_answer(visit: Visit) -> None:
    visit.send(http(gzip.compress(visit.good.partition(b"\r\n\r\n")[2]), 200, {"Content-Encoding": "gzip"}))


def once(status: int) -> Behaviour:
    async def behaviour(visit: Visit) -> None:
        visit.send(http(b"try again", status) if visit.number == 1 else visit.good)

    return behaviour


def failure(name: str, behaviour: Behaviour, words: str, **more: int | float) -> Fault:
    return Fault(name, behaviour, ProviderFailure, words, **more)  # type: ignore[arg-type]


def body(name: str, content: bytes, words: str) -> Fault:
    return failure(name, says(http(content)), words)


def gzipped(name: str, content: bytes, words: str) -> Fault:
    return failure(name, says(http(content, 200, {"Content-Encoding": "gzip"})), words)


def redirect(name: str, status: int, location: str) -> Fault:
    return failure(name, says(http(b"", status, {"Location": location})), f"a redirect (HTTP {status})")


def refusal(name: str, status: int, content: bytes, text: str, **headers: str) -> Fault:
    twice = 2 if status in (502, 503, 504) else 1
    return Fault(name, says(http(content, status, headers)), ProviderStatus, text, status=status, tries=twice)


def limited(name: str, **headers: str) -> Fault:
    return Fault(name, says(http(b"slow down", 429, headers)), ProviderRateLimited, "HTTP 429")


LATE = f"timed out after {TINY_TIMEOUT:g} s"
LARGE = f"larger than {MAX_BYTES} bytes"
OK_HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
ZIP_HEAD = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"

# These hold for every provider, whatever its envelope.
WIRE_FAULTS = [
    failure("reset", resets, "the connection to the provider broke", tries=2),
    failure("hangs_up", says_and_hangs_up(b""), "closed the connection without an answer", tries=2),
    failure("hangs_before_headers", says_and_hangs(b""), LATE, timeout=TINY_TIMEOUT),
    failure("hangs_in_headers", says_and_hangs(b"HTTP/1.1 200 OK\r\nX: "), LATE, timeout=TINY_TIMEOUT),
    failure("hangs_after_headers", says_and_hangs(OK_HEAD), LATE, timeout=TINY_TIMEOUT),
    failure("hangs_in_an_error", says_and_hangs(OK_HEAD.replace(b"200", b"500")), LATE, timeout=TINY_TIMEOUT),
    failure("drips_the_body", drips([OK_HEAD, *[b" "] * 600], 0.05), LATE, timeout=TINY_TIMEOUT),
    failure("drips_the_headers", drips([b"HTTP/1.1 200 OK\r\nX: ", *[b"x"] * 600], 0.05), LATE, timeout=TINY_TIMEOUT),
    failure("continues_for_ever", drips([b"HTTP/1.1 100 Continue\r\n\r\n"] * 3000, 0.01), LATE, timeout=TINY_TIMEOUT),
    failure("cut_by_length", cuts_the_good_answer, "is cut short"),
    failure(
        "cut_in_a_chunk", says_and_hangs_up(OK_HEAD[:17] + b"Transfer-Encoding: chunked\r\n\r\nff\r\n{"), "cut short"
    ),
    failure("bad_chunk", says(OK_HEAD[:17] + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}"), "not valid HTTP"),
    failure("not_http", says_and_hangs_up(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), "not valid HTTP"),
    failure("oversize_header", says(http(b"{}", 200, {"X-Long": "x" * 200_000})), "not valid HTTP"),
    failure("pours_text", pours(b"HTTP/1.1 200 OK\r\n\r\n", b"[" * 65536), LARGE),
    failure("announces_too_much", pours(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", b" " * 65536), LARGE),
    failure("pours_after_the_gzip", pours(ZIP_HEAD + gzip.compress(b"{}"), b"\0" * 65536), LARGE),
    gzipped("gzip_bomb", gzip.compress(b"0" * 64_000_000, 1), LARGE),
    gzipped("gzip_invalid", b"this was never compressed", "damaged (gzip)"),
    gzipped("gzip_cut", gzip.compress(b'{"status": 1, "data": []}')[:-4], "damaged (gzip)"),
    gzipped("gzip_and_more", gzip.compress(b'{"status": 1, "data": []}') + b"{}", "damaged (gzip)"),
    failure(
        "brotli", says(http(b"\x8b", 200, {"Content-Encoding": "br"})), "compressed in a way that was not asked for"
    ),
    failure("gzip_twice", says(http(b"x", 200, {"Content-Encoding": "gzip, gzip"})), "was not asked for"),
    redirect("redirect_loop", 302, "/redirect_loop/v2/tokens"),
    redirect("redirect_elsewhere", 307, "http://127.0.0.1:1/stolen"),
    redirect("redirect_for_ever", 308, "https://elsewhere.example/"),
    redirect("redirect_nowhere", 301, "http://[bad"),
    failure("not_modified", says(http(b"", 304)), "a redirect (HTTP 304)"),
    failure("unheard_of_status", says(http(b"{}", 999)), "HTTP 999"),
    failure("switches_protocols", says(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"), "not valid HTTP"),
    failure("no_content", says(b"HTTP/1.1 204 No Content\r\n\r\n"), "is empty"),
    body("empty", b"", "is empty"),
    body("blank", b" \r\n", "not JSON"),
    body("html", b"<!doctype html><title>Just a moment...</title>", "not JSON"),
    body("bad_utf8", b'{"status": 1, "msg": "\xff\xfe", "data": []}', "not JSON"),
    body("byte_order_mark", b'\xef\xbb\xbf{"status": 1, "data": []}', "not JSON"),
    body("nan", b'{"status": 1, "data": NaN}', "not JSON"),
    body("infinity", b'{"status": 1, "data": -Infinity}', "not JSON"),
    body("huge_integer", b'{"status": 1, "data": ' + b"9" * 5000 + b"}", "not JSON"),
    body("half_a_character", b'{"status": 1, "data": "\\ud800"}', "not JSON"),
    body("deep", b'{"status": 1, "data": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "not JSON"),
    body("two_documents", b'{"status": 1, "data": []}{}', "not JSON"),
    body("a_list", b'[{"status": 1}]', "unexpected shape"),
    body("a_string", b'"SUCCESS"', "unexpected shape"),
    body("a_number", b"1e999", "unexpected shape"),
    body("null", b"null", "unexpected shape"),
    body("data_of_a_wrong_type", b'{"status": 1, "data": 1e999}', "unexpected shape"),
    body("data_missing", b'{"status": 1, "msg": "SUCCESS"}', "unexpected shape: data is missing"),
    refusal("bad_request", 400, b"interval: unknown", "interval: unknown"),
    refusal("unauthorized", 401, b'{"msg": "bad key ' + KEY.encode() + b'"}', '{"msg": "bad key [redacted]"}'),
    refusal("unauthorized_in_a_header", 401, b"", "", **{"X-Your-Key": KEY}),
    refusal("payment_required", 402, b"quota", "quota"),
    refusal("forbidden", 403, b"  daily\r\n\tlimit \x00\x1b[31mreached ", "  daily\r\n\tlimit [31mreached "),
    refusal("gone_in_lines", 410, b'{\n  "msg":  "no"\n}\n', '{\n  "msg":  "no"\n}\n'),
    refusal("teapot", 418, b"caf\xe9", "caf\N{REPLACEMENT CHARACTER}"),
    refusal("server_error", 500, b"x" * 1995 + KEY.encode(), "x" * 1995 + "[reda"),
    refusal("server_error_in_escapes", 500, b"\xe2\x80\xae" + KEY.upper().encode(), "[redacted]"),
    refusal("server_error_damaged", 500, b"not gzip", "", **{"Content-Encoding": "gzip"}),
    refusal("server_error_too_long", 500, b"x" * 300_000, ""),
    refusal("server_error_without_a_word", 500, b"", ""),
    refusal("not_implemented", 501, b"no", "no"),
    refusal("bad_gateway", 502, b"upstream", "upstream"),
    refusal("unavailable", 503, b"later", "later", **{"Retry-After": "1"}),
    refusal("gateway_timeout", 504, b"late", "late"),
    limited("rate_limited"),
    limited("rate_limited_for_a_time", **{"Retry-After": "30"}),
]
MENDED = [Fault(f"mended_{status}", once(status), None, status=status, tries=2) for status in (502, 503, 504)]
HARMLESS = [
    Fault("another_content_type", answers_with_another_type, None),
    Fault("compressed", compresses_the_good_answer, None),
    Fault("more_than_asked", answers_with_more_than_asked, None),
]
