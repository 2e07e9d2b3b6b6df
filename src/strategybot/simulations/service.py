"""Simulations: the owner of the bot starts, follows, stops and verifies them; workers step them in the background."""

from collections.abc import Callable
from datetime import datetime, timedelta

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Accounts, Principal
from strategybot.accounts.tiers import MOST_DETAILED_SIMULATIONS, upsell
from strategybot.backtests.schemas import LinesView
from strategybot.backtests.service import lines_view
from strategybot.bots.schemas import BotSimulation, BotView
from strategybot.bots.service import BotNotFound, Bots, Expected, strategy_to_run
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, Session
from strategybot.kit.errors import Conflict, Gone, NotFound, Refused
from strategybot.kit.limits import RollingLimit
from strategybot.kit.threads import computing, run_blocking, run_read
from strategybot.market.service import Market, NoKlines
from strategybot.runs.costing import read_costs
from strategybot.runs.planning import costs_of, instrument_of, interval_for
from strategybot.runs.service import Runs
from strategybot.runs.storage import count_unfinished
from strategybot.runs.universes import Universes, listing_of, on_first
from strategybot.simulations import saves, storage
from strategybot.simulations.active import ActiveRun, begin
from strategybot.simulations.active_portfolio import begin_portfolio
from strategybot.simulations.expectations import Expectations
from strategybot.simulations.lookback import all_candles, purse_candles, recent_candles
from strategybot.simulations.parity import compare_with_backtest
from strategybot.simulations.portfolio_parity import compared_portfolio
from strategybot.simulations.purses import Purses, followed_live, refuse_unknown_token, with_outlooks
from strategybot.simulations.saves import Pulse
from strategybot.simulations.schemas import (
    KLINE_INTERVALS,
    ParityView,
    SimulationPage,
    SimulationRequest,
    SimulationSummary,
    SimulationView,
    Status,
)
from strategybot.simulations.storage import Simulation
from strategybot.simulations.views import MOST_CANDLES, glance_of, simulation_view, with_outlook
from strategybot.trading.engine.candles import END_OF_TIME, Candles, DataReport, densify
from strategybot.trading.engine.instruments import closed_until
from strategybot.trading.engine.preparation import candles_before
from strategybot.trading.engine.saved_sessions import as_begun, outlook_of

REPLAYED_SECONDS = 3600
TIME_TO_BE_TAKEN_UP = timedelta(minutes=1)
Change = Callable[[Session, Simulation, datetime], None]


class SimulationNotFound(NotFound):
    message = "Simulation not found."


class SimulationStopped(Conflict):
    message = "The simulation is stopped: it cannot be paused or resumed."


class SimulationDetailsDeleted(Gone):
    message = (
        f"The candles and the log of this simulation were deleted: the newest {MOST_DETAILED_SIMULATIONS} simulations "
        "of a bot keep them, older ones keep their portfolio."
    )


class TooManySimulations(Refused):
    def __init__(self, principal: Principal) -> None:
        limit = principal.limits.running_simulations
        message = f"The {principal.standing} tier can run {limit} simulations at once."
        super().__init__(message, upsell(principal.standing, "running simulations"))


class SimulationsNeedAnAccount(Refused):
    def __init__(self) -> None:
        super().__init__("Simulations need an account.", "Sign up for a free account to run simulations.")


