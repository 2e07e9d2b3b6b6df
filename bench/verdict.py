"""How often a verdict is wrong: grades of the real code on synthetic markets. `python -m bench.verdict --help`.

For each market the table shows the share of worlds graded `holds_up` (and `fragile`) for one sensible strategy, and
for the best of 20 and of 1,000 variants. Worlds depend on their number alone, so the table can be made again.
"""

import argparse
import math
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np

from bench.worlds import EXITS, MARKETS, SENSIBLE, Market, variants, world
from strategybot.trading.backtest import run_backtest
from strategybot.trading.candles import Candles, Floats, Integers
from strategybot.trading.conditions import columns_of
from strategybot.trading.costs import Costs
from strategybot.trading.entry_table import entry_table
from strategybot.trading.evidence import LEAST_TRADES, SEARCH_BLOCKS, losing_splits
from strategybot.trading.fast.scan import new_control, run
from strategybot.trading.kernel import Rules, opening_state, rules_of
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.ledger import BUDGET, CASH, ENTRY, PROCEEDS, TRADES
from strategybot.trading.verdict import Examination, examine, judge, try_elsewhere

COSTS = Costs()
VARIANTS = [Strategy.model_validate(each) for each in variants()]
ALL = np.arange(len(VARIANTS))
FEW = ALL[::51]  # 20 of the 1,000, of every kind
COLUMNS = ("sensible", "best of 20", "best of 1000")
Grades = tuple[str, ...]
Found = tuple[Floats, Floats, Floats]


def grade_world(market: Market, days: int, number: int) -> Grades:
    """The grades of the sensible strategy and of both searches in one world."""
    own, *others = world(market, days, 1000 * MARKETS.index(market) + number + days * 10**6)
    sensible = _grade(Strategy.model_validate(SENSIBLE), own, others, 1, None)
    found = _search(own)
    return (sensible, *(_grade_best(own, others, places, found) for places in (FEW, ALL)))


def _search(candles: Candles) -> Found:
    """Total, 8 blocks of log return above the average entry, and the number of trades of every variant."""
    columns, control = columns_of(candles), new_control()
    totals, counts = np.zeros(len(VARIANTS)), np.zeros(len(VARIANTS))
    blocks = np.zeros((len(VARIANTS), SEARCH_BLOCKS))
    bases = [entry_table(rules, columns, 0, control).average or 0.0 for rules in _rules()[:EXITS]]
    for place, rules in enumerate(_rules()):
        done = run(rules, columns, 0, opening_state(1.0), control)
        counts[place] = count = int(done.ledger.counts[TRADES])
        amounts, entries = done.ledger.amounts[:count], done.ledger.places[:count, ENTRY]
        growth = np.log((amounts[:, CASH] + amounts[:, PROCEEDS]) / (amounts[:, CASH] + amounts[:, BUDGET]))
        above = growth - math.log1p(bases[place % EXITS])
        blocks[place] = np.bincount(entries * SEARCH_BLOCKS // len(candles), weights=above, minlength=SEARCH_BLOCKS)
        totals[place] = math.log(done.state.cash + done.state.quantity * columns.close[-1])
    return totals, blocks, counts


def _rules(made: list[Rules] = []) -> list[Rules]:  # noqa: B006 - made once a process
    if not made:
        made.extend(rules_of(each, COSTS, 300) for each in VARIANTS)
    return made


def _grade_best(own: Candles, others: Sequence[Candles], places: Integers, found: Found) -> str:
    totals, blocks, counts = found
    enough = np.where(counts[places] >= LEAST_TRADES, totals[places], -np.inf)
    best = VARIANTS[int(places[int(np.argmax(enough))])]
    return _grade(best, own, others, len(places), losing_splits(blocks[places]))


def _grade(strategy: Strategy, own: Candles, others: Sequence[Candles], tries: int, search_loss: float | None) -> str:
    examination = _examined(strategy, own)
    first = judge(examination, tries, search_loss=search_loss)
    if first.grade == "loses" or first.trades < LEAST_TRADES:
        return first.grade
    samples = {
        str(place): try_elsewhere(strategy, each, COSTS, 1000.0, 0, new_control()) for place, each in enumerate(others)
    }
    return judge(examination, tries, samples, search_loss).grade


def _examined(strategy: Strategy, candles: Candles) -> Examination:
    return examine(strategy, candles, COSTS, 0, run_backtest(strategy, candles, COSTS, 1000.0))


def table(days: int, worlds: int, map_: Callable[..., object] = map) -> list[list[Counter[str]]]:
    """For each market and column, how many worlds got which grade."""
    rows = []
    for market in MARKETS:
        grades: list[Grades] = list(map_(partial(grade_world, market, days), range(worlds)))  # type: ignore[call-overload]
        rows.append([Counter(column) for column in zip(*grades, strict=True)])
        print(market.name, days, [dict(each) for each in rows[-1]], flush=True)
    return rows


def markdown(tables: Sequence[list[list[Counter[str]]]]) -> str:
    lines = ["| market | " + " | ".join(COLUMNS) + " |", "|---|" + "---|" * len(COLUMNS)]
    for place, market in enumerate(MARKETS):
        cells = [" / ".join(_cell(each[place][column]) for each in tables) for column in range(len(COLUMNS))]
        lines.append(f"| {market.name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(grades: Counter[str]) -> str:
    held, fragile = (round(100 * grades[grade] / grades.total()) for grade in ("holds_up", "fragile"))
    return f"{held} ({fragile})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", type=int, default=200, help="worlds of 30 days")
    parser.add_argument("--long", type=int, default=40, help="worlds of 180 days")
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.processes) as pool:
        tables = [table(days, worlds, pool.map) for days, worlds in ((30, asked.short), (180, asked.long)) if worlds]
    print("\nShare of worlds graded holds_up (fragile), in %, 30 / 180 days\n")
    print(markdown(tables))


if __name__ == "__main__":
    main()
