"""Previews: where a strategy would have bought on recent candles, without a run."""

import numpy as np

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Principal
from strategybot.backtests.chart_points import fitted_lines
from strategybot.backtests.schemas import EasierStrategy, PreviewRequest, PreviewView
from strategybot.backtests.service import Backtests
from strategybot.backtests.storage import Backtest
from strategybot.bots.schemas import BotView
from strategybot.bots.service import Bots, strategy_to_run
from strategybot.kit.clock import Clock, utc_moment
from strategybot.kit.limits import RollingLimit
from strategybot.kit.threads import computing, run_blocking
from strategybot.market.schemas import Kline
from strategybot.market.service import Market
from strategybot.runs.costing import read_costs
from strategybot.runs.planning import interval_for
from strategybot.runs.schemas import SignalView
from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.first_values import untested
from strategybot.trading.engine.instruments import INTERVAL_SECONDS
from strategybot.trading.engine.ledger import DECISION
from strategybot.trading.engine.preparation import Prepared, prepare, warm_up_start
from strategybot.trading.engine.risk import ENTER
from strategybot.trading.engine.signals import Signals
from strategybot.trading.language.cautions import cautions
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.search.easier import FACTORS, easier

FEWEST_CANDLES = 300


class Previews:
    def __init__(self, bots: Bots, backtests: Backtests, market: Market, limit: RollingLimit, clock: Clock) -> None:
        self._bots, self._backtests, self._market, self._limit, self._clock = bots, backtests, market, limit, clock

    async def preview(
        self, principal: Principal, defaults: UserSettings, bot_id: str, request: PreviewRequest, address: str
    ) -> PreviewView:
        """Compute what a backtest of this request would buy; raise whatever starting that backtest would raise."""
        # Visitors of one client address are counted together.
        await run_blocking(
            self._limit.admit_alone, address if principal.standing == "anonymous" else principal.owner_id
        )
        saved = await run_blocking(self._bots.bot, principal, bot_id, None)
        bot = saved if request.strategy is None else saved.model_copy(update={"strategy": request.strategy})
        plan = self._backtests.planned(bot, principal, defaults, self._recent(bot, defaults, request))
        await read_costs(self._market, self._clock, plan)
        early = warm_up_start(plan.start_time, plan.strategy, INTERVAL_SECONDS[plan.kline_interval])
        span, owner_id = (early, plan.end_time), principal.owner_id
        candles, report = await self._market.candles(
            plan.token_id,
            plan.kline_interval,
            *span,
            run_owner_id=owner_id,
            traded_from=plan.start_time,
        )
        return await computing(_view, plan, prepare(candles, report, plan.start_time), request.candles)

    def _recent(self, bot: BotView, defaults: UserSettings, request: PreviewRequest) -> PreviewRequest:
        """Return the request with a start: as many candles before its end as are drawn."""
        if request.start_time is not None:
            return request
        interval = interval_for(strategy_to_run(bot), request.kline_interval, defaults)
        end = int(self._clock().timestamp()) if request.end_time is None else request.end_time
        span = max(request.candles, FEWEST_CANDLES) * INTERVAL_SECONDS[interval]
        return request.model_copy(update={"start_time": max(0, end - span)})


def _view(plan: Backtest, prepared: Prepared, most: int) -> PreviewView:
    signals = _signals(plan.strategy, plan, prepared)
    total = _entries(signals)
    candles = prepared.candles
    shown = candles[max(prepared.start_index, len(candles) - most) :]
    first = int(shown.time[0]) if len(shown) else plan.end_time
    unknown = untested(plan.strategy, candles, prepared.start_index, is_cut=prepared.report.warm_up_cut)
    newest = signals.page(max(0, len(signals) - most), most)  # a candle decides at most once
    return PreviewView(
        token=plan.token,
        chain=plan.chain,
        kline_interval=plan.kline_interval,
        start_time=utc_moment(plan.start_time),
        end_time=utc_moment(plan.end_time),
        klines=[Kline.model_validate(record) for record in shown.records()],
        series=fitted_lines(plan.strategy, candles, first, max(most, 1)).series if most else [],
        entries=[SignalView.model_validate(row) for row in newest if row.side == "buy" and row.time >= first],
        total_entries=total,
        warnings=[
            *([] if unknown is None else [unknown]),
            *cautions(plan.strategy, plan.traded_costs, plan.initial_cash),
        ],
        easier=None if total else _easier(plan, prepared),
    )


def _signals(strategy: Strategy, plan: Backtest, prepared: Prepared) -> Signals:
    start = prepared.start_index
    return run_backtest(strategy, prepared.candles, plan.traded_costs, plan.initial_cash, start_index=start).signals


def _entries(signals: Signals) -> int:
    """Return the number of decisions to buy."""
    return int(np.count_nonzero(signals.decisions[:, DECISION] == ENTER))


def _easier(plan: Backtest, prepared: Prepared) -> EasierStrategy | None:
    for factor in FACTORS:
        strategy = easier(plan.strategy, factor)
        if strategy is None:
            return None
        if found := _entries(_signals(strategy, plan, prepared)):
            return EasierStrategy(strategy=strategy, strategy_summary=strategy.summary, total_entries=found)
    return None
