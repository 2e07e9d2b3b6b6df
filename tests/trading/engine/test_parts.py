"""Positions in parts: each rule of one candle, on candles and numbers made by hand."""

from typing import Any

import pytest

from strategybot.trading.engine.backtest import BacktestResult, run_backtest
from strategybot.trading.engine.candles import NO_MINUTES
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.filled import FILL_REASONS
from strategybot.trading.engine.ledger import AMOUNT, BASE, BYTE, CANDLE, WHAT, reasons_of
from strategybot.trading.engine.paper import PaperSession
from strategybot.trading.engine.risk import ASSUMED, EXACT, RESOLVED
from tests.trading.builders import CASH, FREE, START, candles_of, strategy_of
from tests.trading.random_series import compare

Row = tuple[float, ...]  # open, high, low, close, and a volume of 9 where the entry is wanted
Found = tuple[int, str, float, float]  # candle, reason, price before slippage, quantity

WANTED: Row = (100, 100, 100, 100, 9)
CALM: Row = (100, 100, 100, 100)
HOUR, WHOLE_HOUR = 3600, 1_699_999_200
ENTRY = compare({"series": "volume"}, "above", 5)
BOUGHT: Found = (1, "entry", 100, 10)
HALF: Found = (1, "entry", 100, 5)


def traded(rows: list[Row], fees: Costs = FREE, *, minutes: list[Row] | None = None, **strategy: Any) -> BacktestResult:
    """Return the run of a strategy that wants to buy at candles with much volume; minutes are those of the last row."""
    if minutes is None:
        return run_backtest(strategy_of(ENTRY, **strategy), candles_of(rows), fees, CASH)
    inside = candles_of(minutes, start=WHOLE_HOUR + HOUR * (len(rows) - 1)) if minutes else NO_MINUTES
    candles = candles_of(rows, HOUR, WHOLE_HOUR)
    return run_backtest(strategy_of(ENTRY, **strategy), candles, fees, CASH, minutes=inside)


def fills(result: BacktestResult) -> list[Found]:
    places, amounts = result.fills.places, result.fills.amounts
    rows = zip(places[:, CANDLE].tolist(), reasons_of(places[:, WHAT]).tolist(), amounts.tolist(), strict=True)
    return [(candle, FILL_REASONS[reason], near(row[BASE]), near(row[AMOUNT])) for candle, reason, row in rows]


def near(value: float) -> Any:
    """Return what equals every number that rounding may make of this one."""
    return pytest.approx(value)


def steps(*parts: tuple[float, float]) -> list[dict[str, float]]:
    return [{"drop_percent": fall, "size_percent": share} for fall, share in parts]


def targets(*parts: tuple[float, float]) -> list[dict[str, float]]:
    return [{"gain_percent": gain, "sell_percent": share} for gain, share in parts]


LADDER: dict[str, Any] = {"position_percent": 50, "ladder": steps((5, 20), (10, 30))}
FIRST = (5 * 100 + 200) / (5 + 200 / 95)  # the average price after the first step of the ladder: 98.5185


@pytest.mark.parametrize(
    ("rows", "rest", "expected"),
    [
        ([(94, 94, 94, 94)], {}, [HALF, (2, "ladder", 94, 200 / 94)]),
        ([(80, 80, 80, 80)], {}, [HALF, (2, "ladder", 80, 2.5), (2, "ladder", 80, 3.75)]),
        ([(95, 95, 95, 95)], {}, [HALF, (2, "ladder", 95, 200 / 95)]),
        ([(99, 99, 90, 92)], {}, [HALF, (2, "ladder", 95, 200 / 95), (2, "ladder", 90, 300 / 90)]),
        ([(99, 99, 95.1, 96)], {}, [HALF]),
        ([(99, 99, 94, 99), (99, 99, 94, 99)], {}, [HALF, (2, "ladder", 95, 200 / 95)]),
        # the stop at 92 moves with the average price, and is then above the second step
        (
            [(99, 99, 85, 86)],
            {"stop_loss_percent": 8},
            [HALF, (2, "ladder", 95, 200 / 95), (2, "stop_loss", FIRST * 0.92, 5 + 200 / 95)],
        ),
        ([(99, 99, 91, 91)], {"stop_loss_percent": 8}, [HALF, (2, "ladder", 95, 200 / 95)]),
        ([(99, 99, 85, 86)], {"stop_loss_percent": 5}, [HALF, (2, "stop_loss", 95, 5)]),
        ([(99, 99, 85, 86)], {"stop_loss_percent": 4}, [HALF, (2, "stop_loss", 96, 5)]),
        ([(85, 99, 85, 86)], {"stop_loss_percent": 8}, [HALF, (2, "stop_loss", 85, 5)]),
    ],
    ids=[
        "opens under one level", "opens under both levels", "opens at a level", "falls to both levels",
        "does not reach it", "a step is bought once", "a step and then the stop", "the moved stop is not reached",
        "the stop if equal", "the stop if higher", "opens under the stop",
    ],
)  # fmt: skip
def test_a_ladder_buys_on_the_way_down(rows: list[Row], rest: dict[str, Any], expected: list[Found]) -> None:
    assert fills(traded([WANTED, CALM, *rows], **LADDER, **rest)) == expected


