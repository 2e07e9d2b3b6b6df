"""The sealed holdout: a bot's newest history, hidden from its backtests until it is opened, once."""

from strategybot.accounts.service import Principal
from strategybot.backtests.schemas import DEFAULT_SPAN_SECONDS
from strategybot.backtests.service import Backtests
from strategybot.bots.schemas import BotView
from strategybot.bots.service import Bots
from strategybot.kit.clock import Clock, utc_moment
from strategybot.kit.errors import FieldError, InvalidInput
from strategybot.research.schemas import HoldoutRequest

SEALED_SHARE = 0.25
HOUR = 3600


class Holdouts:
    def __init__(self, bots: Bots, backtests: Backtests, clock: Clock) -> None:
        self._bots, self._backtests, self._clock = bots, backtests, clock

    def seal(self, principal: Principal, bot_id: str, request: HoldoutRequest) -> BotView:
        """Seal from the requested time, or by default the newest quarter of the history that the bot's runs
        have used.
        """
        now = int(self._clock().timestamp())
        begin = self._backtests.earliest_start(principal, bot_id)
        begin = now - DEFAULT_SPAN_SECONDS if begin is None else begin
        start = request.from_time
        if start is None:
            start = int(now - SEALED_SHARE * (now - begin)) // HOUR * HOUR
        if start >= now:
            raise InvalidInput([FieldError("from", "must lie in the past: only history can be sealed")])
        return self._bots.seal(principal, bot_id, utc_moment(start))

    def open(self, principal: Principal, bot_id: str) -> BotView:
        return self._bots.open_holdout(principal, bot_id)
