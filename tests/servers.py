"""Real servers for tests: a private PostgreSQL, and our own service as a separate process."""

import multiprocessing
import os
import resource
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import chdir, contextmanager, suppress
from functools import cache, cached_property
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

import httpx2
import psycopg

from strategybot import cli
from tests import kept_connections

_COUNT_FROM_THE_START = """
SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) FROM pg_sequences
"""
_DISCONNECT_OTHERS = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND pid <> ALL (%s)
"""
_DELETE_ALL_ROWS = """
    SELECT string_agg(format('DELETE FROM %I', tablename), ';') FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> 'alembic_version'
"""
SECONDS_TO_STOP = 10
# Shared by all requests without their own client: creating one takes 50 ms, mostly for certificates.
# Each request has its own connection, because the server may have been killed since the last one.
web = httpx2.Client(timeout=60, limits=httpx2.Limits(max_keepalive_connections=0))
ROOT = Path(__file__).parents[1]
PORTS_OF_SERVERS = range(20_000, 32_768)
SECRET = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978"


def free_port() -> int:
    """Return a port below those that Linux gives to outgoing connections, so that none takes it before the server."""
    while True:
        port = secrets.choice(PORTS_OF_SERVERS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class SharedDatabase:
    """A database that one test after the other uses. It is emptied over one connection, which knows the tables."""

    def __init__(self, url: str, port: int) -> None:
        self.url, self._place = url, (port, url.rpartition("/")[2])
        kept_connections.share(*self._place)
        self._connection = psycopg.connect(url)

    def empty(self) -> None:
        """Delete all rows, and disconnect everybody whose connection is not kept for the next test."""
        try:
            self._empty()
        except psycopg.OperationalError:  # the test has restarted the server
            self._connection = psycopg.connect(self.url)
            self._empty()

    def _empty(self) -> None:
        with self._connection.transaction():
            self._connection.execute(_DISCONNECT_OTHERS, [kept_connections.processes(*self._place)])
            # In any order, whatever the foreign keys are.
            self._connection.execute("SET LOCAL session_replication_role = replica")
            self._connection.execute(self._delete_all_rows)
            self._connection.execute(_COUNT_FROM_THE_START)

    @cached_property
    def _delete_all_rows(self) -> bytes:
        found = self._connection.execute(_DELETE_ALL_ROWS).fetchone()
        assert found is not None
        return str(found[0]).encode()

    def close(self) -> None:
        self._connection.close()


class PostgresServer:
    """A PostgreSQL cluster in its own folder, deleted when the tests end."""

    def __init__(self, disk: Path | None = None) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="strategybot-pg-", dir=disk))
        self._port = free_port()
        self._databases = 0
        self._idle: list[SharedDatabase] = []
        # PostgreSQL refuses to run as root, so root lends the folder to the user its package made.
        self._as_owner: list[str] = []
        if os.geteuid() == 0:
            shutil.chown(self._folder, "postgres")
            self._as_owner = ["runuser", "-u", "postgres", "--"]
        self._run("initdb", "-D", f"{self._folder}/data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        self.start()

    @staticmethod
    def programs() -> Path | None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
        return found[-1].parent if found else None

    def start(self) -> None:
        # No fsync and no autovacuum: the data need not survive a power failure and is short-lived.
        options = f"-p {self._port} -k {self._folder} -c max_connections=200 -c listen_addresses=127.0.0.1"
        self._control(
            "start",
            "-o",
            f"{options} -c fsync=off -c full_page_writes=off -c autovacuum=off",
            "-l",
            f"{self._folder}/log",
        )

    def stop(self) -> None:
        self._control("stop", "-m", "immediate")

    def has_a_full_disk(self) -> bool:
        """Return whether the disk is full: writes fail, and perhaps even new connections."""
        try:
            with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
                connection.execute("CREATE TABLE much AS SELECT repeat('x', 1000) FROM generate_series(1, 10000)")
                connection.execute("DROP TABLE much")
        except psycopg.OperationalError:
            return True
        return False

    def start_again_if_it_died(self) -> None:
        """Start the server again if it has died, as a supervisor would."""
        try:
            psycopg.connect(self.url("postgres")).close()
        except psycopg.OperationalError:
            self._control("restart", "-m", "immediate")

    def remove(self) -> None:
        for shared in self._idle:
            shared.close()
        kept_connections.close_all(self._port)
        self.stop()
        shutil.rmtree(self._folder)

    def url(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self._port}/{database}"

    def new_database(self, template: str = "template0") -> str:
        """Return the URL of a new database, which is a copy of the template."""
        self._databases += 1
        name = f"test_{self._databases}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    @contextmanager
    def lent_database(self, template: str) -> Iterator[str]:
        """The URL of a copy of the template, without rows. It is emptied and lent again: to make one takes far longer."""
        shared = self._idle.pop() if self._idle else SharedDatabase(self.new_database(template), self._port)
        yield shared.url
        shared.empty()
        self._idle.append(shared)

    def _control(self, *arguments: str) -> None:
        self._run("pg_ctl", "-D", f"{self._folder}/data", "-w", *arguments)

    def _run(self, program: str, *arguments: str) -> None:
        programs = self.programs()
        assert programs is not None
        command = [*self._as_owner, str(programs / program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self._folder)


@cache
def preloaded() -> ForkServerContext:
    """Return how to fork from a process that has imported everything, which is started by the first call."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.garbage", "tests.preloaded"])
    with chdir(ROOT):  # from any other folder it would not find the module, and say nothing
        forkserver.ensure_running()
    return context