def test_a_ladder_starts_at_the_first_price_and_its_candle() -> None:
    result = traded([WANTED, (100, 100, 94, 94)], Costs(fee_percent=0, slippage_percent=2), **LADDER)
    assert fills(result)[1] == (1, "ladder", near(102 * 0.95), near(200 / (102 * 0.95 * 1.02)))


def test_a_step_of_less_than_one_is_passed() -> None:
    rows: list[Row] = [WANTED, (100, 100, 85, 85)]
    small = traded(rows, position_percent=50, ladder=steps((5, 0.0999), (10, 30)))
    assert fills(small) == [HALF, (1, "ladder", 90, 300 / 90)]
    least = traded(rows, position_percent=50, ladder=steps((5, 0.1), (10, 30)))
    assert fills(least)[1] == (1, "ladder", 95, 1 / 95)


@pytest.mark.parametrize(
    ("parts", "rows", "expected"),
    [
        (((10, 50), (20, 30)), [(100, 111, 100, 110)], [(2, "take_profit", 110, 5)]),
        (((10, 50), (20, 30)), [(100, 109.9, 100, 109)], []),
        (((10, 50), (20, 30)), [(100, 125, 100, 125)], [(2, "take_profit", 110, 5), (2, "take_profit", 120, 3)]),
        (((10, 50), (20, 30)), [(115, 125, 115, 125)], [(2, "take_profit", 115, 5), (2, "take_profit", 120, 3)]),
        (((10, 50), (20, 30)), [(100, 111, 99, 99), (99, 112, 99, 99)], [(2, "take_profit", 110, 5)]),
        (((10, 33.3), (20, 66.7)), [(130, 130, 130, 130)], [(2, "take_profit", 130, 3.33), (2, "take_profit", 130, 6.67)]),
    ],
    ids=["one", "none", "two at their levels", "one at the open", "does not come back", "all of it"],
)  # fmt: skip
def test_a_target_sells_its_share(parts: Any, rows: list[Row], expected: list[Found]) -> None:
    result = traded([WANTED, CALM, *rows], take_profits=targets(*parts))
    assert fills(result) == [BOUGHT, *expected]
    assert result.state.quantity == near(10 - sum(part[3] for part in expected))
    assert (result.open_position is None) == (sum(part[3] for part in expected) == 10)


def test_a_target_is_measured_from_the_average_and_sells_of_everything_bought() -> None:
    result = traded([WANTED, CALM, (99, 99, 94, 94), (94, 120, 94, 120)], **LADDER, take_profits=targets((10, 50)))
    bought = 5 + 200 / 95
    assert fills(result)[2:] == [(3, "take_profit", FIRST * 1.1, bought / 2)]
    assert result.state.entry_price == near(FIRST)  # a sale leaves it as it is


def test_the_rest_is_sold_by_the_other_exits_and_the_trade_has_averages() -> None:
    rows: list[Row] = [WANTED, CALM, (100, 111, 100, 110), (110, 110, 90, 90)]
    result = traded(rows, take_profits=targets((10, 50)), stop_loss_percent=5)
    assert fills(result) == [BOUGHT, (2, "take_profit", 110, 5), (3, "stop_loss", 95, 5)]
    [trade] = result.trades.page(0, 9)
    assert (trade.entry_price, trade.exit_price, trade.quantity) == (100, near(102.5), 10)
    assert (trade.pnl, trade.pnl_percent) == (near(25), near(2.5))
    assert trade.exit_reason == "stop_loss"
    assert [(each.time, each.action, each.reason, each.value) for each in trade.fills] == [
        (START + 60, "BUY", "entry", 1000),
        (START + 120, "SELL", "take_profit", near(550)),
        (START + 180, "SELL", "stop_loss", 475),
    ]
    metrics = result.metrics
    assert (metrics["total_trades"], metrics["win_rate"], metrics["final_equity"]) == (1, 100, near(1025))
    assert metrics["exit_reasons"] == {**dict.fromkeys(metrics["exit_reasons"], 0), "stop_loss": 1}  # type: ignore[arg-type]


