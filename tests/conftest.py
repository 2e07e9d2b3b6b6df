"""A test that takes `database_url` runs twice, on SQLite and on PostgreSQL, unless a mark of `engines.py` says otherwise."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from uuid import uuid4

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from strategybot.app import Services
from strategybot.kit.database import Database
from strategybot.migrations import migrate
from strategybot.settings import Settings
from tests.application import application
from tests.commands import Terminal
from tests.compiled import compile_once
from tests.engines import ENGINES
from tests.servers import SECRET, PostgresServer
from tests.support import ManualClock, sign_up

WAIT_FOR_PROCESSES = (
    "processes", "chaos", "readme", "guide", "backup", "stdio", "image",
    "full_disk", "interruptions", "test_cli.py", "test_client.py", "test_http.py", "forgetting", "TestProgress",
)  # fmt: skip
COMPUTE_FOR_LONG = ("openapi",)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "engines(*names): the databases that a test runs on")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones come first, and the many short ones fill the time beside and after them.

    Each worker begins with an equal share of the list, in this order. The first has all that wait for processes, one
    after the other as they would slow each other down; the second has the longest that compute.
    """
    waiting, computing = _named(items, WAIT_FOR_PROCESSES), _named(items, COMPUTE_FOR_LONG)
    short = [item for item in items if item not in waiting and item not in computing]
    share = len(items) // int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    beside = max(0, share - len(waiting))
    items[:] = [*waiting, *short[:beside], *computing, *short[beside:]]


def _named(items: list[pytest.Item], words: tuple[str, ...]) -> dict[pytest.Item, None]:
    """Return the tests in files or classes with one of the words in their name, in their order."""
    return {item: None for item in items if any(word in item.nodeid.rpartition("::")[0] for word in words)}


compile_once()
hypothesis_settings.register_profile(
    "default", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
hypothesis_settings.load_profile("default")


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    if PostgresServer.programs() is None:
        pytest.skip("PostgreSQL is not installed: Debian's package is called postgresql")
    server = PostgresServer()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a SQLite file with all tables. Copying it is faster than migrating for each test."""
    path = tmp_path_factory.mktemp("template") / "strategybot.db"
    _migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def migrated_postgres(postgres: PostgresServer) -> str:
    url = postgres.new_database()
    _migrate(url)
    return url.rpartition("/")[2]


def _migrate(url: str) -> None:
    database = Database(url)
    migrate(database)
    database.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        mark = metafunc.definition.get_closest_marker("engines")
        metafunc.parametrize("engine", mark.args if mark else ENGINES, indirect=True)


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> str:
    """Return the name of a kind of database: a test that needs one runs once for each."""
    return str(request.param)


@pytest.fixture
def database_url(engine: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yield the URL of a database with all tables and no rows, once for each engine."""
    with _empty_database(engine, request, tmp_path) as url:
        yield url


@contextmanager
def _empty_database(engine: str, request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    if engine == "sqlite":
        shutil.copy(request.getfixturevalue("migrated_sqlite"), folder / "strategybot.db")
        yield f"sqlite:///{folder}/strategybot.db"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.lent_database(request.getfixturevalue("migrated_postgres")) as url:
        yield url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = Database(database_url)
    yield database
    database.close()


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(tmp_path, monkeypatch, capfd)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def settings(tmp_path: Path, database_url: str) -> Settings:
    return Settings(_env_file=None, data_dir=tmp_path / "data", database_url=database_url, secret_key=SECRET)


@pytest.fixture
def app(settings: Settings, clock: ManualClock) -> FastAPI:
    return application(settings, clock)


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app) as client:
        yield client


@pytest.fixture(scope="module")
def shared_clients(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], TestClient]]:
    """Yield a function that returns the client of an application on this engine, always the same in a module."""
    with ExitStack() as opened:

        @cache
        def client_on(engine: str) -> TestClient:
            folder = tmp_path_factory.mktemp("shared")
            url = opened.enter_context(_empty_database(engine, request, folder))
            settings = Settings(_env_file=None, data_dir=folder / "data", database_url=url, secret_key=SECRET)
            return opened.enter_context(TestClient(application(settings, ManualClock())))

        yield client_on


@pytest.fixture
def shared_client(engine: str, shared_clients: Callable[[str], TestClient]) -> TestClient:
    """Return an application that the tests of a module share, each as its own user: to start one takes longer."""
    return shared_clients(engine)


@pytest.fixture
def shared_user(shared_client: TestClient) -> dict[str, str]:
    """Return the headers of a new user of the shared application."""
    return sign_up(shared_client, f"{uuid4().hex}@example.com")


@pytest.fixture
def services(client: TestClient) -> Services:
    services = client.app.state.services  # type: ignore[attr-defined]
    assert isinstance(services, Services)
    return services


@pytest.fixture
def user(client: TestClient) -> dict[str, str]:
    """Return the headers of a registered user."""
    return sign_up(client)