class Simulations(Runs[Simulation, SimulationView, SimulationPage]):
    model, missing = Simulation, SimulationNotFound
    summary_type, page_type, plural = SimulationSummary, SimulationPage, "simulations"

    def __init__(
        self,
        database: Database,
        accounts: Accounts,
        bots: Bots,
        market: Market,
        clock: Clock,
        starts: RollingLimit,
    ) -> None:
        super().__init__(database, accounts, bots, market, clock)
        self._starts, self._expectations = starts, Expectations()
        self._universes, self._purses = Universes(market), Purses(market, clock)

    async def start(
        self,
        principal: Principal,
        defaults: UserSettings,
        bot_id: str,
        request: SimulationRequest,
        expected: Expected = None,
    ) -> SimulationView:
        """Fetch the candles, stop the bot's running simulation, and process the first candle."""
        if principal.standing == "anonymous":
            raise SimulationsNeedAnAccount
        bot = await run_read(self._admitted_bot, principal, bot_id, expected)
        now = int(self._clock().timestamp())
        tokens = await self._universes.tokens(principal, defaults, bot, request, (now, now + 1), is_live=True)
        listing = None if tokens is None else listing_of(principal, bot, request, now)
        request = request if tokens is None else followed_live(request)
        run = self._plan(on_first(bot, tokens), principal, defaults, request)
        if tokens is not None:
            run.listing = listing
            candles = await self._purses.fetch(run, tokens, request.dead_token_loss_percent, _span(run))
            return await run_blocking(self._create_portfolio, principal, run, candles)
        found = await self._candles(run)
        await read_costs(self._market, self._clock, run)
        return await run_blocking(self._create, principal, run, found)

    def _admitted_bot(self, principal: Principal, bot_id: str, expected: Expected) -> BotView:
        """Return the bot. Raise before anything is fetched if the owner has started too many simulations."""
        with self._database.read() as session:
            self._starts.refuse_full(session, principal.owner_id)
            self._accounts.refuse_too_many_runs(session, principal)
        return self._bots.bot(principal, bot_id, expected)

    def run(
        self, principal: Principal, bot_id: str, run_id: str, since: int | None = None, token_id: str | None = None
    ) -> SimulationView:
        """Return the run with its last candles, or with the first ones from `since`, so that a long run can be read in
        pages. The candles of a portfolio are those of one token.
        """
        return self.view(self.find(principal, bot_id, run_id), since, token_id)

    def view(self, run: Simulation, since: int | None = None, token_id: str | None = None) -> SimulationView:
        refuse_unknown_token(run, token_id)
        with self._database.read() as session:
            view = simulation_view(session, run, since, token_id)
            view = view.model_copy(update={"expectation": self._expectations.of(session, run)})
            if run.status == "stopped" or not run.details_kept:
                return view
            if run.asked_tokens is not None:
                return with_outlooks(self._market, run, view)
            [(_, history)] = saves.with_history(session, [run])
        candles = recent_candles(self._market, run, history)
        return with_outlook(view, outlook_of(run.strategy, run.traded_costs, run.state, candles))

    def stop(self, principal: Principal, bot_id: str, run_id: str) -> SimulationView:
        """Stop the run. Its worker notices when its next save is refused."""
        with self._database.write() as session:
            run = self.find_owned(session, principal, bot_id, run_id, lock=True)
            if run.status != "stopped":
                storage.stop(session, run, "user", self._clock())
        return self.view(run)

    def pause(self, principal: Principal, bot_id: str, run_id: str) -> SimulationView:
        """Pause the run: it keeps its portfolio and processes no candle until it is resumed."""
        return self._turn(principal, bot_id, run_id, "running", storage.pause)

    def resume(self, principal: Principal, bot_id: str, run_id: str) -> SimulationView:
        """Resume the run: a replay continues where it was, a live run with the candles that close from now on."""
        return self._turn(principal, bot_id, run_id, "paused", storage.resume)

    def _turn(self, principal: Principal, bot_id: str, run_id: str, status: Status, change: Change) -> SimulationView:
        """Change a run of this status; leave one of the other as it is."""
        with self._database.write() as session:
            run = self.find_owned(session, principal, bot_id, run_id, lock=True)
            if run.status == "stopped":
                raise SimulationStopped
            if run.status == status:
                change(session, run, self._clock())
        return self.run(principal, bot_id, run_id)

    def stop_all(self, owner_id: str) -> None:
        """Stop every running simulation of an owner; for the operator."""
        with self._database.write() as session:
            storage.stop_each(session, Simulation.owner_id == owner_id, "user", self._clock())

    def pulse(self) -> Pulse:
        now = self._clock()
        with self._database.read() as session:
            return saves.pulse(session, now)

    async def parity(self, principal: Principal, bot_id: str, run_id: str) -> ParityView:
        return await computing(self._parity, principal, bot_id, run_id)

    def _parity(self, principal: Principal, bot_id: str, run_id: str) -> ParityView:
        with self._database.read() as session:
            run = self.find_owned(session, principal, bot_id, run_id)
            _refuse_without_details(run)
            steps = storage.steps_of(session, run)
            history = storage.history_of(session, run, steps)
        if run.asked_tokens is not None:
            return compared_portfolio(run, steps, purse_candles(self._market, run, history, is_whole=True))
        return compare_with_backtest(run, steps, all_candles(self._market, run, history))

    def lines(
        self,
        principal: Principal,
        bot_id: str,
        run_id: str,
        start: int | None,
        end: int | None,
        token_id: str | None = None,
    ) -> LinesView:
        """Return the series of the run's conditions at the candles of its chart; without `start`, the newest."""
        with self._database.read() as session:
            run = self.find_owned(session, principal, bot_id, run_id)
            _refuse_without_details(run)
            history = storage.history_of(session, run, storage.steps_of(session, run))
        refuse_unknown_token(run, token_id)
        if run.asked_tokens is None:
            candles = all_candles(self._market, run, history)
        else:
            found = purse_candles(self._market, run, history, is_whole=True)
            candles = densify(found[token_id or next(iter(found))], DataReport())[0]
        candles = candles.between(0, END_OF_TIME if end is None else end)
        first = int(candles.time[-MOST_CANDLES:].min(initial=END_OF_TIME)) if start is None else start
        return lines_view(as_begun(run.strategy, run.state), candles, max(run.chart_time, first), MOST_CANDLES)

    async def _candles(self, run: Simulation) -> Candles:
        """Return the candles of the last hour, and those of the look-back that there are, without gaps."""
        span = _span(run)
        token_id = run.token_id
        found, report = await self._market.candles(
            token_id,
            run.kline_interval,
            *span,
            run_owner_id=run.owner_id,
            traded_from=span[1] - REPLAYED_SECONDS,
        )
        if not len(found):
            raise NoKlines(run.token, run.chain)
        return densify(found, report)[0]

    def _create(self, principal: Principal, run: Simulation, candles: Candles) -> SimulationView:
        _set_out(run, candles, self._clock())
        active = begin(run, candles)
        shown = candles.between(run.chart_time, END_OF_TIME)
        view = self._add(principal, run, active, storage.History(shown, self._market.source, int(candles.time[0])))
        return with_outlook(view, outlook_of(run.strategy, run.traded_costs, run.state, candles))

    def _create_portfolio(self, principal: Principal, run: Simulation, candles: dict[str, Candles]) -> SimulationView:
        newest = max(candles.values(), key=lambda own: int(own.time[-1]))
        _set_out(run, newest, self._clock())
        active = begin_portfolio(run, candles)
        shown = {token_id: own.between(run.chart_time, run.start_time) for token_id, own in candles.items()}
        begun = min(int(own.time[0]) for own in candles.values())
        first = next(iter(shown.values()))
        view = self._add(principal, run, active, storage.History(first, self._market.source, begun, shown))
        return with_outlooks(self._market, run, view)

    def _add(
        self, principal: Principal, run: Simulation, active: ActiveRun, history: storage.History
    ) -> SimulationView:
        """Save a new run with its first step; the bot's running simulation is stopped."""
        for name, value in active.progress._asdict().items():
            setattr(run, name, value)
        with self._database.write() as session:
            self._accounts.lock_owner(session, principal)
            self._make_room(session, principal, run)
            self._starts.admit(session, principal.owner_id)
            self._accounts.admit_run(session, principal)
            if not storage.add(session, run, history, [step._asdict() for step in active.steps]):
                raise BotNotFound
            return simulation_view(session, run, None)

    def _make_room(self, session: Session, principal: Principal, run: Simulation) -> None:
        now = run.started_at
        storage.stop_each(session, Simulation.bot_id == run.bot_id, "replaced", now)
        saves.stop_unheld_of(session, principal.owner_id, now, now - TIME_TO_BE_TAKEN_UP)
        if count_unfinished(session, Simulation, principal.owner_id) >= principal.limits.running_simulations:
            raise TooManySimulations(principal)

    def _plan(
        self, bot: BotView, principal: Principal, defaults: UserSettings, request: SimulationRequest
    ) -> Simulation:
        token, chain = instrument_of(bot, request.token, request.chain, defaults.default_chain)
        interval = interval_for(strategy_to_run(bot), request.kline_interval, defaults, KLINE_INTERVALS)
        return Simulation(
            **self.columns(principal, bot),
            **costs_of(request, defaults),
            token=token,
            chain=chain,
            intrabar=request.intrabar,
            mode=request.mode,
            check_interval=request.check_interval or defaults.default_check_interval,
            kline_interval=interval,
        )


