"""One purse and many tokens: against a second reading of the rules, and against the plain run."""

from dataclasses import replace

import numpy as np
import pytest

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import NO_MINUTES, Candles, Floats
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.filled import FILL_REASONS
from strategybot.trading.engine.guards import opening_watch
from strategybot.trading.engine.ledger import (
    AMOUNT,
    BASE,
    CANDLE,
    CASH_AFTER,
    DECISION,
    DOUBTS,
    FILLS,
    MONEY,
    SIGNALS,
    TOKEN,
    WHAT,
    reasons_of,
)
from strategybot.trading.engine.loop import new_control
from strategybot.trading.engine.portfolio import run_portfolio
from strategybot.trading.engine.positions import TURNED_AWAY, Books, Places, Purse, new_books, new_table, state_at
from strategybot.trading.engine.purse import Traded, trade_places
from strategybot.trading.engine.step import rules_of
from strategybot.trading.engine.universe import Together, Token, before_silence, together
from strategybot.trading.language.portfolio import DEFAULT_PORTFOLIO
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import CASH, candles_of, drop, engine, random_candles, strategy_of
from tests.trading.purses import HOUR, dense, gaps_of, random_strategy, random_universe
from tests.trading.reference_portfolio import PurseReference

PREFER = {"volume": 0, "fall": 1, "rise": 2}


def traded(strategy: Strategy, joined: Together, cash: float = CASH) -> tuple[Traded, Books]:
    portfolio = strategy.portfolio or DEFAULT_PORTFOLIO
    books = new_books(new_table(len(joined.tokens)), len(joined.time))
    places = Places(portfolio.max_open, PREFER[portfolio.prefer], 0.5)
    rules = rules_of(strategy, Costs(), joined.interval_seconds)
    purse = Purse(cash, opening_watch(cash))
    universe = joined.universe(strategy)
    return trade_places(rules, places, universe, books, purse, 0, len(joined.time), new_control()), books


def fills_of(done: Traded, joined: Together) -> list[tuple[int, str, str]]:
    ledger, count = done.ledger, int(done.ledger.counts[FILLS])
    tokens, reasons = ledger.places[:count, WHAT] >> TOKEN, reasons_of(ledger.places[:count, WHAT])
    places = ledger.places[:count, CANDLE]
    return [
        (int(joined.tokens[k].candles.time[place]), joined.tokens[k].token_id, FILL_REASONS[reason])
        for k, place, reason in zip(tokens.tolist(), places.tolist(), reasons.tolist(), strict=True)
    ]


@pytest.mark.parametrize("seed", range(60))
def test_a_second_reading_of_the_rules_agrees_fill_by_fill(seed: int) -> None:
    chance = np.random.default_rng(seed)
    strategy, tokens = random_strategy(chance), random_universe(chance)
    reading = PurseReference(
        strategy,
        {each.token_id: (each.candles, each.start, gaps_of(each)) for each in tokens},
        {each.token_id: each.costs for each in tokens},
        CASH,
    )
    reading.run()
    joined = together(tokens)
    done, books = traded(strategy, joined)
    expected = [
        (fill.time - (86_400 if fill.reason == "stopped_trading" else 0), fill.token, fill.reason)
        for fill in reading.fills
    ]
    assert fills_of(done, joined) == expected
    amounts = done.ledger.amounts[: len(expected)][:, [BASE, AMOUNT, MONEY]]
    assert amounts.tolist() == [pytest.approx((f.base, f.quantity, f.money), rel=1e-9) for f in reading.fills]
    assert books.equity.tolist() == pytest.approx(reading.equity, rel=1e-9)
    assert books.used.tolist() == reading.used
    assert books.table[TURNED_AWAY].tolist() == [coin.turned_away for coin in reading.coins]
    signals = done.ledger.signals[: done.ledger.counts[SIGNALS]]
    found = [
        (int(joined.tokens[k].candles.time[place]), joined.tokens[k].token_id)
        for place, k in zip(signals[:, CANDLE].tolist(), (signals[:, DECISION] >> TOKEN).tolist(), strict=True)
    ]
    assert found == [(time, token) for time, token, _ in reading.signals]


