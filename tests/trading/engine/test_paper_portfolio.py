"""A purse that is given its candles one after the other trades as the portfolio over history does, to the bit."""

import json
from typing import Any

import numpy as np
import pytest

from strategybot.trading.engine.candles import NO_MINUTES, Candles, DataReport, densify
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.filled import fill_rows
from strategybot.trading.engine.paper import PaperSession
from strategybot.trading.engine.paper_portfolio import PaperPortfolio
from strategybot.trading.engine.portfolio import PortfolioResult, run_portfolio
from strategybot.trading.engine.positions import DAY
from strategybot.trading.engine.purse_coins import PurseAdvance, TradedToken
from strategybot.trading.engine.universe import Token, listed_candles, real_candles, together
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import CASH, random_candles
from tests.trading.purses import HOUR, dense, random_strategy, random_universe, with_gaps

WARM_UP = 30
Spans = list[list[int]]


class Live:
    """A session that may be saved and restored after any candle."""

    def __init__(
        self,
        strategy: Strategy,
        given: dict[str, Candles],
        costs: dict[str, Costs],
        start: int,
        listed: dict[str, Spans] | None = None,
    ) -> None:
        self.strategy, self.given, self.start = strategy, given, start
        self.listed = listed or {}
        self.all = [TradedToken(name, name.upper(), costs[name], self.listed.get(name)) for name in sorted(given)]
        self.tokens = [token for token in self.all if not token.listed or token.listed[0][0] <= start + HOUR]
        self.session = PaperPortfolio(strategy, self.tokens, CASH, HOUR, 50.0)
        self.session.warm_up({name: candles.between(0, start) for name, candles in given.items()})
        self.told = PurseAdvance([], [])

    def take_in(self, time: int) -> None:
        """Take in the list of a new day before its first close."""
        if not self.listed or (time + HOUR) % DAY:
            return
        known = {token.token_id for token in self.tokens}
        self.tokens = [
            token
            for token in self.all
            if token.token_id in known or (token.listed and token.listed[0][0] <= time + HOUR)
        ]
        warm_up = {name: candles.between(0, time) for name, candles in self.given.items()}
        if told := self.session.take_in(time, self.tokens, warm_up):
            self.told.log.append(told)

    def play(self, restores: set[int]) -> None:
        end = max(int(candles.time[-1]) for candles in self.given.values())
        for place, time in enumerate(range(self.start, end + 1, HOUR)):
            here = {name: candles.between(time, time + 1) for name, candles in self.given.items()}
            self.take_in(time)
            done = self.session.advance(time, {name: each for name, each in here.items() if len(each)}, {})
            self.told.log.extend(done.log)
            self.told.signals.extend(done.signals)
            if place in restores:
                self.restore(time)

    def restore(self, time: int) -> None:
        saved = json.loads(json.dumps(self.session.state()))
        seen = {name: candles.between(0, time + 1) for name, candles in self.given.items()}
        least = self.session.lookback + 24 + 1
        seen = {name: candles.between(time - least * HOUR, time + 1) for name, candles in seen.items()}
        self.session = PaperPortfolio.restore(self.strategy, self.tokens, saved, seen, HOUR, 50.0)
        assert self.session.state() == saved


def given_tokens(chance: np.random.Generator) -> tuple[dict[str, Candles], dict[str, Costs], int]:
    """Return the provider's candles of tokens that are born and die, with gaps, and where trading begins."""
    tokens = random_universe(chance)
    given = {
        each.token_id: each.candles
        if each.real is None
        else Candles(HOUR, *(column[each.real == 1] for column in each.candles.columns()))
        for each in tokens
    }
    begin = min(int(each.time[0]) for each in given.values()) + WARM_UP * HOUR
    return given, {each.token_id: each.costs for each in tokens}, begin


def over_history(
    strategy: Strategy,
    given: dict[str, Candles],
    costs: dict[str, Costs],
    start: int,
    listed: dict[str, Spans] | None = None,
) -> PortfolioResult:
    found = []
    for name, candles in given.items():
        filled = densify(candles, DataReport())[0]
        real = real_candles(filled, candles) if listed or len(given) > 1 else None
        if filled.time[-1] >= start:
            on_list = None if listed is None else listed_candles(filled, listed[name])
            begin = int(np.searchsorted(filled.time, start))
            found.append(Token(name, filled, begin, costs[name], NO_MINUTES, real, on_list))
    return run_portfolio(strategy, together(found), CASH)


def test_paper_and_backtest_are_equal_to_the_bit_across_restores(subtests: pytest.Subtests) -> None:
    words = ""
    for seed in range(24):
        chance = np.random.default_rng(seed)
        strategy = random_strategy(chance)
        given, costs, start = given_tokens(chance)
        given = {name: candles for name, candles in given.items() if candles.time[-1] >= start}
        if len(given) < 2:
            continue
        live = Live(strategy, given, costs, start)
        live.play(set(chance.integers(0, 150, 12).tolist()))
        with subtests.test(seed=seed):
            assert_equal(live, over_history(strategy, given, costs, start))
        words += " ".join(entry["reason"] for entry in live.told.log)
    # Equality proves nothing about what never happens.
    assert all(part in words for part in ("written down by half", "stopped trading on", "turned away", "places used"))