def certainty(result: BacktestResult) -> int:
    return int(result.fills.places[-1, WHAT] >> 2 * BYTE)


HOLDS: dict[str, Any] = {"stop_loss_percent": 5, "take_profits": targets((10, 50))}
UP: list[Row] = [(100, 112, 100, 112), (112, 112, 94, 100)]
DOWN: list[Row] = [(100, 100, 94, 94), (94, 112, 94, 100)]


@pytest.mark.parametrize(
    ("rest", "minutes", "expected", "sure"),
    [
        (HOLDS, [], [BOUGHT, (1, "stop_loss", 95, 10)], ASSUMED),
        (HOLDS, UP, [BOUGHT, (1, "take_profit", 110, 5), (1, "stop_loss", 95, 5)], RESOLVED),
        (HOLDS, DOWN, [BOUGHT, (1, "stop_loss", 95, 10)], RESOLVED),
        # without a stop the rise counts as first
        (
            {**LADDER, "take_profits": targets((10, 50))},
            [],
            [HALF, (1, "take_profit", 110, 2.5), (1, "ladder", 95, 200 / 95)],
            ASSUMED,
        ),
        (
            {**LADDER, "take_profits": targets((10, 50))},
            DOWN,
            [HALF, (1, "ladder", 95, 200 / 95), (1, "take_profit", FIRST * 1.1, (5 + 200 / 95) / 2)],
            RESOLVED,
        ),
        ({**LADDER, "take_profit_percent": 10}, [], [HALF, (1, "take_profit", 110, 5)], ASSUMED),
        # only a fall before the rise reaches this target
        ({**LADDER, "take_profits": targets((13, 50))}, [], [HALF, (1, "ladder", 95, 200 / 95)], ASSUMED),
        ({**LADDER, "take_profits": targets((15, 50))}, [], [HALF, (1, "ladder", 95, 200 / 95)], EXACT),
        # the target pays for a step that has no cash otherwise
        (
            {"position_amount": 1000, "ladder": steps((5, 20)), "take_profits": targets((10, 50))},
            [],
            [BOUGHT, (1, "take_profit", 110, 5), (1, "ladder", 95, 200 / 95)],
            ASSUMED,
        ),
    ],
    ids=[
        "the stop is first", "minutes rise first", "minutes fall first", "a target, then a step", "minutes: a step first",
        "no step after everything is sold", "a lower target", "no target either way", "a step paid by a target",
    ],
)  # fmt: skip
def test_the_order_inside_a_candle(rest: dict[str, Any], minutes: list[Row], expected: list[Found], sure: int) -> None:
    result = traded([WANTED, (100, 112, 94, 100)], minutes=minutes, **rest)
    assert fills(result) == expected
    assert certainty(result) == sure
    assert len(result.doubts) == (sure == ASSUMED)


def test_a_candle_that_opens_over_its_target_is_not_in_doubt() -> None:
    result = traded([WANTED, CALM, (111, 112, 94, 100)], **HOLDS)
    assert fills(result) == [BOUGHT, (2, "stop_loss", 95, 10)]
    assert certainty(result) == EXACT


EVEN: dict[str, Any] = {"break_even_after_percent": 5}


