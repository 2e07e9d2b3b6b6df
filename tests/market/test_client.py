"""The HTTP client: what it sends, what it refuses, and what it costs."""

import asyncio
import gc
import sys
import tracemalloc
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from strategybot.market.client import TOTAL_TIMEOUT, UpstreamClient
from strategybot.market.provider import ProviderFailure, ProviderRateLimited, ProviderStatus
from strategybot.market.response_bodies import LONGEST_MESSAGE
from tests.market.upstream.faults import WIRE_FAULTS, FaultyUpstream
from tests.market.upstream.server import CannedUpstream, LoopbackServer, Reply, Request, http

pytestmark = pytest.mark.anyio

SECRET = "s3cr3t+/=k€y"
FAULTS = {fault.name: fault for fault in WIRE_FAULTS}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def upstream() -> Iterator[CannedUpstream]:
    with CannedUpstream({"fine": True}) as server:
        yield server


@asynccontextmanager
async def calling(base_url: str, headers: dict[str, str] | None = None, **more: Any) -> AsyncIterator[UpstreamClient]:
    client = UpstreamClient(base_url, headers or {}, **more)
    try:
        yield client
    finally:
        await client.aclose()


async def test_a_request_is_sent_unchanged(upstream: CannedUpstream) -> None:
    async with calling(f"{upstream.url}/prefix/", {"X-API-KEY": "k"}) as client:
        assert await client.get_json(["a", "b-c:d"], {"keyword": "x y&z", "limit": 3}) == {"fine": True}
        assert await client.post_json(["price"], {"ids": ["é"], "min": 0}) == {"fine": True}
    get, post = upstream.requests
    assert (get.method, get.target) == ("GET", "/prefix/a/b-c:d?keyword=x+y%26z&limit=3")
    assert (get.headers["x-api-key"], get.headers["accept"]) == ("k", "application/json")
    assert (post.method, post.target, post.json) == ("POST", "/prefix/price", {"ids": ["é"], "min": 0})
    assert post.headers["content-type"] == "application/json"
    assert "content-type" not in get.headers


@pytest.mark.parametrize(
    "part", ["a/b", "../x", "a?b", "a#b", "a%2e", "a b", "a\r\nX: y", "\x00", "é", "\ud800", "a\\b"]
)
async def test_a_part_of_a_path_stays_one_part(upstream: CannedUpstream, part: str) -> None:
    async with calling(upstream.url) as client:
        await client.get_json(["v2", part, "end"])
    (seen,) = upstream.requests
    assert seen.path == ["v2", part.replace("\ud800", "?"), "end"]
    assert seen.params == {}


@pytest.mark.parametrize("part", ["", ".", "..", "..."])
async def test_empty_and_dotted_path_parts_are_refused(upstream: CannedUpstream, part: str) -> None:
    async with calling(upstream.url) as client:
        with pytest.raises(ProviderFailure, match="empty or made of dots"):
            await client.get_json(["v2", part])
    assert upstream.requests == []


async def test_no_cookie_is_kept(upstream: CannedUpstream) -> None:
    upstream.answer = http(b"{}", 200, {"Set-Cookie": "session=1; Path=/"})
    async with calling(upstream.url) as client:
        await client.get_json(["first"])
        await client.get_json(["second"])
    assert all("cookie" not in request.headers for request in upstream.requests)


async def test_proxy_settings_of_the_environment_are_ignored(
    upstream: CannedUpstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    async with calling(upstream.url) as client:
        assert await client.get_json(["here"]) == {"fine": True}


async def test_a_redirect_reaches_no_other_server(upstream: CannedUpstream) -> None:
    with CannedUpstream({"stolen": True}) as elsewhere:
        upstream.answer = http(b"", 302, {"Location": f"{elsewhere.url}/stolen"})
        async with calling(upstream.url, {"X-API-KEY": "k"}) as client:
            with pytest.raises(ProviderFailure, match="redirect"):
                await client.get_json(["v2"])
        assert elsewhere.requests == []


def test_a_key_that_cannot_be_sent_is_refused_without_being_shown() -> None:
    for key in ("line\nbreak", "näh"):
        with pytest.raises(ValueError, match="X-API-KEY") as refusal:
            UpstreamClient("http://127.0.0.1", {"X-API-KEY": key})
        assert key not in str(refusal.value)


@pytest.mark.parametrize("address", ["ftp://x", "x.example", "file:///etc/passwd"])
def test_a_base_url_of_another_scheme_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="http"):
        UpstreamClient(address, {})


async def test_every_try_asks_for_admission() -> None:
    asked = []

    async def admit() -> None:
        asked.append(1)

    with FaultyUpstream(WIRE_FAULTS, lambda _: Reply()) as upstream:
        async with calling(upstream.address(FAULTS["unavailable"]), admit=admit) as client:
            with pytest.raises(ProviderStatus):
                await client.get_json(["x"])
    assert len(asked) == 2