def test_the_random_universes_reach_every_rule() -> None:
    """A second reading proves nothing about what never happens."""
    seen, away, most_used = set(), 0.0, 0
    for seed in range(60):
        chance = np.random.default_rng(seed)
        strategy, joined = random_strategy(chance), together(random_universe(chance))
        done, books = traded(strategy, joined)
        seen |= {reason for _, _, reason in fills_of(done, joined)}
        away += float(books.table[TURNED_AWAY].sum())
        most_used = max(most_used, int(books.used.max()))
    assert seen >= set(FILL_REASONS.values())
    assert away > 100
    assert most_used == 4


@pytest.mark.parametrize("seed", range(40))
def test_one_token_and_one_place_are_the_plain_run_bit_for_bit(seed: int) -> None:
    chance = np.random.default_rng(1000 + seed)
    strategy = random_strategy(chance).model_copy(update={"portfolio": None})
    candles, start = dense(seed, 400, calm=[0.0, 0.01, 0.02][seed % 3]), seed % 7
    minutes = random_candles(seed, 2000) if seed % 2 else NO_MINUTES
    costs = Costs(liquidity_usd=1e5 if seed % 3 else None, sell_tax_percent=seed % 2)
    plain = engine(strategy, candles, costs, start=start, minutes=minutes)
    one = Strategy.model_validate({**strategy.model_dump(), "portfolio": {"max_open": 1}})
    done, books = traded(one, together([Token("only", candles, start, costs, minutes)]))
    for count in (FILLS, SIGNALS, DOUBTS):
        assert done.ledger.counts[count] == plain.ledger.counts[count]
    fills, signals = int(plain.ledger.counts[FILLS]), int(plain.ledger.counts[SIGNALS])
    assert np.array_equal(done.ledger.places[:fills], plain.ledger.places[:fills])
    assert np.array_equal(done.ledger.amounts[:fills], plain.ledger.amounts[:fills])
    assert np.array_equal(done.ledger.signals[:signals], plain.ledger.signals[:signals])
    assert tuple(state_at(books.table, 0, done.purse.cash)) == tuple(plain.state)
    assert tuple(done.purse.watch) == tuple(plain.watch)
    assert books.equity[-1] == plain.state.cash + plain.state.quantity * candles.close[-1]


@pytest.mark.parametrize("seed", range(10))
def test_the_order_of_the_tokens_in_a_request_does_not_matter(seed: int) -> None:
    chance = np.random.default_rng(seed)
    strategy, tokens = random_strategy(chance), random_universe(chance)
    done, books = traded(strategy, together(list(tokens)))
    again, other = traded(strategy, together([tokens[place] for place in chance.permutation(len(tokens))]))
    assert np.array_equal(books.equity, other.equity)
    count = int(done.ledger.counts[FILLS])
    assert np.array_equal(done.ledger.places[:count], again.ledger.places[: again.ledger.counts[FILLS]])


@pytest.mark.parametrize("seed", range(10))
def test_a_run_in_parts_is_the_run_at_once(seed: int) -> None:
    chance = np.random.default_rng(seed)
    strategy, joined = random_strategy(chance), together(random_universe(chance))
    done, books = traded(strategy, joined)
    again = new_books(new_table(len(joined.tokens)), len(joined.time))
    portfolio = strategy.portfolio or DEFAULT_PORTFOLIO
    purse, universe, g = Purse(CASH, opening_watch(CASH)), joined.universe(strategy), 0
    while g < len(joined.time):
        end = min(len(joined.time), g + int(chance.integers(1, 9)))
        places = Places(portfolio.max_open, PREFER[portfolio.prefer], 0.5)
        rules = rules_of(strategy, Costs(), joined.interval_seconds)
        _, purse, g = trade_places(rules, places, universe, again, purse, g, end, new_control())
    assert np.array_equal(books.equity, again.equity)
    assert np.array_equal(books.table, again.table)
    assert purse == done.purse


