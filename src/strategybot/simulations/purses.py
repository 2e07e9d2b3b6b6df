"""What a simulation of many tokens begins with, and what is shown of each of them."""

import asyncio
from collections.abc import Sequence
from http import HTTPStatus

from strategybot.kit.clock import Clock, iso_text
from strategybot.kit.errors import AppError, FieldError, InvalidInput
from strategybot.kit.json_object import Json
from strategybot.market.service import Market, NoKlines
from strategybot.runs.storage import token_id_of
from strategybot.simulations.lookback import last_candles
from strategybot.simulations.schemas import PurseTokenView, SimulationRequest, SimulationView
from strategybot.simulations.storage import Simulation
from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.positions import DAY
from strategybot.trading.engine.preparation import candles_before
from strategybot.trading.engine.saved_sessions import purse_outlook_of
from strategybot.trading.words.numbers import counted, finite

LEAST_SERVER_ERROR = 500
NOT_REPLAYED = "must be live: a simulation of many tokens follows the market, and a replay has one token"


class NoTokenHasKlines(InvalidInput):
    """None of the tokens can be traded; `reason` is why the first cannot."""

    def __init__(self, reason: str) -> None:
        super().__init__([FieldError("tokens", f"has no token that can be traded: {reason}")])


def followed_live(request: SimulationRequest) -> SimulationRequest:
    """Return the request of a purse, which is always live. Raise if it asks for a replay."""
    if "mode" in request.model_fields_set and request.mode != "live":
        raise InvalidInput([FieldError("mode", NOT_REPLAYED)])
    return request.model_copy(update={"mode": "live", "token": None, "chain": None})


def refuse_unknown_token(run: Simulation, token_id: str | None) -> None:
    """Raise unless the run trades this token; None is any."""
    own = [run.token_id] if run.asked_tokens is None else [token.token_id for token in run.traded_tokens]
    if token_id is not None and token_id not in own:
        raise InvalidInput([FieldError("token_id", "is no token of this run")])


class Purses:
    def __init__(self, market: Market, clock: Clock) -> None:
        self._market, self._clock = market, clock

    async def fetch(
        self, run: Simulation, tokens: list[Json], dead_token_loss_percent: float | None, span: tuple[int, int]
    ) -> dict[str, Candles]:
        """Give the run its tokens with their costs, and return their candles; raise if no token has any."""
        is_alone = len(tokens) == 1 and run.listing is None
        span = span if is_alone else (_ranked_from(run, *span), span[1])
        found = await asyncio.gather(*(self._token(run, each, span, is_alone=is_alone) for each in tokens))
        run.asked_tokens, run.dead_token_loss_percent = [row for row, _ in found], dead_token_loss_percent
        run.token_symbol = "trending tokens" if run.listing else counted(len(tokens), "token")
        candles = {row["token_id"]: own for row, own in found if own is not None}
        if not candles:
            raise NoTokenHasKlines(found[0][0]["error"])
        return candles

    async def joining(
        self, run: Simulation, place: int, tokens: Sequence[Json], *, is_patient: bool
    ) -> list[tuple[Json, Candles | None]]:
        """Return the row of each token that is traded from a place of the grid on, and the candles before it."""
        span = (_ranked_from(run, candles_before(place, run.lookback, run.interval_seconds), place), place)
        asked = [{**each, "joined": list(span)} for each in tokens]
        return await asyncio.gather(*(self._token(run, each, span, is_patient=is_patient) for each in asked))

    async def _token(
        self, run: Simulation, asked: Json, span: tuple[int, int], *, is_alone: bool = False, is_patient: bool = False
    ) -> tuple[Json, Candles | None]:
        """Return the row of a token and its candles; the row of one that cannot be traded says why.

        If it `is_patient`, an error that may pass is raised.
        """
        token_id = token_id_of(asked)
        row: Json = {"token_id": token_id, **asked, "symbol": None, "costs": None, "risk_level": None, "error": None}
        start, end = span
        try:
            facts = await self._market.pool(token_id)
            candles, _ = await self._market.candles(
                token_id, run.kline_interval, start, end, run_owner_id=run.owner_id, traded_from=end
            )
            if not len(candles) or (not is_alone and int(candles.time[-1]) < end - DAY):
                raise NoKlines(asked["token"], asked["chain"])
        except AppError as error:
            if is_patient and (error.status == HTTPStatus.TOO_MANY_REQUESTS or error.status >= LEAST_SERVER_ERROR):
                raise
            return {**row, "error": error.message}, None
        costs = run.costs.read(facts, iso_text(self._clock())) if run.costs is not None else None
        row.update(symbol=facts.symbol, costs=costs and costs.model_dump(mode="json"))
        return {**row, "risk_level": costs and costs.risk_level}, candles


def _ranked_from(run: Simulation, start: int, end: int) -> int:
    """Return where the candles begin that a token needs: tokens are ranked by their last day."""
    return min(start, candles_before(end, DAY // run.interval_seconds + 1, run.interval_seconds))


def token_rows(run: Simulation) -> list[Json] | None:
    """Return a row for each token of a portfolio with what the purse did with it so far; None for one token."""
    if run.asked_tokens is None:
        return None
    done = {each["token_id"]: each for each in run.state["tokens"]}
    held = {each.token_id: each.value or 0.0 for each in getattr(run.portfolio, "positions", [])}
    rows = []
    for row in run.asked_tokens:
        own = done.get(row["token_id"])
        listed = {"listed": row["listed"][-1][1] >= run.listing["until"]} if run.listing is not None else {}
        rows.append({**row, **listed, **({} if own is None else _figures(run, own, held.get(row["token_id"], 0.0)))})
    return rows


def with_outlooks(market: Market, run: Simulation, view: SimulationView) -> SimulationView:
    """Return the view with what each token waits for. One that is off the list, or dead, waits for no purchase."""
    saved = {each["token_id"]: each for each in run.state["tokens"]}
    costs = {token.token_id: token.costs for token in run.traded_tokens}

    def with_outlook(row: PurseTokenView) -> PurseTokenView:
        own = saved.get(row.token_id)
        if own is None or own["last_time"] is None or row.stopped_trading:
            return row
        candles = last_candles(market, run, row.token_id, own["last_time"])
        now = purse_outlook_of(run.strategy, costs[row.token_id], run.state, own, candles)
        entry = [] if row.listed is False else now.entry
        return row.model_copy(update={"next_entry": entry, "next_exit": now.exit})

    return view.model_copy(update={"tokens": [with_outlook(row) for row in view.tokens or []]})


def _figures(run: Simulation, saved: Json, value: float) -> Json:
    pnl = float.fromhex(saved["money"]) + value
    return {
        "trades": saved["trades"],
        "pnl": finite(pnl),
        "contribution_percent": finite(100 * pnl / run.initial_cash),
        "turned_away": int(float.fromhex(saved["place"]["turned_away"])),
        "last_candle": saved["last_time"],
        "stopped_trading": "dead_at" in saved,
    }