async def test_a_call_that_is_not_admitted_is_not_made(upstream: CannedUpstream) -> None:
    async def admit() -> None:
        raise ProviderRateLimited("our share is used up")

    async with calling(upstream.url, admit=admit) as client:
        with pytest.raises(ProviderRateLimited):
            await client.get_json(["x"])
    assert upstream.requests == []


async def test_several_calls_share_one_time_limit() -> None:
    async def slowly(_request: Request, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.25)
        writer.write(http(b"{}"))

    async def ask_ten_times(client: UpstreamClient) -> None:
        with client.time_limit():
            for _ in range(10):
                await client.get_json(["x"])

    with LoopbackServer(slowly) as upstream:
        async with calling(upstream.url, total_timeout=0.6) as client:
            with pytest.raises(ProviderFailure, match=r"timed out after 0\.6 s"):
                await ask_ten_times(client)
    assert len(upstream.requests) <= 3


def test_the_limit_leaves_time_to_answer_within_ten_seconds() -> None:
    assert TOTAL_TIMEOUT <= 8


async def test_the_number_of_connections_is_limited() -> None:
    open_now, most = 0, 0

    async def counted(_request: Request, writer: asyncio.StreamWriter) -> None:
        nonlocal open_now, most
        open_now += 1
        most = max(most, open_now)
        await asyncio.sleep(0.02)
        open_now -= 1
        writer.write(http(b"{}"))

    with LoopbackServer(counted) as upstream:
        async with calling(upstream.url) as client:
            assert await asyncio.gather(*(client.get_json(["x"]) for _ in range(60))) == [{}] * 60
    assert 1 < most <= 20


async def test_calls_that_time_out_leave_no_connection_taken() -> None:
    async def moody(request: Request, writer: asyncio.StreamWriter) -> None:
        if request.path == ["hang"]:
            await asyncio.sleep(30)
        writer.write(http(b"{}"))

    with LoopbackServer(moody) as upstream:
        async with calling(upstream.url, total_timeout=3.0) as client:
            hung = await asyncio.gather(*(client.get_json(["hang"]) for _ in range(25)), return_exceptions=True)
            assert {str(each) for each in hung} == {"the provider timed out after 3 s"}
            assert await asyncio.gather(*(client.get_json(["x"]) for _ in range(25))) == [{}] * 25


async def test_a_connection_that_died_in_the_pool_is_replaced() -> None:
    """The server closes after each response, like one that was restarted."""

    async def once(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(http(b"{}"))
        await writer.drain()
        writer.close()

    with LoopbackServer(once) as upstream:
        async with calling(upstream.url) as client:
            assert [await client.get_json(["x"]) for _ in range(5)] == [{}] * 5


@pytest.mark.parametrize("name", ["gzip_bomb", "pours_text", "pours_after_the_gzip", "announces_too_much", "deep"])
async def test_an_endless_response_needs_little_memory(name: str) -> None:
    with FaultyUpstream([FAULTS[name]], lambda _: Reply()) as upstream:
        async with calling(upstream.address(FAULTS[name]), max_bytes=1024 * 1024) as client:
            tracemalloc.start()
            try:
                with pytest.raises(ProviderFailure):
                    await client.get_json(["x"])
                peak = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
    assert peak < 8 * 1024 * 1024


async def test_an_oversized_response_is_closed_completely() -> None:
    """A suspended generator would be finalised by the garbage collector, perhaps while the loop closes, and log an
    error.
    """
    left: list[AsyncGenerator[Any, Any]] = []
    hooks = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(finalizer=left.append)
    try:
        with FaultyUpstream([FAULTS["pours_text"]], lambda _: Reply()) as upstream:
            async with calling(upstream.address(FAULTS["pours_text"]), max_bytes=1024 * 1024) as client:
                with pytest.raises(ProviderFailure, match="larger than 1048576 bytes"):
                    await client.get_json(["x"])
        gc.collect()
    finally:
        sys.set_asyncgen_hooks(*hooks)
    assert left == []


@example("", "", 0)
@example("x" * (LONGEST_MESSAGE - 5), "", 0)
@given(st.text(max_size=700), st.text(max_size=700), st.integers(0, 3))
def test_no_text_of_a_provider_shows_a_secret(before: str, after: str, noise: int) -> None:
    client = UpstreamClient("http://127.0.0.1", {}, secrets=[SECRET])
    hidden = ("\x00" * noise).join(SECRET.upper())
    shown = client.clean(f"{before}{hidden}{after}{SECRET}")
    assert SECRET.lower() not in shown.lower()
    assert len(shown) <= LONGEST_MESSAGE
    assert all(character.isprintable() or character.isspace() for character in shown)


def test_a_secret_is_redacted_in_every_encoding() -> None:
    client = UpstreamClient("http://127.0.0.1", {}, secrets=[SECRET, ""])
    for spelling in ("s3cr3t%2B%2F%3Dk%E2%82%ACy", "s3cr3t+/=k\\u20acy", "czNjcjN0Ky89a+KCrHk=", SECRET):
        assert client.clean(f"key={spelling}.") == "key=[redacted]."
    assert UpstreamClient("http://127.0.0.1", {}).clean("nothing to hide") == "nothing to hide"
