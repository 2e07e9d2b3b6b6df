"""The owner of a simulation is notified once of each purchase, sale, large loss, wait for the market and stop."""

import asyncio
import re

import pytest

from strategybot.accounts.service import Principal
from strategybot.kit.threads import run_blocking
from strategybot.market.provider import ProviderFailure
from strategybot.market.provider_gate import SHARED_SECONDS
from strategybot.market.schemas import TokenDetail
from strategybot.notifications.storage import Notification
from strategybot.simulations.notices import Drawdown, Traded
from strategybot.simulations.runner import Runner
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.paper import PaperSession
from tests.engines import on_both, on_sqlite_alone
from tests.market.scripted import TOKEN_ID
from tests.simulations.stage import Stage
from tests.support import ManualClock
from tests.trading.builders import drop, random_candles, strategy_of

pytestmark = on_sqlite_alone
TRADED = Traded("live", "PIPO")


async def step(clock: ManualClock, runner: Runner, seconds: float, stage: Stage, *faults: str) -> None:
    """Move the clock and let the runner step; the database may fail while it saves."""
    clock.advance(seconds=seconds)
    await run_blocking(runner.leases.heartbeat)
    await runner.look()
    stage.database.away = list(faults)
    await runner.turn()
    await runner.finish_background_work()
    stage.database.away = []


def told(stage: Stage, who: Principal) -> list[Notification]:
    with stage.database.read() as session:
        of_owner = session.query(Notification).filter(Notification.owner_id == who.owner_id)
        return list(of_owner.order_by(Notification.id))


@pytest.mark.parametrize("fault", ["none", "before", "after"])
def test_every_purchase_and_sale_is_notified_once_also_after_a_database_outage(
    stage: Stage, clock: ManualClock, fault: str
) -> None:
    async def test() -> None:
        who = await stage.user()
        run = await stage.start(who, stage.bot(who))
        runner = stage.runner()
        for _ in range(60):
            await step(clock, runner, 10, stage, fault)
            await step(clock, runner, 1, stage)  # it tries again
        seen = stage.read(who, run)
        assert seen.status == "stopped"
        moves = [entry for entry in seen.trade_log if entry.action != "HOLD"]
        assert len(moves) > 3
        events = {"BUY": "simulation.bought", "SELL": "simulation.sold"}
        found = told(stage, who)
        assert [each.event for each in found] == [*(events[entry.action] for entry in moves), "simulation.stopped"]
        assert all(each.text.startswith(f"{entry.reason}.") for each, entry in zip(found, moves, strict=False))
        assert all(each.title.startswith("Dip buyer: Replay: ") for each in found)
        sold = next(each for each in found if each.event == "simulation.sold")
        assert re.fullmatch(
            r"Dip buyer: Replay: sold [\d,.]+ tokens at \$[\d.]+, [+−]\$[\d,.]+ \([a-z ]+\)", sold.title
        )
        assert "It paid fee $" in sold.text
        assert {(each.bot_id, each.run_id) for each in found} == {(run.bot_id, run.run_id)}

    asyncio.run(test())


def test_a_run_that_waits_for_the_market_for_five_minutes_notifies_once(stage: Stage, clock: ManualClock) -> None:
    async def test() -> None:
        who = await stage.user()
        await stage.start(who, stage.bot(who), mode="live")
        runner = stage.runner()
        await step(clock, runner, 60, stage)
        counts = []
        for _ in range(10):
            stage.provider.faults = [ProviderFailure("no connection")]
            await step(clock, runner, 60, stage)
            counts.append(sum(each.event == "simulation.waiting" for each in told(stage, who)))
        assert counts == [0] * 5 + [1] * 5

    asyncio.run(test())


@on_both
def test_a_stop_is_notified(stage: Stage) -> None:
    async def test() -> None:
        who = await stage.user()
        run = await stage.start(who, stage.bot(who))
        stage.simulations.stop(who, run.bot_id, run.run_id)
        (notification,) = told(stage, who)
        assert (notification.event, notification.text) == ("simulation.stopped", "The simulation was stopped.")

    asyncio.run(test())


def test_each_further_ten_percent_below_the_peak_is_notified_once() -> None:
    drawdown = Drawdown(TRADED, 100)
    values = [95, 90, 91, 89, 80, 85, 79, 101, 91, 90]
    counts = [len(drawdown.notices(value)) for value in values]
    assert counts == [0, 1, 0, 0, 1, 0, 0, 0, 0, 1]


def test_losses_before_a_restart_are_not_notified_again() -> None:
    drawdown = Drawdown(TRADED, 100, 85)
    assert [len(drawdown.notices(value)) for value in (84, 80, 79)] == [0, 1, 0]


def test_a_restored_session_knows_its_highest_equity() -> None:
    strategy, candles = strategy_of(drop(1)), random_candles(3, 300, calm=0.01)
    session = PaperSession(strategy, Costs(), 1000, candles.interval_seconds)
    session.advance(candles)
    assert session.highest_equity > 1000
    assert PaperSession.restore(strategy, Costs(), session.state(), candles).highest_equity == session.highest_equity


def token_with(liquidity: float) -> TokenDetail:
    address, chain = TOKEN_ID.split("-")
    return TokenDetail(
        token_id=TOKEN_ID, address=address, chain=chain, symbol="PIPO", name="P", liquidity_usd=liquidity, pairs=[]
    )


async def replace_pool(stage: Stage, liquidity: float) -> None:
    stage.provider.detail = token_with(liquidity)
    await asyncio.sleep(1.2 * SHARED_SECONDS)  # for so long the market repeats its last answer


def test_a_live_run_trades_with_the_pool_it_began_with_and_tells_once_if_half_of_it_is_gone(
    stage: Stage, clock: ManualClock
) -> None:
    async def test() -> None:
        who = await stage.user()
        stage.provider.detail = token_with(100_000)
        run = await stage.start(who, stage.bot(who), mode="live")
        assert run.costs is not None
        assert (run.costs.liquidity_usd, run.costs.sources.liquidity, run.token_symbol) == (100_000, "provider", "PIPO")
        runner = stage.runner()
        await replace_pool(stage, 51_000)
        for minutes in (1, 59, 60):
            await step(clock, runner, 60 * minutes, stage)
        assert stage.read(who, run).pool_warning is None
        await replace_pool(stage, 50_000)
        for _ in range(3):
            await step(clock, runner, 3600, stage)
            await step(clock, runner, 60, stage)
        seen = stage.read(who, run)
        assert seen.status == "running"
        assert seen.costs == run.costs
        assert seen.pool_warning is not None
        assert "half of its liquidity" in seen.pool_warning
        assert [entry.reason for entry in seen.trade_log].count(seen.pool_warning) == 1
        found = [each for each in told(stage, who) if each.event == "simulation.pool"]
        assert [each.title for each in found] == ["Dip buyer: Paper: the pool of PIPO has changed"]
        parity = await stage.simulations.parity(who, run.bot_id, run.run_id)
        assert parity.differences == []

    asyncio.run(test())