def simulations_at_a_glance(session: Session, owner_id: str) -> dict[str, BotSimulation]:
    """Return the owner's simulations that are running or paused, by the ids of their bots."""
    return {row.bot_id: glance_of(row) for row in storage.at_a_glance(session, owner_id)}


def _span(run: Simulation) -> tuple[int, int]:
    """Return the start and end of the candles that a new run needs: one hour and the look-back."""
    seconds = run.interval_seconds
    end = closed_until(run.created_at.timestamp(), seconds)
    return candles_before(end - REPLAYED_SECONDS, run.lookback, seconds), end


def _set_out(run: Simulation, candles: Candles, now: datetime) -> None:
    """Set the start of the run: a replay starts an hour before the last candle, a live run at the last candle."""
    run.started_at = now
    last = int(candles.time[-1])
    hour = candles.between(last + candles.interval_seconds - REPLAYED_SECONDS, last + 1)[-MOST_CANDLES:]
    run.chart_time = int(hour.time[0])
    run.start_time, run.candles_total = (last, 1) if run.mode == "live" else (run.chart_time, len(hour))
    run.candles_processed = 0
    run.due_at = now + timedelta(seconds=run.check_interval)


def _refuse_without_details(run: Simulation) -> None:
    if not run.details_kept:
        raise SimulationDetailsDeleted
