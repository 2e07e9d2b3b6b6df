"""How often a verdict is wrong: grades of the real code on synthetic markets. `python -m bench.verdict --help`.

Seven strategies on each market, the best of 20 and of 1,000 variants, and users who move dates, intervals or tokens
until something holds up. Worlds depend on their number and `--seed` alone, so the tables can be made again.
"""

import argparse
import math
import time
from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np

from bench.worlds import (
    DAY,
    HOUR,
    INTERVAL,
    MARKETS,
    NO_EDGE,
    RISING,
    SEARCHED,
    SENSIBLE,
    STRATEGIES,
    Market,
    longer,
    variants,
    world,
)
from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import Candles, Floats, Integers
from strategybot.trading.engine.conditions import wanted_of
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.ledger import ENTRY, EXIT, EXIT_BASE, round_trips
from strategybot.trading.engine.loop import market_of, new_control, run
from strategybot.trading.engine.step import Rules, opening_state, rules_of
from strategybot.trading.evidence.strength import LEAST_TRADES, SEARCH_BLOCKS, SearchEvidence, losing_splits
from strategybot.trading.evidence.timing import expected, log_levels
from strategybot.trading.evidence.verdict import Verdict, examine, judge, try_elsewhere
from strategybot.trading.language.strategy import Strategy

COSTS = Costs()
CASH = 1000.0
VARIANTS = [Strategy.model_validate(each) for each in variants()]
ALL = np.arange(len(VARIANTS))
FEW = ALL[::51]  # 20 of the 1,000, of every kind
MOVES = 20  # that a user makes
WINDOWS = (20, 30, 40)  # days
Grades = Counter[str]


def graded(
    strategy: Strategy,
    own: Candles,
    others: Sequence[Candles],
    tries: int = 1,
    searched: SearchEvidence | None = None,
) -> Verdict:
    """The verdict as the service gives it: other tokens are tried only where they can change the grade."""
    examination = examine(strategy, own, COSTS, 0, run_backtest(strategy, own, COSTS, CASH))
    first = judge(examination, tries, searched=searched)
    if first.grade == "loses" or first.trades < LEAST_TRADES:
        return first
    samples = {str(at): try_elsewhere(strategy, each, COSTS, CASH, 0, new_control()) for at, each in enumerate(others)}
    return judge(examination, tries, samples, searched)


def single_runs(market: Market, worlds: int, seed: int) -> dict[str, Grades]:
    """For each strategy, how many worlds got which grade."""
    grades = {name: Counter[str]() for name in STRATEGIES[market.interval]}
    strategies = {name: Strategy.model_validate(each) for name, each in STRATEGIES[market.interval].items()}
    for number in range(worlds):
        own, *others = world(market, market.days, seed + number)
        for name, strategy in strategies.items():
            verdict = graded(strategy, own, others)
            grades[name][verdict.grade] += 1
            grades[name]["strong"] += verdict.grade in ("holds_up", "fragile")
    return grades


def searches(market: Market, worlds: int, seed: int) -> dict[str, Grades]:
    """The grades of the best of 20 and of 1,000 variants."""
    grades = {"best of 20": Counter[str](), "best of 1000": Counter[str]()}
    for number in range(worlds):
        own, *others = world(market, market.days, seed + number)
        found = _searched(own)
        for column, places in zip(grades.values(), (FEW, ALL), strict=True):
            column[_best(own, others, places, *found)] += 1
    return grades


def _searched(candles: Candles) -> tuple[Floats, Floats, Floats, list[int]]:
    """The total, the 8 blocks of timing, the number of trades and a print of the trades of every variant."""
    market, control, levels = market_of(candles), new_control(), log_levels(candles)
    totals, counts, prints = np.zeros(len(VARIANTS)), np.zeros(len(VARIANTS)), []
    edges = np.arange(SEARCH_BLOCKS + 1) * len(candles) // SEARCH_BLOCKS
    held, caught = np.zeros((2, len(VARIANTS), SEARCH_BLOCKS))
    for place, (strategy, rules) in enumerate(zip(VARIANTS, _rules(), strict=True)):
        done = run(rules, market, wanted_of(strategy, candles), 0, opening_state(CASH), control)
        trips = round_trips(done.ledger, 0.0)
        counts[place], places, bases = len(trips.places), trips.places, trips.amounts[:, EXIT_BASE]
        at_open = (places[:, EXIT] > places[:, ENTRY]) & (bases == candles.open[places[:, EXIT]])
        ends = np.where(at_open, places[:, EXIT], places[:, EXIT] + 1)
        prints.append(hash(places[:, : EXIT + 1].tobytes()))
        for block in range(SEARCH_BLOCKS):
            first, last = (np.clip(each, edges[block], edges[block + 1]) for each in (places[:, ENTRY], ends))
            held[place, block] = (last - first).sum()
            caught[place, block] = (levels[last] - levels[first]).sum()
        totals[place] = math.log((done.state.cash + done.state.quantity * candles.close[-1]) / CASH)
    candles_in, moves = np.diff(edges).astype(np.float64), np.diff(levels[edges])
    return totals, caught - expected(candles_in, held, moves, float(len(candles))), counts, prints