@pytest.mark.parametrize("seed", range(16))
def test_a_purse_takes_in_the_list_of_each_day_as_the_backtest_does(seed: int) -> None:
    chance = np.random.default_rng(seed)
    strategy = random_strategy(chance)
    given, costs, start = given_tokens(chance)
    listed = {name: listed_days(chance, start) for name in given}
    given = {name: candles for name, candles in given.items() if candles.time[-1] >= start and listed[name]}
    # a token that died before it was listed is refused by the service
    given = {name: candles for name, candles in given.items() if candles.time[-1] >= listed[name][0][0] - DAY}
    if not any(spans[0][0] <= start for name, spans in listed.items() if name in given):
        return  # a run begins with a list
    live = Live(strategy, given, costs, start, listed)
    live.play(set(chance.integers(0, 150, 12).tolist()))
    assert_equal(live, over_history(strategy, given, costs, start, listed))
    for signal in live.told.signals:
        if signal.side == "buy":
            assert any(begin <= signal.time + HOUR < end for begin, end in listed[signal.token_id])


def listed_days(chance: np.random.Generator, start: int) -> Spans:
    """Return the days on which a token is listed, as the service keeps them."""
    first = start // DAY * DAY
    days = [first + day * DAY for day in range(8) if chance.random() < 0.5]
    return [[day, day + DAY] for day in days]


def assert_equal(live: Live, result: PortfolioResult) -> None:
    own = live.session.portfolio()
    assert own.total_value == result.metrics["final_equity"]
    assert own.turned_away == result.turned_away
    assert own.places_used == result.used[-1]
    rows = {each["token_id"]: each for each in live.session.state()["tokens"]}
    for each in result.tokens:
        row = rows[each.token.token_id]
        assert row["trades"] == len(each.trades)
        assert float.fromhex(row["place"]["turned_away"]) == each.turned_away
        fills = fill_rows(each.token.costs, each.fills.table(0, len(each.fills)))
        ours = [entry for entry in live.told.log if entry.get("token_id") == each.token.token_id]
        assert [
            (entry["action"], entry["price"], entry["quantity"]) for entry in ours if entry["action"] != "HOLD"
        ] == [(fill.action, fill.price, fill.quantity) for fill in fills]
        decided = [row._asdict() for row in each.signals.page(0, len(each.signals))]
        signals = [signal for signal in live.told.signals if signal.token_id == each.token.token_id]
        assert [{**signal._asdict(), "token_id": None} for signal in signals] == [
            {**row, "token_id": None} for row in decided
        ]
    assert [signal.time for signal in live.told.signals] == result.signals["time"].tolist()


@pytest.mark.parametrize("seed", range(8))
def test_one_token_and_one_place_are_the_plain_session(seed: int) -> None:
    chance = np.random.default_rng(seed)
    plain = random_strategy(chance).model_copy(update={"portfolio": None})
    one = Strategy.model_validate({**plain.model_dump(), "portfolio": {"max_open": 1}})
    candles, costs = dense(seed, 300, calm=0.01), Costs(liquidity_usd=1e5 if seed % 2 else None)
    start = int(candles.time[WARM_UP])
    session = PaperSession(plain, costs, CASH, HOUR)
    session.warm_up(candles[:WARM_UP])
    expected = session.advance(candles[WARM_UP:])
    live = Live(one, {"only": candles}, {"only": costs}, start)
    live.play({50, 120})
    log: list[dict[str, Any]] = [dict(entry) for entry in live.told.log]
    for entry in log:
        assert (entry.pop("token_id"), entry.pop("symbol")) == ("only", "ONLY")
    assert log == expected.log
    assert [signal[:-1] for signal in live.told.signals] == [tuple(signal) for signal in expected.signals]
    ours, theirs = live.session.portfolio(), session.portfolio()
    for name in ("cash_balance", "position", "entry_price", "current_price", "unrealized_pnl", "total_value", "pnl"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert live.session.fills == session.fills
    assert live.session.highest_equity == session.highest_equity


@pytest.mark.parametrize("seed", range(5))
def test_a_pause_is_seen_and_not_traded(seed: int) -> None:
    chance = np.random.default_rng(seed)
    strategy = random_strategy(chance)
    given = {
        name: with_gaps(chance, random_candles(seed + place, 150, interval=HOUR)) for place, name in enumerate("abc")
    }
    start = int(given["a"].time[0]) + WARM_UP * HOUR
    live = Live(strategy, given, dict.fromkeys("abc", Costs()), start)
    live.session.advance(start, {}, {})
    start, until = start + HOUR, start + 20 * HOUR
    entry = live.session.skip(until, {name: candles.between(start, until + 1) for name, candles in given.items()})
    assert "paus" in entry["reason"]
    assert live.session.last_time == until
    live.start = until + HOUR
    live.play({3})
    assert live.session.state()["skips"] == [[start, until]]