class ForkedCommand:
    """The command as a process forked from one that has imported everything, because importing takes seconds."""

    def __init__(
        self, arguments: list[str], environment: dict[str, str], folder: Path, log: Path, said: Path | None = None
    ) -> None:
        """Start it; standard error goes to the log too, unless it has a file of its own."""
        self._process = preloaded().Process(
            target=_become, args=(arguments, environment, folder, (log, said or log)), daemon=True
        )
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        assert self._process.exitcode is not None, f"it still runs after {timeout} s"
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        self._process.kill()


def _become(arguments: list[str], environment: dict[str, str], folder: Path, outputs: tuple[Path, Path]) -> None:
    """Run the command as the leader of a new session; its outputs are added to these files."""
    os.setsid()
    if descriptors := environment.get("TEST_DESCRIPTORS"):
        soft, hard = map(int, descriptors.split(":"))
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    for standard, output in enumerate(outputs, start=1):
        os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND), standard)
    run_command(arguments, environment, folder)


def run_command(arguments: list[str], environment: dict[str, str], folder: Path) -> None:
    """Run `strategybot` with these arguments in this forked process."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["strategybot", *arguments]
    cli.main()


class ServiceProcess:
    """`strategybot serve` as a separate process, ready when entered."""

    process: subprocess.Popen[bytes] | ForkedCommand
    more_environment: ClassVar[dict[str, str]] = {}

    def __init__(self, data_dir: Path, port: int | None = None, **environment: str) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.data_dir = data_dir
        self._log = data_dir.parent / f"service-{self.port}.log"
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("STRATEGYBOT_", "AVE_"))},
            "STRATEGYBOT_DATA_DIR": str(data_dir),
            "STRATEGYBOT_PORT": str(self.port),
            "STRATEGYBOT_SECRET_KEY": SECRET,
            **{f"STRATEGYBOT_{name.upper()}": value for name, value in environment.items()},
            **self.more_environment,
        }

    def __enter__(self) -> Self:
        self.start()
        self.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def start(self) -> None:
        # In the data directory's folder: a developer's own .env must not reach a test.
        self.process = ForkedCommand(["serve"], self._environment, self._log.parent, self._log)

    def wait(self, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            assert self.process.poll() is None, self.log()
            try:
                if web.get(f"{self.url}/readyz", timeout=10).status_code == 200:
                    return
            except httpx2.TransportError:
                time.sleep(0.05)
        raise AssertionError(f"not ready after {seconds} s: {self.log()}")

    def command(self, *arguments: str) -> None:
        """Run another command beside it, as its operator would."""
        assert ForkedCommand([*arguments], self._environment, self._log.parent, self._log).wait(60) == 0, self.log()

    def kill(self) -> None:
        """Kill the process without any clean-up, as a crash would."""
        self.process.kill()
        self.process.wait()

    def terminate(self) -> int:
        """Ask the process to stop, as an operator would.

        Return its exit code, which must come within the promised time.
        """
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=SECONDS_TO_STOP)

    def log(self) -> str:
        return self._log.read_text()


class ServiceWithTwoOutputs(ServiceProcess):
    """The service with a file for standard output, which is its log, and one for standard error."""

    @property
    def _said(self) -> Path:
        return self._log.with_suffix(".err")

    def said(self) -> str:
        """Return what the process wrote to standard error."""
        return self._said.read_text()

    def start(self) -> None:
        self.process = ForkedCommand(["serve"], self._environment, self._log.parent, self._log, self._said)


class ServiceByHand(ServiceWithTwoOutputs):
    """The service as a person starts it, without a preloaded process. It takes 6 seconds of CPU."""

    def start(self) -> None:
        with self._log.open("ab") as log, self._said.open("ab") as said:
            command = [sys.executable, "-m", "strategybot", "serve"]
            self.process = subprocess.Popen(
                command, env=self._environment, stdout=log, stderr=said, cwd=self._log.parent, start_new_session=True
            )
