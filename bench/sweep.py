"""How many variants a second a search runs, alone and beside vectorbt; its part of bench/RESULTS.md.

`python -m bench.sweep [PYTHON]`: the interpreter of an environment that has vectorbt, or one is made.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench.engine import DROP, RESULTS, SPIKE, child, market, processor
from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.loop import new_control
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.search.grid import Axis, Grid
from strategybot.trading.search.sweep import Sweep

CANDLES = 100_000
CASH = 10_000.0
TITLE = "Searches, measured"
GOAL_A_SECOND, GOAL_RATIO = 9_000, 80
RULE = {"conditions": [DROP, SPIKE], "exit_conditions": [{"kind": "price_rise", "percent": 1, "window": "12m"}]}
PEER_COSTS = Costs(fee_percent=0.1, slippage_percent=0)
DROPS, RISES = np.linspace(0.5, 2.4, 20).round(3).tolist(), np.linspace(0.5, 2.9, 25).round(3).tolist()
STOPS, TARGETS = np.linspace(1, 10, 20).round(3).tolist(), np.linspace(1, 12, 20).round(3).tolist()


def grid(document: dict[str, Any], **axes: list[float]) -> Grid:
    named = tuple(Axis(path.replace("__", "."), tuple(values)) for path, values in axes.items())
    return Grid(Strategy.model_validate(document), named)


def swept(variants: Grid, candles: Candles, costs: Costs, threads: int) -> tuple[Sweep, float, float]:
    """The sweep, the seconds on the clock and those of the processors; the best of three."""
    times = []
    sweep = Sweep(variants, candles, costs, CASH, 0)
    for _ in range(3):
        begun, cpu = time.perf_counter(), time.process_time()
        sweep = Sweep(variants, candles, costs, CASH, 0)
        sweep.run(new_control(), threads)
        times.append((time.perf_counter() - begun, time.process_time() - cpu))
    return sweep, min(wall for wall, _ in times), min(spent for _, spent in times)


def alone(candles: Candles) -> list[str]:
    kinds = {
        "drop × exit rise": (grid(RULE, conditions__0__percent=DROPS, exit_conditions__0__percent=RISES), PEER_COSTS),
        "drop × stop × target": (
            grid(
                {"conditions": [DROP, SPIKE], "risk_management": {"max_holding": "4h"}},
                conditions__0__percent=DROPS,
                stop_loss_percent=STOPS,
                take_profit_percent=TARGETS,
            ),
            Costs(),
        ),
        "drop × trailing stop": (
            grid({"conditions": [DROP, SPIKE]}, conditions__0__percent=DROPS, trailing_stop_percent=STOPS),
            Costs(),
        ),
    }
    cores = os.cpu_count() or 1
    lines = [
        f"| search | variants | trades a variant | a second of one core's CPU | a second, {cores} threads |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, (variants, costs) in kinds.items():
        sweep, _, cpu = swept(variants, candles, costs, 1)
        _, wall, _ = swept(variants, candles, costs, cores)
        trades, count = float(sweep.tallies.trades.mean()), len(variants)
        lines.append(f"| {name} | {count} | {trades:.0f} | {count / cpu:,.0f} | {count / wall:,.0f} |")
    return lines


def beside(candles: Candles, python: Path, folder: Path) -> list[str]:
    """Both from prices to the return of each variant, in CPU time."""
    stored = folder / "candles.npz"
    columns: dict[str, Any] = dict(
        zip(("time", "open", "high", "low", "close", "volume"), candles.columns(), strict=True)
    )
    np.savez(stored, **columns)
    axes = DROPS, RISES
    ours, _, seconds = swept(
        grid(RULE, conditions__0__percent=axes[0], exit_conditions__0__percent=axes[1]), candles, PEER_COSTS, 1
    )
    count = len(ours.grid)
    lines = ["| engine | variants a second of CPU | ours is × | same trades |", "|---|--:|--:|---|"]
    lines.append(f"| Strategy Bot | {count / seconds:,.0f} | 1 | {int(ours.tallies.trades.sum())} trades |")
    for engine in ("rust", "numba"):
        script = Path(__file__).with_name("sweep_peer.py")
        command = [str(python), str(script), str(stored), engine, *map(json.dumps, axes)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            lines.append(f"| vectorbt ({engine}) | failed: {done.stderr.strip().splitlines()[-1][:80]} | | |")
            continue
        answer = json.loads(done.stdout)
        same = answer["trades"] == ours.tallies.trades.tolist()
        near = np.allclose(answer["returns"], ours.tallies.equity / CASH - 1, rtol=1e-6, atol=1e-9)
        words = "yes, and the same returns" if same and near else f"trades {same}, returns {near}"
        theirs = count / answer["seconds"]
        lines.append(f"| vectorbt ({engine}) | {theirs:,.0f} | {count / seconds / theirs:.0f} | {words} |")
    return lines


def peers(candles: Candles) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        if len(sys.argv) > 1:
            return beside(candles, Path(sys.argv[1]), Path(folder))
        python = Path(folder) / "venv" / "bin" / "python"
        try:
            child("-m", "venv", str(python.parent.parent))
            command = [str(python), "-m", "pip", "install", "--quiet", "vectorbt[rust]==1.2.*"]
            subprocess.run(command, check=True, capture_output=True)
        except (subprocess.CalledProcessError, OSError) as error:
            return [f"vectorbt left out: it could not be installed ({type(error).__name__})."]
        return beside(candles, python, Path(folder))


def main() -> None:
    candles = market(CANDLES)
    machine = f"{os.cpu_count()} cores of {processor()}, Python {platform.python_version()}"
    load = f"load {os.getloadavg()[0]:.0f}"
    text = (
        f"{TITLE}\n\nMeasured by `python -m bench.sweep` on {machine} ({load}), {CANDLES} candles, the best of three. "
    )
    text += f"Goal: {GOAL_A_SECOND:,} variants a second on 2 cores, and {GOAL_RATIO} × vectorbt a core.\n\n"
    text += "\n".join(alone(candles)) + "\n\n" + "\n".join(peers(candles)) + "\n"
    kept = [part for part in RESULTS.read_text(encoding="utf-8").split("\n# ") if not part.startswith(TITLE)]
    RESULTS.write_text("\n# ".join([*(part.rstrip() + "\n" for part in kept), text]), encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