@pytest.mark.parametrize(
    ("rows", "rest", "expected", "doubts"),
    [
        ([(101, 106, 101, 104), (104, 104, 99, 99)], {}, [BOUGHT, (3, "break_even", 100, 10)], 0),
        ([(101, 106, 101, 104), (98, 104, 97, 99)], {}, [BOUGHT, (3, "break_even", 98, 10)], 0),
        ([(100, 104.9, 99, 104), (104, 104, 99, 99)], {}, [BOUGHT], 0),
        ([(101, 106, 99, 104)], {}, [BOUGHT], 1),
        # the average after the fills of the open counts: 105 arms it, although the step inside is cheaper
        (
            [(100, 105, 94, 104), (99, 99, 98, 99)],
            LADDER,
            [HALF, (2, "ladder", 95, 200 / 95), (3, "break_even", FIRST, 5 + 200 / 95)],
            1,
        ),
        ([(100, 104, 94, 104), (99, 99, 98, 99)], LADDER, [HALF, (2, "ladder", 95, 200 / 95)], 0),
        # a higher stop goes first
        (
            [(109, 120, 109, 119), (119, 119, 99, 99)],
            {"trailing_stop_percent": 10},
            [BOUGHT, (3, "trailing_stop", 108, 10)],
            0,
        ),
    ],
    ids=[
        "armed, then hit", "a gap", "not armed", "both in one candle",
        "armed from the open's average", "not from a lower one", "under a trailing stop",
    ],
)  # fmt: skip
def test_break_even_counts_from_the_next_candle_on(
    rows: list[Row], rest: dict[str, Any], expected: list[Found], doubts: int
) -> None:
    result = traded([WANTED, CALM, *rows], **EVEN, **rest)
    assert fills(result) == expected
    assert len(result.doubts) == doubts


@pytest.mark.parametrize(
    ("minutes", "sold"),
    [([(100, 106, 100, 106), (106, 106, 99, 104)], True), ([(100, 100, 99, 99), (99, 106, 99, 104)], False)],
)
def test_minutes_decide_whether_break_even_was_armed_and_hit(minutes: list[Row], sold: bool) -> None:
    result = traded([WANTED, (100, 106, 99, 104)], minutes=minutes, **EVEN)
    assert fills(result) == [BOUGHT, *([(1, "break_even", 100, 10)] if sold else [])]
    assert len(result.doubts) == 0
    assert result.state.parts.is_armed


def test_a_high_before_a_cheaper_step_of_the_same_candle_does_not_arm_break_even() -> None:
    minutes: list[Row] = [(100, 104, 100, 104), (104, 104, 94, 94), (94, 95, 94, 95)]
    result = traded([WANTED, (100, 104, 94, 95)], minutes=minutes, **EVEN, **LADDER, take_profit_percent=5.5)
    assert fills(result) == [HALF, (1, "ladder", 95, 200 / 95)]
    assert certainty(result) == RESOLVED
    assert not result.state.parts.is_armed


def wanting(*candles: int, count: int, price: float = 100) -> list[Row]:
    """Return flat candles of which some want to buy."""
    return [(price, price, price, price, 9 if i in candles else 1) for i in range(count)]


ALL = range(20)


@pytest.mark.parametrize(
    ("rest", "bought"),
    [
        ({"position_amount": 300}, [(1, 300)]),
        ({"position_amount": 300, "max_entries": 3}, [(1, 300), (2, 300), (3, 300)]),
        ({"position_amount": 300, "max_entries": 9}, [(1, 300), (2, 300), (3, 300), (4, 100)]),
        ({"position_amount": 300, "max_entries": 3, "entry_gap": "3m"}, [(1, 300), (4, 300), (7, 300)]),
        ({"position_amount": 300, "max_entries": 3, "entry_gap": "1m"}, [(1, 300), (2, 300), (3, 300)]),
        ({"position_amount": 5000}, [(1, 1000)]),
        ({"position_amount": 999.5, "max_entries": 2}, [(1, 999.5)]),
        ({"position_percent": 40, "max_entries": 9}, [(1, 400), (2, 400), (3, 200)]),
        ({"position_percent": 0.05, "max_entries": 2}, [(1, 0.5)]),
        ({"position_percent": 0.1, "max_entries": 2}, [(1, 1), (2, 1)]),
    ],
)
def test_entries_have_their_own_size_until_the_maximum_or_the_cash(
    rest: dict[str, Any], bought: list[tuple[int, float]]
) -> None:
    result = traded(wanting(*ALL, count=20), **rest)
    assert fills(result) == [(i, "entry", 100, money / 100) for i, money in bought]


def test_a_further_entry_counts_in_the_average_and_in_the_maximum_holding_not() -> None:
    rows: list[Row] = [WANTED, WANTED, (50, 50, 50, 50), (50, 50, 50, 50), (50, 50, 50, 50), (50, 50, 50, 50)]
    result = traded(rows, position_amount=300, max_entries=2, max_holding="4m")
    assert fills(result) == [
        (1, "entry", 100, 3),
        (2, "entry", 50, 6),
        (5, "max_holding", 50, 9),
    ]
    assert result.trades.page(0, 1)[0].entry_price == near(600 / 9)


