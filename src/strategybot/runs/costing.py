"""The costs of a run: its worker reads the token's pool once, before the first candle, and stores what it found."""

from strategybot.kit.clock import Clock, iso_text
from strategybot.kit.database import Database
from strategybot.kit.threads import run_blocking
from strategybot.market.service import Market
from strategybot.runs.leases import write_under
from strategybot.runs.storage import TokenRun


async def read_costs(market: Market, clock: Clock, run: TokenRun) -> bool:
    """Give the run the figures of its token's pool, and the token's symbol; return False if it has them already."""
    if run.costs is None or run.costs.are_read:
        return False
    facts = await market.pool(run.token_id)
    run.costs, run.token_symbol = run.costs.read(facts, iso_text(clock())), facts.symbol
    return True


async def settle_costs(database: Database, market: Market, clock: Clock, run: TokenRun) -> None:
    """Read the costs of the run and store them, so that whoever resumes it trades with the same numbers."""
    if not await read_costs(market, clock, run):
        return

    def save() -> None:
        with database.write() as session:
            write_under(session, type(run), run.lease, costs=run.costs, token_symbol=run.token_symbol)

    await run_blocking(save)
