"""The costs of a run: its worker reads the token's pool once, before the first candle, and stores what it found."""

from typing import Protocol

from strategybot.kit.clock import Clock, iso_text
from strategybot.kit.database import Database
from strategybot.kit.threads import in_thread
from strategybot.market.service import Market
from strategybot.runs.leases import Lease, Leased, write_under
from strategybot.trading.engine.run_costs import RunCosts


class CostedRun(Protocol):
    """A run of one token, by the columns that this module reads and sets."""

    costs: RunCosts | None
    token_symbol: str | None
    token: str
    chain: str

    @property
    def lease(self) -> Lease: ...


async def read_costs(market: Market, clock: Clock, run: CostedRun) -> bool:
    """Give the run the figures of its token's pool, and the token's symbol; return False if it has them already."""
    if run.costs is None or run.costs.are_read:
        return False
    facts = await market.pool(f"{run.token}-{run.chain}")
    run.costs, run.token_symbol = run.costs.read(facts, iso_text(clock())), facts.symbol
    return True


async def settle_costs(database: Database, market: Market, clock: Clock, model: type[Leased], run: CostedRun) -> None:
    """Read the costs of the run and store them, so that whoever resumes it trades with the same numbers."""
    if not await read_costs(market, clock, run):
        return

    def save() -> None:
        with database.write() as session:
            write_under(session, model, run.lease, costs=run.costs, token_symbol=run.token_symbol)

    await in_thread(save)
