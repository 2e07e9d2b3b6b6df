"""Random strategies and random tokens that are born, die and have gaps, for tests of one purse."""

from typing import Any

import numpy as np

from strategybot.trading.engine.candles import Candles, DataReport, densify, parse_candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.universe import Token, real_candles
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import drop, random_candles, rise

HOUR = 3600
CONDITIONS = [drop(1, "1h"), drop(3, "3h", "high"), rise(2, "2h"), {"kind": "every", "period": "5h", "at": "00:00"}]
SIZES: list[dict[str, Any]] = [
    {},
    {
        "position_percent": 40,
        "ladder": [{"drop_percent": 2, "size_percent": 20}, {"drop_percent": 5, "size_percent": 40}],
    },
    {"position_amount": 130, "max_entries": 3, "entry_gap": "2h"},
    {"risk_percent": 2},
    {"position_percent": 25, "max_entries": 4},
]
RISKS: list[dict[str, Any]] = [
    {"stop_loss_percent": 4, "take_profit_percent": 6},
    {"stop_loss_percent": 8, "take_profits": [{"gain_percent": 2, "sell_percent": 50}, {"gain_percent": 7, "sell_percent": 50}]},
    {"trailing_stop_percent": 5, "break_even_after_percent": 3, "cooldown": "3h"},
    {"stop_loss_percent": 15, "max_holding": "12h"},
]  # fmt: skip
GUARDS: list[dict[str, Any] | None] = [
    None,
    None,
    {"max_drawdown_percent": 10},
    {"max_trades_per_day": 2},
    {"losing_streak": {"losses": 2, "pause": "6h"}, "max_trades_per_day": 5},
]


def dense(seed: int, count: int, **rest: Any) -> Candles:
    return densify(random_candles(seed, count, interval=HOUR, **rest), DataReport())[0]


def random_strategy(chance: np.random.Generator) -> Strategy:
    def one_of(values: list[Any]) -> Any:
        return values[int(chance.integers(len(values)))]

    return Strategy.model_validate(
        {
            "conditions": [one_of(CONDITIONS)],
            "exit_conditions": [rise(9, "3h")] if chance.random() < 0.3 else [],
            "risk_management": one_of(RISKS),
            **one_of(SIZES),
            "guards": one_of(GUARDS),
            "portfolio": {"max_open": int(chance.integers(1, 5)), "prefer": one_of(["volume", "fall", "rise"])},
        }
    )


def random_universe(chance: np.random.Generator) -> list[Token]:
    """Return tokens of which some are born later, and some die: their candles end more than a day before the others."""
    found = []
    for number in range(int(chance.integers(1, 8))):
        candles = dense(int(chance.integers(2**31)), 150, calm=0.01)
        late = int(chance.integers(0, 60)) if chance.random() < 0.5 else 0
        end = len(candles) - (int(chance.integers(10, 120)) if chance.random() < 0.5 else 0)
        candles = candles[late : max(late + 20, end)]
        costs = Costs(
            buy_tax_percent=float(chance.choice([0, 3])), liquidity_usd=[None, 20_000.0][int(chance.integers(2))]
        )
        given = with_gaps(chance, candles) if chance.random() < 0.5 else candles
        candles = densify(given, DataReport())[0]
        start, real = int(chance.choice([0, 0, 5])), real_candles(candles, given)
        found.append(Token(f"token-{number:03}", candles, start, costs, real=real))
    return found


def with_gaps(chance: np.random.Generator, candles: Candles) -> Candles:
    """Return the candles without some, among them up to twenty in a row; the first and the last stay."""
    kept = chance.random(len(candles)) > 0.1
    first = int(chance.integers(1, len(candles)))
    kept[first : first + int(chance.integers(20))] = False
    kept[[0, -1]] = True
    rows = [record for record, is_kept in zip(candles.records(), kept, strict=True) if is_kept]
    return parse_candles(rows, candles.interval_seconds)[0]


def gaps_of(token: Token) -> set[int]:
    return set() if token.real is None else set(token.candles.time[token.real == 0].tolist())