@cache
def _rules() -> list[Rules]:
    return [rules_of(each, COSTS, INTERVAL) for each in VARIANTS]


def _best(
    own: Candles,
    others: Sequence[Candles],
    places: Integers,
    totals: Floats,
    blocks: Floats,
    counts: Floats,
    prints: list[int],
) -> str:
    enough = places[counts[places] >= LEAST_TRADES]
    if not len(enough):
        return "too_few"
    best = VARIANTS[int(enough[int(np.argmax(totals[enough]))])]
    searched = SearchEvidence(losing_splits(blocks[enough]), len({prints[place] for place in enough}))
    return graded(best, own, others, len(places), searched).grade


def users(market: Market, what: str, count: int, seed: int) -> Grades:
    """How many users find something that holds up with the sensible strategy, if they move `what` up to 20 times."""
    found, strategy = Counter[str](), Strategy.model_validate(SENSIBLE)
    for number in range(count):
        tokens = world(market, 90, seed + number)
        chance, tried = np.random.default_rng(seed + number), list[tuple[int, int, int]]()
        grade = "none"
        for _ in range(MOVES):
            token = int(chance.integers(len(tokens))) if what == "tokens" else 0
            factor = int(chance.choice((1, 3, 12))) if what == "intervals" else 1
            length = int(chance.choice(WINDOWS)) if what != "tokens" else 30
            begin = int(chance.integers(0, 90 - length + 1)) if what != "tokens" else 0
            span = (begin * DAY // INTERVAL, (begin + length) * DAY // INTERVAL)
            tries = 1 + sum(each[0] == token and each[1] < span[1] and each[2] > span[0] for each in tried)
            tried.append((token, *span))
            own, *others = (longer(each[slice(*span)], factor) for each in (tokens[token], *_without(tokens, token)))
            if graded(strategy, own, others, tries).grade == "holds_up":
                grade = "holds_up"
                break
        found[grade] += 1
    return found


def _without(tokens: list[Candles], place: int) -> list[Candles]:
    return tokens[:place] + tokens[place + 1 :]


def share(grades: Grades, grade: str) -> float:
    counted = sum(grades[each] for each in grades if each != "strong")
    return 100 * grades[grade] / counted


def lowest(percent: float, worlds: int) -> float:
    """The lower end of the 95 % interval of a share (Wilson)."""
    rate, z = percent / 100, 1.96
    middle = rate + z**2 / (2 * worlds)
    spread = z * math.sqrt(rate * (1 - rate) / worlds + z**2 / (4 * worlds**2))
    return max(0.0, 100 * (middle - spread) / (1 + z**2 / worlds))


def told(market: Market, grades: dict[str, Grades], worlds: int) -> str:
    """The row of a market: mean and highest share of `holds_up`, and the share of each strategy."""
    held = {name: share(each, "holds_up") for name, each in grades.items()}
    mean, highest = sum(held.values()) / len(held), max(held.values())
    failed = "" if market.has_edge or (mean <= 5 and lowest(highest, worlds) <= 5) else " **failed**"
    cells = " | ".join(f"{value:.0f}" for value in held.values())
    return f"| {market.name} | {worlds} | {mean:.1f} ({highest:.0f}){failed} | {cells} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=200, help="of each market, for single strategies")
    parser.add_argument("--searches", type=int, default=100, help="worlds of each market for the best of many")
    parser.add_argument("--users", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1_000_000, help="of the first world of each market")
    parser.add_argument("--only", help="markets whose name contains this")
    asked = parser.parse_args()
    chosen = [each for each in MARKETS if asked.only is None or asked.only in each.name]
    if asked.worlds:
        print("\n| market | worlds | mean (highest) | " + " | ".join(STRATEGIES[HOUR]) + " |\n" + "|---" * 10 + "|")
    for market in chosen if asked.worlds else []:
        begun, first = time.perf_counter(), asked.seed + 10_000 * MARKETS.index(market)
        grades = single_runs(market, asked.worlds, first)
        print(told(market, grades, asked.worlds), flush=True)
        others = {
            name: " ".join(f"{grade} {share(each, grade):.0f}" for grade in ("strong", "luck", "too_few", "loses"))
            for name, each in grades.items()
        }
        print(f"<!-- {time.perf_counter() - begun:.0f} s {others} -->", flush=True)
    for market in SEARCHED if asked.searches else ():
        found = searches(market, asked.searches, asked.seed + 500_000 + 10_000 * MARKETS.index(market))
        cells = (f"{share(each, 'holds_up'):.0f} ({share(each, 'fragile'):.0f})" for each in found.values())
        print(f"| {market.name} | {asked.searches} | " + " | ".join(cells) + " |", flush=True)
    for what in ("dates", "intervals", "tokens") if asked.users else ():
        for market in (NO_EDGE, RISING):
            seen = users(market, what, asked.users, asked.seed + 800_000)
            print(f"| {what} | {market.name} | {asked.users} | {seen['holds_up']} |", flush=True)


if __name__ == "__main__":
    main()