def test_an_exit_goes_before_a_further_entry_and_no_ladder_step_counts_as_one() -> None:
    leave = compare({"series": "volume"}, "above", 5)
    result = traded(wanting(*ALL, count=4), position_amount=300, max_entries=5, exit_conditions=[leave])
    assert [found[:2] for found in fills(result)] == [(1, "entry"), (2, "exit_conditions"), (3, "entry")]
    rows: list[Row] = [WANTED, (100, 100, 94, 100, 9), CALM]
    both = traded(rows, position_amount=300, max_entries=2, ladder=steps((5, 20)))
    assert [found[:2] for found in fills(both)] == [(1, "entry"), (1, "ladder"), (2, "entry")]


TAXED = Costs(fee_percent=0.1, slippage_percent=0.05, buy_tax_percent=4, sell_tax_percent=6)
KEPT = 0.9995 * 0.999 * 0.96 * 0.94 / 1.001


@pytest.mark.parametrize(
    ("rest", "stop"),
    [
        ({"stop_loss_percent": 10}, 0.9),
        ({"trailing_stop_percent": 20}, 0.8),
        ({"stop_loss_percent": 10, "trailing_stop_percent": 5}, 0.95),
    ],
)
def test_a_buy_by_risk_loses_this_share_of_the_equity_at_its_stop(rest: dict[str, Any], stop: float) -> None:
    result = traded([WANTED, CALM, (100, 100, 50, 50)], TAXED, risk_percent=1, **rest)
    budget = 10 / (1 - stop * KEPT)
    assert fills(result)[0] == (1, "entry", 100, budget / (100.05 * 1.001) * 0.96)
    assert result.trades.page(0, 1)[0].pnl == near(-10)


def test_a_buy_by_risk_takes_all_the_cash_at_most() -> None:
    assert fills(traded([WANTED, CALM], risk_percent=20, stop_loss_percent=10)) == [BOUGHT]
    assert fills(traded([WANTED, CALM], risk_percent=5, stop_loss_percent=10)) == [HALF]
    # ATR is 0: the stop is at the price, and nothing could be lost
    flat = traded(wanting(2, count=4), risk_percent=1, stop_loss_atr={"period": 2, "times": 1})
    assert fills(flat) == [(3, "entry", 100, 10), (3, "stop_loss", 100, 10)]


def test_a_further_buy_by_risk_has_its_own_stop_and_the_equity_of_its_open() -> None:
    rows: list[Row] = [WANTED, WANTED, (200, 200, 200, 200)]
    result = traded(rows, risk_percent=2, stop_loss_percent=10, max_entries=2)
    # 2 % of 1000 are 10 % of 200; at 200 the equity is 800 + 2 × 200
    assert fills(result) == [(1, "entry", 100, 2), (2, "entry", 200, 240 / 200)]


def wide(count: int, *, wanted: int) -> list[Row]:
    """Return candles with a true range of 2, of which one wants to buy."""
    return [(100, 101, 99, 100, 9 if i == wanted else 1) for i in range(count)]


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ({"stop_loss_atr": {"period": 3, "times": 2}}, [(6, "stop_loss", 96, 10)]),
        ({"trailing_stop_atr": {"period": 3, "times": 2.5}}, [(6, "trailing_stop", 96, 10)]),
        ({"stop_loss_atr": {"period": 3, "times": 50}}, []),
        ({"stop_loss_atr": {"period": 3, "times": 60}}, []),
        ({"stop_loss_atr": {"period": 3, "times": 2}, "trailing_stop_percent": 1}, [(5, "trailing_stop", 99, 10)]),
    ],
    ids=["stop", "trailing stop, from the high", "at nothing", "under nothing", "the higher one"],
)
def test_a_stop_in_atr_is_at_its_distance(rest: dict[str, Any], expected: list[Found]) -> None:
    rows = [*wide(6, wanted=4), (100, 100, 0.5, 10)]
    assert fills(traded(rows, **rest)) == [(5, "entry", 100, 10), *expected]


