"""A generated market in which a strategy has an edge, behind a provider that records its calls."""

from bench.worlds import INTERVAL, Market, world
from strategybot.kit.identifiers import new_id
from strategybot.market.schemas import Token
from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import Candles, DataReport, report_of
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.instruments import Interval
from strategybot.trading.language.strategy import Strategy
from strategybot.verdicts.schemas import FinishedRun
from tests.market.scripted import ScriptedProvider

CHAIN = "solana"
COSTS = Costs()


def address(place: int) -> str:
    return f"So1111111111111111111111111111111111111111{place + 10}"


class PlantedProvider(ScriptedProvider):
    """A provider with the candles of nine tokens; all but the first are trending."""

    name = "planted"

    def __init__(self, market: Market, days: int, seed: int, klines_page: int = 50_000) -> None:
        super().__init__(klines_page=klines_page)
        candles = world(market, days, seed)
        self.tokens = {f"{address(place)}-{CHAIN}": each for place, each in enumerate(candles)}

    @property
    def candle_calls(self) -> list[str]:
        """Return the calls for candles of other tokens, without those for the pool of the token itself."""
        return [call for call in self.calls if call not in ("token", "risk")]

    async def klines(
        self,
        token_id: str,
        interval: Interval,  # noqa: ARG002
        start: int | None,
        end: int | None,
        limit: int,
    ) -> tuple[Candles, DataReport]:
        assert start is not None
        assert end is not None
        await self._called(f"klines {token_id}")
        page = self.tokens[token_id].between(start, end + 1)[-limit:]
        return page, report_of(page, dropped=0, duplicates=0, completed=0, repaired=0)

    async def trending(self, chain: str | None, limit: int) -> list[Token]:  # noqa: ARG002
        await self._called("trending")
        dollar = Token(
            token_id=f"{address(50)}-{CHAIN}", address=address(50), chain=CHAIN, symbol="USDC", name="Dollar"
        )
        listed = [
            Token(
                token_id=each, address=each[:-7], chain=CHAIN, symbol=f"T{place}", name="T", liquidity_usd=1e6 - place
            )
            for place, each in enumerate(self.tokens)
        ]
        return [dollar, *listed]


def finished_run(
    provider: PlantedProvider, strategy: Strategy, owner_id: str, run_id: str | None = None
) -> FinishedRun:
    """Return a run of this strategy on the first token, over all its candles."""
    candles = provider.tokens[f"{address(0)}-{CHAIN}"]
    start, end = int(candles.time[0]), int(candles.time[-1]) + INTERVAL
    return FinishedRun(
        run_id=run_id or new_id(),
        owner_id=owner_id,
        token=address(0),
        chain=CHAIN,
        kline_interval="5m",
        fetched_from=start,
        start_time=start,
        end_time=end,
        asked_at=end,
        strategy=strategy,
        costs=COSTS,
        run_costs=None,
        initial_cash=1000.0,
        candles=candles,
        start_index=0,
        result=run_backtest(strategy, candles, COSTS, 1000.0),
    )
