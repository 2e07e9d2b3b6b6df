"""The stage of a task: an installation of its own, with a database, a market and an account for this task only."""

import asyncio
import shutil
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from strategybot.accounts.credentials import Passwords
from strategybot.accounts.schemas import Registration, UserSettings
from strategybot.accounts.service import Principal
from strategybot.app import Services, conversations_of, working
from strategybot.backtests.schemas import BacktestRequest, BacktestView
from strategybot.bots.schemas import BotDraft, BotView
from strategybot.conversations.schemas import ConversationDraft, ToolCallView
from strategybot.evaluation.counting import CountedModel
from strategybot.evaluation.tasks import GivenBot, Task
from strategybot.kit.database import Database
from strategybot.kit.paging import Paging
from strategybot.kit.threads import run_blocking
from strategybot.market.demo import DemoProvider
from strategybot.market.demo_tokens import LISTINGS, Listing
from strategybot.migrations import migrate
from strategybot.settings import Settings
from strategybot.simulations.schemas import SimulationRequest
from strategybot.trading.language.strategy import Strategy

BEGINNING = datetime(2026, 11, 2, 12, tzinfo=UTC)  # the demo market's candles depend on the time
EMAIL, PASSWORD = "user@example.com", "an account for one task"
EVERYTHING = Paging(1, 100)
DAYS_OF_BACKTESTS = (20, 10, 5)
SECONDS_TO_WAIT = 120


@dataclass(frozen=True, slots=True)
class State:
    """What the user has: their bots, which runs there are, and how their simulations stand."""

    bots: dict[str, Any]
    simulations: dict[str, str]


@dataclass(frozen=True, slots=True)
class Played:
    """What happened in the turns of a task."""

    answers: list[str]
    calls: list[ToolCallView]
    unverified: list[str]
    before: State
    after: State
    seconds: float


class Stage:
    def __init__(self, services: Services, principal: Principal, defaults: UserSettings) -> None:
        self._services, self.principal, self.defaults = services, principal, defaults
        self.linked: str | None = None

    async def play(self, task: Task, model: CountedModel, settings: Settings) -> Played:
        """Set the stage, say everything, and return what happened."""
        for given in task.bots:
            await self._make(given)
        conversations = conversations_of(self._services, settings, model)
        draft = ConversationDraft(bot_id=self.linked)
        conversation = await run_blocking(conversations.begin, self.principal, draft)
        before, begun = await run_blocking(self._state), time.monotonic()
        messages = []
        for text in task.say:
            turn = await conversations.chat(self.principal, self.defaults, conversation.id, text)
            messages.append((await turn.outcome()).message)
        seconds = time.monotonic() - begun
        self.linked = (await run_blocking(conversations.conversation, self.principal, conversation.id)).bot_id
        return Played(
            answers=[message.content for message in messages],
            calls=[call for message in messages for call in message.tool_calls],
            unverified=[number for message in messages if message.receipts for number in message.receipts.unverified],
            before=before,
            after=await run_blocking(self._state),
            seconds=seconds,
        )

    async def bot(self, name: str | None) -> BotView | None:
        """Return the bot with this name, or the linked one."""
        page = await run_blocking(self._services.bots.page, self.principal, EVERYTHING)
        return next((bot for bot in page.bots if (bot.id == self.linked if name is None else bot.name == name)), None)

    async def test(self, bot_id: str, days: int, **request: Any) -> BacktestView:
        """Run a backtest of the bot to its end."""
        end = int(BEGINNING.timestamp())  # the clock goes on, and two runs must see the same candles
        span = {"start_time": end - days * 86_400, "end_time": end}
        asked = BacktestRequest.model_validate({**span, **request})
        run = await self._services.backtests.start(self.principal, self.defaults, bot_id, asked)
        async with asyncio.timeout(SECONDS_TO_WAIT):
            while run.status in ("pending", "running"):
                await asyncio.sleep(0.02)
                run = await run_blocking(self._services.backtests.run, self.principal, bot_id, run.run_id)
        return run

    async def trades_of(self, strategy: Strategy | None) -> list[tuple[Any, ...]]:
        """Return the trades of a strategy on given candles: those of SOL in the market of the task."""
        token = await self._services.tools.token_choice.token_id("SOL", "solana")
        draft = BotDraft(name=f"Graded {time.monotonic_ns()}", token=token, strategy=strategy)
        bot = await run_blocking(self._services.bots.create, self.principal, draft)
        run = await self.test(bot.id, 20, kline_interval="5m", intrabar="off")
        page = await run_blocking(self._services.backtests.trades, self.principal, bot.id, run.run_id, EVERYTHING)
        return [
            (trade.entry_time, trade.exit_time, trade.entry_price, trade.exit_price, trade.quantity)
            for trade in page.trades
        ]

    async def _make(self, given: GivenBot) -> None:
        token = given.token and await self._services.tools.token_choice.token_id(given.token, "solana")
        draft = BotDraft(name=given.name, description=given.description, token=token, strategy=given.strategy)
        bot = await run_blocking(self._services.bots.create, self.principal, draft)
        self.linked = bot.id
        for days in DAYS_OF_BACKTESTS[: given.backtests]:
            await self.test(bot.id, days, kline_interval="15m")
        if given.simulation is not None:
            request = SimulationRequest(mode=given.simulation)
            await self._services.simulations.start(self.principal, self.defaults, bot.id, request)

    def _state(self) -> State:
        bots = self._services.bots.page(self.principal, EVERYTHING).bots
        fields = {"token", "chain", "strategy", "description"}
        kept = {bot.name: bot.model_dump(mode="json", include=fields) for bot in bots}
        runs = [
            run
            for bot in bots
            for run in self._services.simulations.page(self.principal, bot.id, EVERYTHING).simulations
            if run.mode == "live"  # a replay ends by itself
        ]
        return State(kept, {run.run_id: run.status for run in runs})


def template(folder: Path) -> Path:
    """Return a new database with all tables, from which that of each task is copied."""
    path = folder / "template.db"
    database = Database(f"sqlite:///{path}")
    migrate(database)
    database.close()
    return path


@asynccontextmanager
async def set_up(task: Task, settings: Settings, copied: Path) -> AsyncIterator[Stage]:
    """Yield the stage of a task, with everything running that runs in the service."""
    begun = time.monotonic()

    def clock() -> datetime:
        return BEGINNING + timedelta(seconds=time.monotonic() - begun)

    strange = [_listing(token.symbol, token.name, token.chain) for token in task.tokens]
    provider = DemoProvider(clock, task.seed, (*LISTINGS, *strange))
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(copied, f"{folder}/strategybot.db")
        own = settings.model_copy(update={"data_dir": Path(folder), "database_url": None, "queue_url": "memory://"})
        services = Services(own, clock, passwords=Passwords(time_cost=1, memory_kib=8), provider=provider)
        async with working(services):
            yield await _with_account(services)


async def _with_account(services: Services) -> Stage:
    await services.accounts.register(Registration(email=EMAIL, password=PASSWORD), "127.0.0.1", None)
    await run_blocking(services.operator.set_tier, EMAIL, "pro")
    return Stage(services, *await run_blocking(services.accounts.account, EMAIL))


def _listing(symbol: str, name: str, chain: str) -> Listing:
    return Listing(symbol, name, chain, 0.5, 9, 2e6, 3e6, 1e9, 6, 4_000, "common")
