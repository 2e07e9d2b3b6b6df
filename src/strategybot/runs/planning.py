"""What a new run begins with: its candles, its token and its cash, from the request, the bot or the user's settings."""

import re
from collections.abc import Sequence

from strategybot.accounts.schemas import UserSettings
from strategybot.bots.schemas import BotView
from strategybot.kit.errors import FieldError, InvalidInput
from strategybot.kit.json_object import Json
from strategybot.runs.schemas import CostsRequest
from strategybot.trading.engine.instruments import CHAIN_PATTERN, INTERVALS, Interval, address_and_chain
from strategybot.trading.engine.resolution import fits, misfit, recommended_interval
from strategybot.trading.language.strategy import Strategy

_CHAIN = re.compile(CHAIN_PATTERN)


class IntervalDoesNotFit(InvalidInput):
    """The interval is too long for the strategy, or so short that it needs too many candles.

    `suggested` is None if no interval fits.
    """

    def __init__(self, sentence: str, suggested: Interval | None) -> None:
        super().__init__([FieldError("kline_interval", sentence)])
        self.message = sentence
        self._suggested = suggested

    def body(self) -> dict[str, object]:
        return {**super().body(), "suggested_kline_interval": self._suggested}


def interval_for(
    strategy: Strategy, asked: Interval | None, defaults: UserSettings, among: Sequence[Interval] = INTERVALS
) -> Interval:
    """Return the requested interval, else the user's own if it is set and fits, else the recommended one.

    Raise IntervalDoesNotFit if the requested interval does not fit, or if none does.
    """
    best = recommended_interval(strategy, among)
    own = defaults.own_kline_interval()
    usual = own if own is not None and own in among and fits(strategy, own) else best
    chosen = asked or usual
    problem = misfit(strategy, chosen, among)
    if problem is not None:
        raise IntervalDoesNotFit(problem, best if fits(strategy, best) else None)
    return chosen


def instrument_of(bot: BotView, token: str | None, chain: str | None, default_chain: str) -> tuple[str, str]:
    """Return the address and chain of a run. A separate chain takes precedence; without one, the token may be a token
    id.
    """
    token, beside = (token, chain) if token else (bot.token, chain or bot.chain)
    if token is None:
        raise InvalidInput([FieldError("token", "is required: neither the request nor the bot names one")])
    address, ending = address_and_chain(token)
    if address and (ending == beside if beside else _CHAIN.fullmatch(ending)):
        return address, ending
    return token, beside or bot.chain or default_chain


def costs_of(request: CostsRequest, defaults: UserSettings) -> Json:
    """Return the columns of a run's cash and costs: those of the request, or of the user's settings."""
    money = defaults.chosen(
        initial_cash=request.initial_cash,
        fee_percent=request.fee_percent,
        slippage_percent=request.slippage_percent,
    )
    return {**money, "costs": request.run_costs(money["fee_percent"], money["slippage_percent"])}
