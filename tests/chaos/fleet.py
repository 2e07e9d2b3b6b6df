"""The processes that serve and work, PostgreSQL, Redis, the disk, the provider and the model, and how each can fail."""

import os
import resource
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import httpx2
import redis

from tests.backtests.redis import RedisServer
from tests.backtests.upstream import with_key
from tests.chaos.disk import SmallDisk
from tests.chaos.history import client
from tests.chaos.outside import AWAY, HANGING, WELL, MarketUpstream, ModelUpstream, Upstream
from tests.servers import SECRET, ForkedCommand, PostgresServer, free_port

SECONDS_TO_BE_MISSED = 8
SECONDS_TO_START = 90
BYTES_OF_A_FULL_DISK = 4096
Fault = tuple[Callable[[], None], Callable[[], None]]
"""How a fault begins, and how it is ended."""


class Member:
    """A process of `strategybot serve` or `strategybot worker`."""

    def __init__(self, kind: str, folder: Path, environment: dict[str, str]) -> None:
        self.kind, self.port = kind, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._folder, self._log = folder, folder / f"{kind}-{self.port}.log"
        self._environment = environment | {"STRATEGYBOT_PORT": str(self.port)}

    def start(self) -> None:
        self._said_before = len(self.log())
        self.process = ForkedCommand([self.kind], self._environment, self._folder, self._log)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def terminate(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(60)
        assert code == 0, f"{self.kind} left with {code}: {self.log()[-2000:]}"

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def fill_the_disk(self) -> None:
        self._limit(BYTES_OF_A_FULL_DISK)

    def empty_the_disk(self) -> None:
        self._limit(resource.RLIM_INFINITY)

    def _limit(self, size: int) -> None:
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def wait(self) -> None:
        deadline = time.monotonic() + SECONDS_TO_START
        while not self._is_ready():
            assert self.process.poll() is None, self.log()[-4000:]
            assert time.monotonic() < deadline, f"not ready: {self.log()[-4000:]}"
            time.sleep(0.05)

    def _is_ready(self) -> bool:
        if self.kind == "worker":
            return "Starting worker" in self.log()[self._said_before :]
        try:
            return client.get(f"{self.url}/readyz", timeout=5).status_code == 200
        except httpx2.TransportError:
            return False

    def log(self) -> str:
        return self._log.read_text() if self._log.exists() else ""


class Fleet:
    """Processes that serve and processes that work, on PostgreSQL and Redis; or one that serves, on SQLite alone."""

    def __init__(self, folder: Path, serve: int, work: int, *, alone: bool = False) -> None:
        self._stack = ExitStack()
        self.market, self.model = MarketUpstream(), ModelUpstream()
        self._folder, self._counts, self._alone = folder, (serve, work), alone
        self.postgres: PostgresServer | None = None
        self.queue: RedisServer | None = None
        self.disk: SmallDisk | None = None

    def __enter__(self) -> Self:
        try:
            self._begin()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _begin(self) -> None:
        for upstream in (self.market, self.model):
            self._stack.enter_context(upstream)
        environment = self._environment(with_key(self._folder))
        if not self._alone:
            if SmallDisk.is_possible():
                self.disk = self._stack.enter_context(SmallDisk())
            self.postgres = PostgresServer(self.disk.path if self.disk else None)
            self.queue = self._stack.enter_context(RedisServer())
            self._stack.callback(self.postgres.remove)
            environment |= {
                "STRATEGYBOT_DATABASE_URL": self.postgres.new_database(),
                "STRATEGYBOT_QUEUE_URL": self.queue.url,
            }
        kinds = ["serve"] * self._counts[0] + ["worker"] * self._counts[1]
        self.members = [Member(kind, self._folder, environment) for kind in kinds]
        for member in self.members:
            member.start()
            self._stack.callback(member.kill)
        self.wait()

    def _environment(self, data: Path) -> dict[str, str]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("STRATEGYBOT_", "AVE_"))}
        return clean | {
            "STRATEGYBOT_DATA_DIR": str(data),
            "STRATEGYBOT_SECRET_KEY": SECRET,
            "STRATEGYBOT_AVE_DATA_URL": self.market.url,
            "STRATEGYBOT_AVE_TRADE_URL": self.market.url,
            "STRATEGYBOT_MODEL": "openai:m",
            "STRATEGYBOT_CHAT_LIMIT": "100000/5h",
            "OPENAI_API_KEY": "sk-nothing",
            "OPENAI_BASE_URL": self.model.url,
        }

    def wait(self) -> None:
        for member in self.members:
            member.wait()

    @property
    def urls(self) -> list[str]:
        return [member.url for member in self.members if member.kind == "serve"]

    def faults(self) -> dict[str, Fault]:
        every = {}
        for place, member in enumerate(self.members):
            name = f"{member.kind} {place}"
            every[f"kill -9 of {name}"] = (member.kill, member.start)
            every[f"SIGTERM of {name}"] = (member.terminate, member.start)
            every[f"SIGSTOP of {name}"] = (member.freeze, self._thawed(member))
        for what, upstream in (("the provider", self.market), ("the model", self.model)):
            every[f"{what} is away"] = self._outage(upstream, AWAY)
            every[f"{what} hangs"] = self._outage(upstream, HANGING)
        if self.postgres is not None and self.queue is not None:
            every["PostgreSQL restarts"] = (self.postgres.stop, self.postgres.start)
            every["Redis restarts, empty"] = (self.queue.stop, self.queue.start)
            every["FLUSHDB"] = (self._flush, _nothing)
            if self.disk is not None:
                every["PostgreSQL's disk is full"] = (self._fill_the_disk, self._empty_the_disk)
        else:
            (member,) = self.members
            every["the disk is full"] = (member.fill_the_disk, member.empty_the_disk)
        return every

    def _thawed(self, member: Member) -> Callable[[], None]:
        """Return what continues the process, after others have taken over its work: what it then writes must not count."""

        def thaw() -> None:
            time.sleep(SECONDS_TO_BE_MISSED if len(self.members) > 1 else 1)
            member.thaw()

        return thaw

    def _outage(self, upstream: Upstream, state: str) -> Fault:
        return lambda: setattr(upstream, "state", state), lambda: setattr(upstream, "state", WELL)

    def _fill_the_disk(self) -> None:
        assert self.disk is not None
        assert self.postgres is not None
        self.disk.fill()
        assert self.postgres.has_a_full_disk()

    def _empty_the_disk(self) -> None:
        assert self.disk is not None
        assert self.postgres is not None
        self.disk.empty()
        self.postgres.start_again_if_it_died()

    def _flush(self) -> None:
        assert self.queue is not None
        with redis.Redis.from_url(self.queue.url) as connection:
            connection.flushdb()


def _nothing() -> None:
    """Do nothing: the fault ends by itself."""
