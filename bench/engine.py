"""Measures the trading engine, next to the memory it reads and to other engines; writes its part of bench/RESULTS.md.

`python -m bench.engine`. It takes the best CPU time of several runs. `kernel` is without the metrics.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import Candles, tidy
from strategybot.trading.engine.conditions import comparisons_of, wanted_of
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.ledger import ENTRY, EXIT, round_trips
from strategybot.trading.engine.loop import Run, market_of, new_control, run
from strategybot.trading.engine.paper import PaperSession
from strategybot.trading.engine.step import opening_state, rules_of
from strategybot.trading.language.conditions import Compare
from strategybot.trading.language.strategy import Strategy

RESULTS = Path(__file__).parent / "RESULTS.md"
MILLION = 1_000_000
CASH = 10_000.0
STOPS = {"stop_loss_percent": 2, "take_profit_percent": 3}
ALL_RISK = {"stop_loss_percent": 4, "take_profit_percent": 6, "trailing_stop_percent": 3, "max_holding": "1d"}
DROP = {"kind": "price_drop", "percent": 1, "window": "12m"}
SPIKE = {"kind": "volume_spike", "multiplier": 2, "window": "20m"}


def compare(left: dict[str, Any], operator: str, right: float | dict[str, Any]) -> dict[str, Any]:
    return {"kind": "compare", "left": left, "operator": operator, "right": right}


FAST, SLOW = {"series": "ema", "period": 50}, {"series": "ema", "period": 200}
HISTOGRAM = {"series": "macd", "line": "histogram"}

STRATEGIES: dict[str, dict[str, Any]] = {
    "price_drop": {"conditions": [{**DROP, "percent": 2, "window": "1h"}], "risk_management": STOPS},
    "price_drop from the high": {
        "conditions": [{**DROP, "percent": 3, "window": "1h", "reference": "high"}],
        "risk_management": STOPS,
    },
    "price_rise from the low, 30d": {
        "conditions": [{"kind": "price_rise", "percent": 10, "window": "30d", "reference": "low"}],
        "risk_management": STOPS,
    },
    "volume_spike": {"conditions": [{**SPIKE, "multiplier": 20, "window": "1h"}], "risk_management": STOPS},
    "price_level": {
        "conditions": [{"kind": "price_level", "level": 0.01, "direction": "above"}],
        "risk_management": STOPS,
    },
    "drop and spike, stop and target": {"conditions": [DROP, SPIKE], "risk_management": STOPS},
    "drop and spike, every setting": {
        "conditions": [DROP, SPIKE],
        "exit_conditions": [{"kind": "price_rise", "percent": 3, "window": "1h"}],
        "risk_management": {**ALL_RISK, "cooldown": "2h"},
    },
    "RSI below 30, stop and target": {
        "conditions": [compare({"series": "rsi"}, "below", 30)],
        "risk_management": STOPS,
    },
    "EMA 50/200 cross": {
        "conditions": [compare(FAST, "crosses_above", SLOW)],
        "exit_conditions": [compare(FAST, "crosses_below", SLOW)],
    },
    "MACD, ADX and SMA": {
        "conditions": [
            compare(HISTOGRAM, "crosses_above", 0),
            compare({"series": "adx"}, "above", 25),
            compare({"series": "close"}, "above", {"series": "sma", "period": 50}),
        ],
        "exit_conditions": [compare(HISTOGRAM, "crosses_below", 0)],
        "risk_management": {"stop_loss_percent": 2},
    },
}
PEER_RULES: dict[str, dict[str, Any]] = {
    "drop and spike": {
        "conditions": [DROP, SPIKE],
        "exit_conditions": [{"kind": "price_rise", "percent": 1, "window": "12m"}],
    },
    **{name: STRATEGIES[name] for name in ("RSI below 30, stop and target", "EMA 50/200 cross", "MACD, ADX and SMA")},
}
PAPER = "MACD, ADX and SMA"
PEER_COSTS = Costs(fee_percent=0.1, slippage_percent=0)


def market(count: int) -> Candles:
    chance = np.random.default_rng(7)
    close = 0.01 * np.exp(np.cumsum(chance.normal(0, 0.002, count)))
    opens = np.concatenate((close[:1], close[:-1]))
    high = np.maximum(opens, close) * (1 + 0.001 * chance.random(count))
    low = np.minimum(opens, close) * (1 - 0.001 * chance.random(count))
    time_ = 1_600_000_020 + 60 * np.arange(count)
    return tidy(time_, opens, high, low, close, chance.lognormal(0, 1, count), interval_seconds=60)[0]


def best(act: Callable[[], object], repeats: int = 60) -> float:
    """Seconds of CPU, the best of so many."""
    act()
    times = []
    for _ in range(repeats):
        begun = time.thread_time()
        act()
        times.append(time.thread_time() - begun)
    return min(times)


def kernel(strategy: Strategy, candles: Candles, costs: Costs | None = None) -> Run:
    rules = rules_of(strategy, costs or Costs(), candles.interval_seconds)
    return run(rules, market_of(candles), wanted_of(strategy, candles), 0, opening_state(CASH), new_control())


def read_once(candles: Candles) -> float:
    """Seconds to read every column once: no engine that looks at all of its input can beat it."""
    return best(lambda: [column.sum() for column in candles.columns()])


def kinds(candles: Candles, small: Candles) -> list[str]:
    reads = []
    lines = [
        "| strategy | kernel 100k | kernel 1M | × reading | with metrics 1M | trades |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, document in STRATEGIES.items():
        strategy = Strategy.model_validate(document)
        few = best(lambda strategy=strategy: kernel(strategy, small))  # type: ignore[misc]
        many = best(lambda strategy=strategy: kernel(strategy, candles))  # type: ignore[misc]
        whole = best(lambda strategy=strategy: run_backtest(strategy, candles, Costs(), CASH), 10)  # type: ignore[misc]
        reads.append(read_once(candles))  # beside each of them: the machine is not equally fast all the time
        trades = len(round_trips(kernel(strategy, candles).ledger, 0.0).places)
        cells = f"{few * 1e3:.2f} ms | {many * 1e3:.2f} ms | {many / reads[-1]:.1f} | {whole * 1e3:.1f} ms | {trades}"
        lines.append(f"| {name} | {cells} |")
    return [f"Reading the six columns of 1M candles once: {min(reads) * 1e3:.2f} ms.", "", *lines]


def paper_step(small: Candles) -> list[str]:
    """One candle of paper trading, words included, with three indicators over the candles that are kept."""
    session = PaperSession(Strategy.model_validate(STRATEGIES[PAPER]), Costs(), CASH, small.interval_seconds)
    session.warm_up(small[:50_000])
    coming = iter(range(50_000, len(small)))

    def step() -> None:
        i = next(coming)
        session.advance(small[i : i + 1])

    return [f"Paper trading: {best(step, 2_000) * 1e3:.2f} ms a candle ({PAPER}; {session.lookback} candles kept)."]


def sweep(small: Candles) -> list[str]:
    """A thousand variants of one strategy, each a full run, on as many threads as there are cores."""
    variants = [
        Strategy.model_validate(
            {
                "conditions": [{**DROP, "percent": 0.5 + 0.05 * a}, {**SPIKE, "multiplier": 1.5 + 0.1 * b}],
                "risk_management": {"stop_loss_percent": 1 + c, "take_profit_percent": 2 + c},
            }
        )
        for a in range(20)
        for b in range(10)
        for c in range(5)
    ]
    cores = os.cpu_count() or 1
    with ThreadPoolExecutor(cores) as pool:
        begun, cpu = time.perf_counter(), time.process_time()
        done = list(pool.map(lambda strategy: kernel(strategy, small), variants))
        wall, spent = time.perf_counter() - begun, time.process_time() - cpu
    pace = f"{wall:.2f} s on {cores} cores ({spent:.2f} s CPU)"
    return [f"Sweep: {len(done)} variants over {len(small)} candles in {pace}."]


def memory() -> None:
    """In a process of its own: bytes a candle at the peak, above the interpreter and its libraries."""
    strategy = Strategy.model_validate(STRATEGIES["drop and spike, every setting"])
    run_backtest(strategy, market(1000), Costs(), CASH)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forget the peak so far
    before = kilobytes("VmRSS")
    run_backtest(strategy, cheap_market(MILLION), Costs(), CASH)
    print((kilobytes("VmHWM") - before) * 1024 / MILLION)


def cheap_market(count: int) -> Candles:
    """Candles made without anything large beside them."""
    candles = Candles(60, np.arange(0, 60 * count, 60), *(np.ones(count) for _ in range(5)))
    for first in range(0, count, 1000):
        part = candles[first : first + 1000]
        part.close[:] = 1 + 0.1 * np.sin(np.arange(first, first + 1000) / 50)
        part.high[:], part.low[:] = part.close * 1.01, part.close / 1.01
    return candles


def kilobytes(field: str) -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field))


def child(*arguments: str) -> str:
    return subprocess.run([sys.executable, *arguments], check=True, capture_output=True, text=True).stdout.strip()


def footprint() -> list[str]:
    each = float(child("-m", "bench.engine", "memory"))
    code = (
        "import bench.engine as b; b.kernel(b.Strategy.model_validate(b.PEER_RULES['drop and spike']), b.market(1000))"
    )
    begun = time.perf_counter()
    child("-c", code)
    start = time.perf_counter() - begun
    return [
        f"Memory: {each:.0f} bytes a candle at the peak, 48 of them the candles themselves.",
        f"Cold start: {start:.1f} s from nothing to the first finished run, compiled code cached.",
    ]


def peers(candles: Candles) -> list[str]:
    lines = ["| rule | engine | candles | CPU | × ours | × our kernel | same trades |", "|---|---|--:|--:|--:|--:|---|"]
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder) / "venv" / "bin" / "python"
        try:
            child("-m", "venv", str(python.parent.parent))
            packages = ("vectorbt[rust]==1.2.*", "backtesting==0.6.*")
            subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True, capture_output=True)
        except (subprocess.CalledProcessError, OSError) as error:
            return [f"Peers left out: they could not be installed ({type(error).__name__})."]
        stored = Path(folder) / "candles.npz"
        names = ("time", "open", "high", "low", "close", "volume")
        columns: dict[str, Any] = dict(zip(names, candles.columns(), strict=True))
        np.savez(stored, **columns)
        for name in PEER_RULES:
            for count in (100_000, MILLION):
                lines += beside(name, candles[:count], python, stored)
    return lines


def first_known(strategy: Strategy, candles: Candles) -> int:
    """The first candle at which every comparison of the entry can be true."""
    crossings = [int(each.crosses) for each in strategy.conditions if isinstance(each, Compare)]
    sides = [each.sides(candles, {}) for each in comparisons_of(strategy)]
    unknown = [np.isnan(left + right) for left, right in sides]
    return max((int(np.argmin(column)) for column in unknown), default=0) + max(crossings, default=0)


def beside(name: str, candles: Candles, python: Path, stored: Path) -> list[str]:
    strategy = Strategy.model_validate(PEER_RULES[name])
    known = first_known(strategy, candles)
    script = Path(__file__).with_name("engine_peers.py")
    command = [str(python), str(script), str(stored), str(len(candles)), name, str(known)]
    answers = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    alone = best(lambda: kernel(strategy, candles, PEER_COSTS))
    ours = best(lambda: run_backtest(strategy, candles, PEER_COSTS, CASH).metrics)
    ledger = kernel(strategy, candles, PEER_COSTS).ledger
    places = round_trips(ledger, 0.0).places
    pairs = set(map(tuple, places[:, [ENTRY, EXIT]].tolist()))
    cells = f"{ours * 1e3:.2f} ms, kernel {alone * 1e3:.2f} ms | 1 | | {len(places)} trades"
    lines = [f"| {name} | Strategy Bot | {len(candles)} | {cells} |"]
    for peer, answer in answers.items():
        begin = f"| | {peer} | {len(candles)} |"
        if "error" in answer:
            lines.append(f"{begin} failed: {answer['error'][:60]} | | | |")
            continue
        theirs = set(zip(answer["entries"], answer["exits"], strict=True))
        seconds = answer["seconds"]
        verdict = "yes" if theirs == pairs else f"no: {len(theirs)}, {len(theirs & pairs)} in common"
        lines.append(f"{begin} {seconds * 1e3:.0f} ms | {seconds / ours:.0f} | {seconds / alone:.0f} | {verdict} |")
    return lines


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def main() -> None:
    candles = market(MILLION)
    small = candles[:100_000]
    sections = {
        "Every kind of condition": kinds(candles, small),
        "Paper trading, sweep, memory, start": paper_step(small) + sweep(small) + footprint(),
        "Side by side": peers(candles),
    }
    machine = f"{os.cpu_count()} cores of {processor()}, Python {platform.python_version()}"
    head = f"Measured by `python -m bench.engine` on {machine}."
    text = "# The engine, measured\n\n" + head + " CPU time, the best of several runs.\n"
    for title, lines in sections.items():
        joint = "\n" if any(line.startswith("|") for line in lines) else "\n\n"
        text += f"\n## {title}\n\n" + joint.join(lines) + "\n"
    others = RESULTS.read_text(encoding="utf-8").split("\n# ")[1:]  # the sections of other benchmarks stay
    RESULTS.write_text("\n# ".join([text, *others]), encoding="utf-8")
    print(text)


if __name__ == "__main__":
    if sys.argv[1:] == ["memory"]:
        memory()
    else:
        main()