def test_the_distance_is_that_of_the_deciding_candle_and_stays() -> None:
    rows: list[Row] = [*wide(6, wanted=4), (100, 130, 100, 130, 9), (130, 130, 113.1, 130), (130, 130, 110, 110)]
    result = traded(rows, stop_loss_atr={"period": 3, "times": 2}, position_amount=300, max_entries=2)
    average = 600 / (3 + 300 / 130)  # 113.04; the stop is 4 under it
    assert fills(result)[2:] == []
    rows[-1] = (130, 130, 109, 110)
    lower = traded(rows, stop_loss_atr={"period": 3, "times": 2}, position_amount=300, max_entries=2)
    assert fills(lower)[2:] == [(8, "stop_loss", average - 4, 3 + 300 / 130)]


def test_an_entry_waits_for_an_unknown_atr_and_says_so() -> None:
    strategy = strategy_of(ENTRY, stop_loss_atr={"period": 3, "times": 2})
    candles = candles_of([(100, 101, 99, 100, 9)] * 6)
    log = PaperSession(strategy, FREE, CASH, 60).advance(candles).log
    waiting = "waiting: its conditions are met, but ATR(3) of its stop is not known yet"
    assert [entry["reason"] == waiting for entry in log] == [True] * 3 + [False] * 3
    assert [entry["action"] for entry in log] == ["HOLD"] * 4 + ["BUY", "HOLD"]
    result = run_backtest(strategy, candles, FREE, CASH)
    assert fills(result) == [(4, "entry", 100, 10)]
    assert len(result.signals) == 1


@pytest.mark.parametrize("guards", [None, {"max_drawdown_percent": 4}])
def test_a_halted_run_places_no_ladder_buys(guards: dict[str, Any] | None) -> None:
    rows: list[Row] = [WANTED, CALM, (100, 100, 90, 90), (90, 90, 75, 90)]
    result = traded(rows, position_percent=50, ladder=steps((20, 20)), guards=guards)
    assert fills(result) == [HALF, *([] if guards else [(3, "ladder", 80, 2.5)])]


def test_a_day_counts_first_and_further_entries_and_no_ladder_steps() -> None:
    guards = {"max_trades_per_day": 2}
    rows: list[Row] = [(100, 100, 100 - 3 * (i == 1), 100, 9) for i in range(9)]
    result = traded(rows, position_amount=100, max_entries=9, ladder=steps((2, 5)), guards=guards)
    assert [found[:2] for found in fills(result)] == [(1, "entry"), (1, "ladder"), (2, "entry")]


@pytest.mark.parametrize(("stop", "bought"), [(20, [1]), (5, [1, 4])], ids=["lost in all", "won in all"])
def test_a_losing_streak_counts_round_trips(stop: float, bought: list[int]) -> None:
    rows: list[Row] = [WANTED, CALM, (100, 111, 100, 110), (100, 100, 70, 70, 9), CALM]
    streak = {"losing_streak": {"losses": 1, "pause": "1d"}}
    result = traded(rows, take_profits=targets((10, 50)), stop_loss_percent=stop, guards=streak)
    assert [i for i, reason, _, _ in fills(result) if reason == "entry"] == bought


def test_a_cooldown_counts_from_when_nothing_is_held() -> None:
    rows: list[Row] = [
        WANTED,
        CALM,
        (100, 111, 100, 110, 9),
        (110, 121, 110, 120, 9),
        *wanting(*ALL, count=5, price=120),
    ]
    result = traded(rows, take_profits=targets((10, 50), (20, 50)), cooldown="3m")
    assert [found[:2] for found in fills(result)] == [
        (1, "entry"),
        (2, "take_profit"),
        (3, "take_profit"),
        (7, "entry"),
    ]


def test_costs_are_paid_at_each_fill() -> None:
    thin = Costs(fee_percent=1, slippage_percent=1, buy_tax_percent=4, sell_tax_percent=6, liquidity_usd=20_000)
    result = traded([WANTED, (100, 112, 100, 112)], thin, take_profits=targets((10, 50)))
    into = 1000 / 1.01
    pieces = into / 101 / (1 + into / 10_000) * 0.96
    level = 101 * 1.1
    value = pieces / 2 * level * 0.99
    assert fills(result) == [(1, "entry", 100, pieces), (1, "take_profit", level, pieces / 2)]
    assert result.state.cash == near(value / (1 + value / 10_000) * 0.99 * 0.94)
    held = result.open_position
    assert held is not None
    bought, sold = held.fills
    assert (bought["fee"], bought["slippage"]) == (near(into / 100), near(pieces))
    assert (sold["fee"], sold["slippage"]) == (
        near(value / (1 + value / 10_000) * 0.01),
        near(pieces / 2 * level * 0.01),
    )
