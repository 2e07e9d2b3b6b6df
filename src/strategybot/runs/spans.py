"""Which span of history a run sees: what it asks for, within the tier's candles and outside of a sealed holdout."""

from strategybot.accounts.service import Principal
from strategybot.accounts.tiers import upsell
from strategybot.bots.schemas import DEFAULT_SPAN_SECONDS, Holdout
from strategybot.kit.errors import FieldError, InvalidInput, Refused
from strategybot.runs.schemas import SpanRequest
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, Interval, closed_until

MOST_PORTFOLIO_CANDLES = 5_000_000
PORTFOLIO_FACTOR = 5  # a portfolio may have so many times the candles of a backtest, of all its tokens together


class SpanTooLong(Refused):
    def __init__(self, principal: Principal, candles: int, limit: int, what: str) -> None:
        super().__init__(
            f"{_whose(principal, what)} can have {limit} candles, and this one would have {candles}.",
            upsell(principal.standing, "candles a backtest"),
        )


class LooksBackTooFar(Refused):
    """The conditions may need at most as many candles to be known as a run may have."""

    def __init__(self, principal: Principal, candles: int) -> None:
        limit = principal.limits.candles_per_backtest
        super().__init__(
            f"{_whose(principal)} can look back on {limit} candles before its start, and this one would on {candles}.",
            upsell(principal.standing, "candles a backtest"),
        )


def span_of(
    principal: Principal,
    request: SpanRequest,
    interval: Interval,
    holdout: Holdout | None,
    now: int,
    warm_up: int,
    tokens: int = 1,
) -> tuple[int, int]:
    """Return start and end in unix seconds. `warm_up`, the candles that a condition needs to be known, must be
    allowed too. A portfolio has the candles of so many `tokens`.
    """
    seconds, most = INTERVAL_SECONDS[interval], principal.limits.candles_per_backtest
    in_all, what = (most, "backtest") if tokens == 1 else (_portfolio_candles(most), "portfolio")
    visible_until = _visible_until(request, closed_until(now, seconds), holdout)
    start, end = _span(request, visible_until, in_all // tokens * seconds)
    candles = -(-(end - start) // seconds) * tokens
    if candles > in_all:
        raise SpanTooLong(principal, candles, in_all, what)
    if warm_up > most:
        raise LooksBackTooFar(principal, warm_up)
    return start, end


def _portfolio_candles(most: int) -> int:
    return min(PORTFOLIO_FACTOR * most, MOST_PORTFOLIO_CANDLES)


def _whose(principal: Principal, what: str = "backtest") -> str:
    anonymous = principal.standing == "anonymous"
    return f"{'Without an account' if anonymous else f'In the {principal.standing} tier'} a {what}"


def _visible_until(request: SpanRequest, last_close: int, holdout: Holdout | None) -> int:
    """Return the end of the history that the run may use: the last closed candle, or the start of the holdout."""
    if holdout is None or not holdout.sealed:
        return last_close
    visible_until = min(last_close, int(holdout.from_time.timestamp()))
    if request.start_time is not None and request.start_time >= visible_until:
        raise InvalidInput([FieldError("start_time", "lies in the sealed part of this bot's history")])
    return visible_until


def _span(request: SpanRequest, visible_until: int, most_seconds: int) -> tuple[int, int]:
    """Return the span, up to the last closed candle, so that the result does not depend on when it is computed.

    The default start is 30 days earlier, or less if the tier allows fewer candles.
    """
    end = visible_until if request.end_time is None else min(visible_until, request.end_time)
    usual = max(0, end - min(DEFAULT_SPAN_SECONDS, most_seconds))
    start = usual if request.start_time is None else request.start_time
    if start >= end:
        raise InvalidInput([FieldError("start_time", "must be before end_time, and before the last closed candle")])
    return start, end
