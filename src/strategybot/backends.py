"""The market-data provider, the queue and the nudges that the settings name."""

from datetime import timedelta

from strategybot.events.service import Nudges
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database
from strategybot.kit.jobs import Handler, Jobs, LocalJobs
from strategybot.market.ave import AveProvider
from strategybot.market.demo import DemoProvider
from strategybot.market.geckoterminal import GeckoTerminalProvider
from strategybot.market.pace import FairPace, SharedPace
from strategybot.market.provider import Provider
from strategybot.settings import Settings

COMPUTE_SLOTS = 32  # most jobs wait for the provider; the runners limit how many use a processor
COMPUTE_CHECK = timedelta(milliseconds=20)
AVE_REQUESTS_A_SECOND = {"free": 1, "normal": 5, "pro": 20}


def provider_of(settings: Settings, database: Database, clock: Clock) -> Provider:
    name = settings.market_provider
    if name == "demo":
        return DemoProvider(clock)
    if name == "geckoterminal":
        pace = SharedPace(database, clock, name, timedelta(seconds=2), burst=5)
        return GeckoTerminalProvider(base_url=settings.geckoterminal_url, admit=FairPace(pace))
    key = settings.ave_api_key.get_secret_value() if settings.ave_api_key else ""
    pace = SharedPace(database, clock, name, timedelta(seconds=1) / AVE_REQUESTS_A_SECOND[settings.ave_api_plan])
    return AveProvider(key, data_url=settings.ave_data_url, trade_url=settings.ave_trade_url, admit=FairPace(pace))


def jobs_at(url: str, queue: str, handler: Handler) -> Jobs:
    if url.startswith("memory://"):
        return LocalJobs(handler, slots=COMPUTE_SLOTS)
    # Imported here because its library makes every start slower, and a single process needs no queue.
    from strategybot.kit.queue import QueuedJobs  # noqa: PLC0415

    return QueuedJobs(url, queue, handler, slots=COMPUTE_SLOTS, check_interval=COMPUTE_CHECK)


def nudges_at(url: str) -> Nudges | None:
    if url.startswith("memory://"):
        return None
    from strategybot.kit.nudges import RedisNudges  # noqa: PLC0415  as above

    return RedisNudges(url)
