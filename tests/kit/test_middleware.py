"""The middleware: no body over the limit, a response for every exception, and headers on every response."""

import asyncio
from collections.abc import AsyncIterator
from selectors import SelectorKey, SelectSelector

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from starlette.middleware import Middleware
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Scope

from strategybot.kit.http.middleware import SECURITY_HEADERS, BodyCap, CatchAll, RequestContext

seen: list[tuple[str, str, int]] = []


def observe(method: str, route: str, status: int, seconds: float) -> None:
    assert seconds >= 0
    seen.append((method, route, status))


@pytest.fixture
def client() -> TestClient:
    seen.clear()
    shell = [
        Middleware(RequestContext, observe=observe),
        Middleware(CatchAll),
        Middleware(BodyCap, max_bytes=1000, seconds=0.5),
    ]
    app = FastAPI(middleware=shell)

    @app.post("/echo/{name}")
    async def echo(request: Request, name: str) -> int:
        return len(await request.body())

    @app.get("/fault")
    async def fault() -> None:
        raise RuntimeError("a secret detail")

    @app.get("/half")
    async def half() -> StreamingResponse:
        async def chunks() -> AsyncIterator[bytes]:
            yield b"x"
            raise RuntimeError("too late")

        return StreamingResponse(chunks())

    return TestClient(app)


@pytest.mark.parametrize(("size", "status"), [(0, 200), (1000, 200), (1001, 413), (30_000, 413), (100_000, 413)])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_is_read_up_to_the_cap(client: TestClient, size: int, status: int, chunked: bool) -> None:
    body = b"x" * size
    content = (body[start : start + 400] for start in range(0, size, 400)) if chunked else body
    answer = client.post("/echo/x", content=content)
    assert answer.status_code == status
    assert answer.json() == (size if status == 200 else {"detail": "The request body is larger than 1 MiB."})


class SkippedTime(SelectSelector):
    """Lets a loop wait for no time at all; its clock moves as if it had waited."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        self.now += timeout or 0
        return super().select(0)


def loop_without_waiting() -> asyncio.AbstractEventLoop:
    selector = SkippedTime()
    loop = asyncio.SelectorEventLoop(selector)
    loop.time = lambda: selector.now  # type: ignore[method-assign]
    return loop


@pytest.mark.parametrize(
    ("pieces", "size", "pause", "status"),
    [
        (8, 500, 0.12, 200),  # a second, at four times the slowest rate
        (9, 100, 0.12, 200),
        (20, 100, 0.12, 408),  # below the slowest rate
        (8, 500, 0.31, 408),  # the first piece is late
    ],
)
def test_a_body_is_accepted_while_it_keeps_arriving(pieces: int, size: int, pause: float, status: int) -> None:
    arriving, answers = iter(range(1, pieces + 1)), []

    async def receive() -> Message:
        await asyncio.sleep(pause)
        return {"type": "http.request", "body": b"x" * size, "more_body": next(arriving) < pieces}

    async def send(message: Message) -> None:
        answers.append(message)

    cap = BodyCap(Response(), seconds=0.3, slowest_bytes_a_second=1024)
    scope: Scope = {"type": "http", "headers": [(b"transfer-encoding", b"chunked")]}
    with asyncio.Runner(loop_factory=loop_without_waiting) as runner:
        runner.run(cap(scope, receive, send))
    assert answers[0]["status"] == status


def test_an_unhandled_exception_is_a_500_without_details(client: TestClient) -> None:
    answer = client.get("/fault")
    assert (answer.status_code, answer.json()) == (500, {"detail": "Internal server error"})
    assert client.get("/fault").status_code == 500


def test_an_exception_after_the_first_byte_ends_the_response(client: TestClient) -> None:
    with pytest.raises(RuntimeError, match="too late"):
        client.get("/half")


def test_every_answer_has_its_headers_and_its_own_id(client: TestClient) -> None:
    paths = ["/fault", "/nothing", "/echo/x"]
    answers = [client.get(path) for path in paths] + [client.post("/echo/x", content=b"x" * 2000)]
    for answer in answers:
        for name, value in SECURITY_HEADERS.items():
            assert answer.headers[name] == value
    assert len({answer.headers["X-Request-ID"] for answer in answers}) == len(answers)


def test_each_request_is_observed_by_its_route_not_its_path(client: TestClient) -> None:
    client.post("/echo/one", content=b"x")
    client.post("/echo/two", content=b"x")
    client.get("/nothing")
    client.get("/fault")
    assert seen == [
        ("POST", "/echo/{name}", 200),
        ("POST", "/echo/{name}", 200),
        ("GET", "(none)", 404),
        ("GET", "/fault", 500),
    ]


@pytest.mark.parametrize(
    ("path", "logged"),
    [
        ("/s/Secret", "/s/{share_id}"),
        ("/s/Secret/preview.png", "/s/{share_id}/preview.png"),
        ("/api/shares/Secret/klines", "/api/shares/{share_id}/klines"),
        ("/s/Secret/what/else", "/s/{share_id}/what/else"),
        ("/api/bots/Secret", "/api/bots/Secret"),
    ],
)
def test_the_log_has_no_secret_of_a_path(path: str, logged: str, caplog: pytest.LogCaptureFixture) -> None:
    secrets = {"/s/": "share_id", "/api/shares/": "share_id"}
    app = FastAPI(middleware=[Middleware(RequestContext, secrets=secrets)])
    with caplog.at_level("INFO", "strategybot.http"):
        TestClient(app).get(path)
    (line,) = [record for record in caplog.records if record.message == "request"]
    assert line.path == logged  # type: ignore[attr-defined]