def flat(prices: list[float], begin: int = 0, volume: float = 1.0) -> Candles:
    """Return hourly candles with one price each."""
    rows = [(price, price, price, price, volume) for price in prices]
    return candles_of(rows, HOUR, 1_700_000_000 // HOUR * HOUR + begin * HOUR)


def universe_of(*columns: Candles) -> Together:
    free = Costs(fee_percent=0, slippage_percent=0)
    return together([Token(name, candles, 0, free) for name, candles in zip("abcdefg", columns, strict=False)])


def free_run(strategy: Strategy, joined: Together) -> tuple[list[tuple[int, str, str]], Floats, Books]:
    rules = rules_of(strategy, Costs(fee_percent=0, slippage_percent=0), HOUR)
    portfolio = strategy.portfolio or DEFAULT_PORTFOLIO
    books = new_books(new_table(len(joined.tokens)), len(joined.time))
    places = Places(portfolio.max_open, PREFER[portfolio.prefer], 0.5)
    purse = Purse(CASH, opening_watch(CASH))
    done = trade_places(rules, places, joined.universe(strategy), books, purse, 0, len(joined.time), new_control())
    return fills_of(done, joined), done.ledger.amounts[: done.ledger.counts[FILLS]], books


def test_a_first_buy_takes_its_share_of_the_equity_by_places() -> None:
    """With two places each token gets half of 1,000, though the second buy finds only 500 in cash."""
    strategy = strategy_of(drop(5, "1h"), portfolio={"max_open": 2})
    falls = [flat([10, 9, 9, 9]), flat([20, 18, 18, 18])]
    _, amounts, books = free_run(strategy, universe_of(*falls))
    assert amounts[:, MONEY].tolist() == [500, 500]
    assert amounts[:, CASH_AFTER].tolist() == [500, 0]
    assert books.used.tolist() == [0, 0, 2, 2]


@pytest.mark.parametrize(("prefer", "bought"), [("volume", "c"), ("fall", "b"), ("rise", "a")])
def test_the_preferred_token_gets_the_only_place(prefer: str, bought: str) -> None:
    strategy = strategy_of(drop(5, "1h"), portfolio={"max_open": 1, "prefer": prefer})
    falls = [flat([10, 9.4, 9]), flat([10, 8, 9]), flat([10, 9, 9], volume=3)]
    fills, _, books = free_run(strategy, universe_of(*falls))
    assert [token for _, token, _ in fills] == [bought]
    assert books.table[TURNED_AWAY].sum() == 2


def test_equal_tokens_are_bought_in_the_order_of_their_ids() -> None:
    strategy = strategy_of(drop(5, "1h"), portfolio={"max_open": 2})
    fills, _, _ = free_run(strategy, universe_of(*[flat([10, 9, 9])] * 3))
    assert [token for _, token, _ in fills] == ["a", "b"]


def test_a_dead_token_is_written_down_when_a_day_has_passed_without_a_candle() -> None:
    strategy = strategy_of(drop(5, "1h"), portfolio={"max_open": 1})
    fills, amounts, books = free_run(strategy, universe_of(flat([10, 9, 9, 6]), flat([1] * 40)))
    assert [reason for _, _, reason in fills] == ["entry", "stopped_trading"]
    assert amounts[-1, MONEY] == pytest.approx(1000 / 9 * 6 / 2)
    worth = 1000 / 9 * 6
    assert books.equity.tolist() == pytest.approx([1000, 1000, 1000, *[worth] * 24, *[worth / 2] * 13])
    assert books.used.tolist() == [0, 0, *[1] * 25, *[0] * 13]


def test_a_sale_at_the_open_pays_for_a_buy_at_the_same_open() -> None:
    strategy = strategy_of(drop(5, "1h"), max_holding="1h", portfolio={"max_open": 1})
    fills, _, _ = free_run(strategy, universe_of(flat([10, 9, 9, 9, 9]), flat([10, 10, 9, 9, 9])))
    assert [(token, reason) for _, token, reason in fills] == [
        ("a", "entry"),
        ("a", "max_holding"),
        ("b", "entry"),
        ("b", "max_holding"),
    ]


@pytest.mark.parametrize(("gap", "left"), [(24, 53), (25, 10), (60, 10)])
def test_candles_after_a_silent_day_are_not_traded(gap: int, left: int) -> None:
    candles = flat([1.0] * 53)
    candles.time[10:] += (gap - 1) * HOUR
    assert len(before_silence(candles, int(candles.time[0]))) == left
    assert len(before_silence(candles, int(candles.time[20]))) == 53


def test_all_tokens_share_the_memory_of_their_columns() -> None:
    tokens = random_universe(np.random.default_rng(3))
    kept = [replace(each, candles=each.candles) for each in tokens]
    joined = together(tokens)
    assert tokens == []
    for own, column in zip(joined.tokens, kept, strict=True):
        assert np.shares_memory(own.candles.close, joined.columns[3])
        for one, other in zip(own.candles.columns(), column.candles.columns(), strict=True):
            assert np.array_equal(one, other, equal_nan=True)


@pytest.mark.parametrize("seed", range(12))
def test_the_result_of_one_token_and_one_place_is_that_of_the_plain_run(seed: int) -> None:
    chance = np.random.default_rng(seed)
    strategy = random_strategy(chance).model_copy(update={"portfolio": None})
    candles, start = dense(seed, 1500 if seed == 3 else 300), seed % 4
    costs = Costs(liquidity_usd=1e5 if seed % 3 else None)
    plain = run_backtest(strategy, candles, costs, CASH, start_index=start)
    one = Strategy.model_validate({**strategy.model_dump(), "portfolio": {"max_open": 1}})
    result = run_portfolio(one, together([Token("only", candles, start, costs)]), CASH)
    assert result.metrics == plain.metrics
    assert result.equity_curve() == plain.equity_curve()
    [token] = result.tokens
    assert token.open_position == plain.open_position
    for merged, own in (
        (result.trades, plain.trades.table(0, len(plain.trades))),
        (result.signals, plain.signals.table(0, len(plain.signals))),
        (result.fills, plain.fills.table(0, len(plain.fills))),
    ):
        for name in own.dtype.names or ():
            assert np.array_equal(merged[name], own[name], equal_nan=own[name].dtype.kind == "f"), name


@pytest.mark.parametrize("seed", range(20))
def test_what_the_tokens_made_is_what_the_purse_made(seed: int) -> None:
    chance = np.random.default_rng(seed)
    strategy, joined = random_strategy(chance), together(random_universe(chance))
    result = run_portfolio(strategy, joined, CASH)
    assert sum(each.pnl for each in result.tokens) == pytest.approx(result.equity[-1] - CASH, abs=1e-6)
    trades, fills = result.trades, result.fills
    assert (np.diff(trades["exit_time"]) >= 0).all()
    assert len(fills) == sum(len(each.fills) for each in result.tokens)
    for trade in trades if strategy.trades_in_parts else ():
        own = fills[trade["first_fill"] : trade["last_fill"] + 1]
        assert set(own["token"].tolist()) == {int(trade["token"])}
        assert own["time"][0] == trade["entry_time"]
        assert own["time"][-1] == trade["exit_time"]
        assert own["held"][-1] == 0
    for each in result.tokens:
        assert each.written_down == ("stopped_trading" in {row.exit_reason for row in each.trades.page(0, 1000)})
        assert each.stopped_trading is not None or not each.written_down
