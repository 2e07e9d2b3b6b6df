"""Watches: the owner of a bot is told when the entry conditions of its strategy become true. Nothing is traded."""

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Principal
from strategybot.accounts.tiers import upsell
from strategybot.bots.service import BotNotFound, strategy_to_run
from strategybot.kit.errors import NotFound, Refused
from strategybot.runs.planning import instrument_of, interval_for
from strategybot.runs.schemas import RunToken
from strategybot.runs.service import NeedsAnAccount, Runs, TooManyTokens
from strategybot.runs.storage import add, count_unfinished
from strategybot.watches import storage
from strategybot.watches.schemas import WatchedToken, WatchPage, WatchRequest, WatchSignal, WatchSummary, WatchView
from strategybot.watches.storage import Watch


class WatchNotFound(NotFound):
    message = "Watch not found."


class TooManyWatches(Refused):
    def __init__(self, principal: Principal) -> None:
        limit = principal.limits.running_simulations
        message = f"The {principal.standing} tier can run {limit} watches at once."
        super().__init__(message, upsell(principal.standing, "running watches"))


class Watches(Runs[Watch, WatchView, WatchPage]):
    model, missing = Watch, WatchNotFound
    summary_type, page_type, plural = WatchSummary, WatchPage, "watches"

    def start(self, principal: Principal, defaults: UserSettings, bot_id: str, request: WatchRequest) -> WatchView:
        """Save the watch, for a worker to take up. A running one of the same bot is stopped."""
        run = self._plan(principal, defaults, bot_id, request)
        with self._database.write() as session:
            self._accounts.lock_owner(session, principal)
            storage.stop_each(session, Watch.bot_id == bot_id, "replaced", run.created_at)
            if count_unfinished(session, Watch, principal.owner_id) >= principal.limits.running_simulations:
                raise TooManyWatches(principal)
            self._accounts.admit_run(session, principal)
            if not add(session, run):
                raise BotNotFound
        return self.view(run)

    def stop(self, principal: Principal, bot_id: str, run_id: str) -> WatchView:
        """Stop the watch. Its worker notices within seconds; a stopped one is not changed."""
        with self._database.write() as session:
            run = self.find_owned(session, principal, bot_id, run_id, lock=True)
            if run.status != "stopped":
                storage.stop(session, run, "user", self._clock())
        return self.view(run)

    def stop_all(self, owner_id: str) -> None:
        """Stop every running watch of an owner; for the operator."""
        with self._database.write() as session:
            storage.stop_each(session, Watch.owner_id == owner_id, "user", self._clock())

    def view(self, run: Watch) -> WatchView:
        with self._database.read() as session:
            signals = storage.signals_of(session, run.run_id)
        return WatchView(
            **dict(WatchSummary.model_validate(run)),
            strategy=run.strategy,
            strategy_summary=run.strategy.summary,
            signals=[WatchSignal.model_validate(each) for each in signals],
        )

    def _plan(self, principal: Principal, defaults: UserSettings, bot_id: str, request: WatchRequest) -> Watch:
        bot, most = self._bots.bot(principal, bot_id), principal.limits.watch_tokens
        if not most:
            raise NeedsAnAccount(principal, self.plural)
        if request.tokens is None:
            token, chain = instrument_of(bot, None, None, defaults.default_chain)
            tokens = self.tokens_once(bot, defaults, [RunToken(token=token, chain=chain)])
        else:
            tokens = self.tokens_once(bot, defaults, request.tokens)
        if len(tokens) > most:
            raise TooManyTokens(principal, "watch", most, len(tokens))
        columns = self.columns(principal, bot)
        nothing_seen = {"symbol": None, "met": None, "last_time": None, "price": None, "signals": 0, "waiting": None}
        return Watch(
            **columns,
            kline_interval=interval_for(strategy_to_run(bot), request.kline_interval, defaults),
            tokens=[WatchedToken(**each, **nothing_seen).model_dump() for each in tokens],
            total_signals=0,
            due_at=columns["created_at"],
        )
