"""Checks of an installation. Each returns a sentence, or raises `Fault` with one."""

import platform
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import anyio

from strategybot import data_folder
from strategybot.backends import AVE_REQUESTS_A_SECOND, provider_of
from strategybot.conversations.agent.context_check import check_context
from strategybot.conversations.agent.language_models import bare_model
from strategybot.conversations.turn.turns import OFFLINE
from strategybot.kit.clock import system_clock
from strategybot.kit.database import Database, DatabaseUnavailable
from strategybot.kit.errors import AppError
from strategybot.market.service import Market, UpstreamError
from strategybot.migrations import current_revision, migrate, newest_revision
from strategybot.settings import Settings, environment

FEWEST_LETTERS = 8  # different characters in a secret that cannot be guessed


@dataclass(frozen=True, slots=True)
class Diagnosis:
    name: str
    ok: bool
    message: str


class Fault(Exception):
    """A check has failed."""


def diagnose(settings: Settings) -> list[Diagnosis]:
    """Return the result of every check of the installation."""
    return [_diagnosis(name, check, settings) for name, check in CHECKS.items()]


def _diagnosis(name: str, check: Callable[[Settings], str], settings: Settings) -> Diagnosis:
    try:
        return Diagnosis(name, True, check(settings))
    except Exception as error:  # noqa: BLE001  every fault is reported, and the other checks still run
        return Diagnosis(name, False, str(error) or type(error).__name__)


def _python(_settings: Settings) -> str:
    return f"{platform.python_version()} on {platform.system()} {platform.machine()}"


def _data_directory(settings: Settings) -> str:
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=settings.data_dir):
        pass
    if open_to_others := data_folder.readable_by_others(settings.data_dir):
        paths = " ".join(str(path) for path in open_to_others)
        raise Fault(f"others can read it; run: chmod go-rwx {paths}")
    return f"{settings.data_dir.resolve()} can be written, and only its owner can read it"


def _secret(settings: Settings) -> str:
    kept = settings.data_dir / "secret_key"
    if settings.secret_key is not None:
        if len(set(settings.secret_key.get_secret_value())) < FEWEST_LETTERS:
            raise Fault("STRATEGYBOT_SECRET_KEY could be guessed; `openssl rand -hex 32` makes a better one")
        return "given by STRATEGYBOT_SECRET_KEY"
    if not kept.exists():
        return f"will be made at the first start, in {kept}"
    return f"kept in {kept}"


def _database(settings: Settings) -> str:
    with _open(settings) as database:
        state = _schema_state(current_revision(database))
        database.check()
        return f"{database.name} answers; {state}"


@contextmanager
def _open(settings: Settings) -> Iterator[Database]:
    database = Database(settings.database)
    try:
        yield database
    finally:
        database.close()


def _schema_state(revision: str | None) -> str:
    if revision is None:
        return "its tables are made at the first start"
    return "its tables are up to date" if revision == newest_revision() else "its tables are updated at the next start"


def _market_data(settings: Settings) -> str:
    name = settings.market_provider
    if name == "demo":
        return "demo, built in"
    with _database_for_the_rate_limit(settings) as database:
        anyio.run(_ask_provider, settings, database)
    if name != "ave":
        return f"{name} answers"
    return f"ave answers; its plan is {settings.ave_api_plan}, {AVE_REQUESTS_A_SECOND[settings.ave_api_plan]} a second"


def _language_model(settings: Settings) -> str:
    if settings.model == OFFLINE:
        return "offline, built in"
    found = anyio.run(check_context, bare_model(settings.model, environment()), settings.context_tokens)
    return f"{settings.model} {found}"


async def _ask_provider(settings: Settings, database: Database) -> None:
    """Make one call to the provider, within the shared rate limit and counted like any other call."""
    market = Market(provider_of(settings, database, system_clock), database, system_clock, lambda *_: None)
    try:
        await market.trending(None, 1)
    except AppError as error:
        status = f" (HTTP {error.status})" if isinstance(error, UpstreamError) else ""
        raise Fault(f"{settings.market_provider} cannot be used: {error.message}{status}") from error
    finally:
        await market.close()


@contextmanager
def _database_for_the_rate_limit(settings: Settings) -> Iterator[Database]:
    """Yield the database for the shared rate limit; a temporary one if it has no tables or cannot be reached."""
    with _open(settings) as database, tempfile.TemporaryDirectory() as folder:
        if _is_ready(database):
            yield database
            return
        temporary = Database(f"sqlite:///{folder}/strategybot.db")
        try:
            migrate(temporary)
            yield temporary
        finally:
            temporary.close()


def _is_ready(database: Database) -> bool:
    try:
        return current_revision(database) == newest_revision()
    except DatabaseUnavailable:
        return False


def _cost_units(settings: Settings) -> str:
    return _of_the_market(settings, lambda market: f"{market.cost_units_used():,} used with {settings.market_provider}")


def _candle_store(settings: Settings) -> str:
    def size(market: Market) -> str:
        kept = market.store_size()
        return f"{kept.series:,} series in {kept.blocks:,} blocks, {kept.bytes:,} bytes"

    return _of_the_market(settings, size)


def _of_the_market(settings: Settings, describe: Callable[[Market], str]) -> str:
    with _open(settings) as database:
        if current_revision(database) != newest_revision():
            return "known after the next start"
        return describe(Market(provider_of(settings, database, system_clock), database, system_clock, lambda *_: None))


CHECKS: dict[str, Callable[[Settings], str]] = {
    "Python": _python,
    "Data directory": _data_directory,
    "Secret": _secret,
    "Database": _database,
    "Market data": _market_data,
    "Language model": _language_model,
    "Cost units": _cost_units,
    "Candle store": _candle_store,
}
