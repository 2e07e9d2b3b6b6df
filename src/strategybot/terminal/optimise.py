"""`strategybot optimise`: every combination of some values of a strategy, over market candles or the user's own."""

import sys
from dataclasses import dataclass
from functools import partial
from os import cpu_count
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.text import Text

from strategybot.kit.csv_text import csv_text
from strategybot.kit.errors import InvalidInput
from strategybot.kit.json_object import Json
from strategybot.searches.findings import found_by, result_of, search_digest
from strategybot.searches.parameters import grid_asked_for
from strategybot.searches.schemas import MOST_PARAMETERS, ParameterRequest
from strategybot.searches.service import variant_view
from strategybot.terminal.counting import count_tries
from strategybot.terminal.heat_map import heat_map
from strategybot.terminal.market_material import market_material
from strategybot.terminal.material import compute, own_material
from strategybot.terminal.output import change_words, replace_encoding_errors, show_document, write_table
from strategybot.terminal.report import show_count
from strategybot.terminal.request import OwnFile, Request
from strategybot.terminal.stop import Stop
from strategybot.terminal.tested import Material
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, INTERVALS, Interval
from strategybot.trading.engine.loop import new_control
from strategybot.trading.engine.resolution import hidden_span, recommended_interval
from strategybot.trading.evidence.strength import SearchEvidence
from strategybot.trading.evidence.verdict import Verdict, examine, judge
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import plain
from strategybot.trading.search.grid import Grid
from strategybot.trading.search.results import COLUMNS, Objective, Search, Singles
from strategybot.trading.search.sweep import Sweep
from strategybot.trading.words.costs import cost_notes
from strategybot.trading.words.numbers import duration_words
from strategybot.trading.words.runs import source_note
from strategybot.trading.words.searches import not_recommended
from strategybot.trading.words.verdicts import METHOD
from strategybot.verdicts.tries import Counted

MOST_VARIANTS = 20_000


@dataclass(frozen=True, eq=False)
class Searched:
    """A finished search."""

    grid: Grid
    material: Material
    search: Search
    found: Json
    verdict: Verdict | None
    tries_counted: bool

    def document(self) -> Json:
        """Return the whole result as JSON, with every variant."""
        rows = self.search.pack()
        return {
            "source": self.material.source,
            "interval": self.material.interval,
            "strategy": self.grid.strategy.model_dump(mode="json"),
            "parameters": self.grid.parameters,
            "objective": self.search.objective,
            "minimum_trades": self.search.minimum_trades,
            "costs": self.material.run_costs.model_dump(mode="json"),
            "cost_notes": cost_notes(self.material.run_costs),
            "data_source": self.material.data_source,
            **self.found,
            "not_recommended": self.not_recommended,
            "verdict": self.verdict and self.verdict.model_dump(mode="json"),
            "tries_counted": self.tries_counted,
            "variants": [self._variant(number, rows) for number in range(len(self.grid))],
        }

    @property
    def not_recommended(self) -> str | None:
        if self.verdict is None:
            return None
        return not_recommended(self.found["walk_forward"]["total_return"], self.verdict.grade, self.verdict.headline)

    def table(self) -> str:
        """Return CSV with one line per variant."""
        rows, paths = self.search.pack(), [axis.path for axis in self.grid.axes]
        lines: list[list[object]] = [[*paths, *COLUMNS]]
        for number in range(len(self.grid)):
            variant = self._variant(number, rows)
            lines.append([*variant["parameters"].values(), *(variant[name] for name in COLUMNS)])
        return csv_text(lines)

    def _variant(self, number: int, rows: Singles) -> Json:
        return variant_view(self.grid, number, rows).model_dump(mode="json")


def optimise(
    strategy: Strategy,
    request: Request,
    sweeps: list[str],
    objective: Objective,
    minimum_trades: int,
    csv: OwnFile | None,
    table: Path | None,
    as_json: bool,
) -> None:
    """Search, and print what was found."""
    grid = swept_grid(strategy, sweeps)
    searched = _search(grid, _material(grid, request, csv), request, objective, minimum_trades)
    if table is not None:
        write_table(table, searched.table())
    if as_json:
        show_document(searched.document())
        return
    replace_encoding_errors(sys.stdout)
    _show(searched, Console())


def swept_grid(strategy: Strategy, sweeps: list[str]) -> Grid:
    """Return the grid of the options `--sweep conditions.0.percent=2:10:1`. Raise `Stop` if one is wrong."""
    if len(sweeps) > MOST_PARAMETERS:
        raise Stop(f"--sweep can be given {MOST_PARAMETERS} times at the most.")
    try:
        return grid_asked_for(strategy, [_parameter(each) for each in sweeps], MOST_VARIANTS, "Use fewer values.")
    except InvalidInput as error:
        raise Stop(f"--sweep: {error}") from None


def _parameter(text: str) -> ParameterRequest:
    path, _, values = text.partition("=")
    try:
        if ":" in values:
            first, last, step = map(float, values.split(":"))
            return ParameterRequest.model_validate({"path": path, "from": first, "to": last, "step": step})
        return ParameterRequest(path=path, values=[_value(each.strip()) for each in values.split(",")])
    except ValueError:
        raise Stop(f"--sweep {text} must be PATH=FROM:TO:STEP or PATH=VALUE,VALUE,…") from None


def _value(text: str) -> float | str:
    """Return a number, or the text of a duration such as 15m."""
    return text if text[-1:].isalpha() else float(text)


def _material(grid: Grid, request: Request, csv: OwnFile | None) -> Material:
    """Return the candles for the variant that looks back the furthest, which are enough for all."""
    if csv is None:
        interval = _interval(grid, request.interval)
        longest = grid.longest_variant(INTERVAL_SECONDS[interval])
        return market_material(longest, request.model_copy(update={"interval": interval}))
    material = own_material(grid.longest_variant(60), request, csv)
    seconds = material.prepared.candles.interval_seconds
    hidden = next((found for each in grid.one_at_a_time if (found := hidden_span(each, seconds))), None)
    if hidden is not None:
        raise Stop(f"A variant looks at {hidden}; candles of {duration_words(seconds)} cannot show that.")
    return material


def _interval(grid: Grid, asked: Interval | None) -> Interval:
    among = grid.fitting_intervals()
    if asked is not None and asked not in among:
        raise Stop(str(grid.misfit(asked, INTERVALS)))
    if not among:
        raise Stop(str(grid.misfit(INTERVALS[0], INTERVALS)))
    return asked or recommended_interval(grid.strategy, among)


def _search(grid: Grid, material: Material, request: Request, objective: Objective, minimum_trades: int) -> Searched:
    costs = material.run_costs.traded()
    ready = material.prepared
    sweep = Sweep(grid, ready.candles, costs, request.cash, ready.start_index)
    search = Search(sweep.tallies, grid.shape, request.cash, objective, minimum_trades)
    control, threads = new_control(), cpu_count() or 1
    run = partial(sweep.run, control, threads)
    compute(f"Running {len(grid)} variants", run, lambda: sweep.done / len(grid), control)
    p_loss = search.p_loss(sweep.gross_blocks())
    variants = sweep.different_variants()
    tries = count_tries(request, material, search_digest(grid.strategy, grid.parameters), variants)
    verdict = _verdict(sweep, search, material, p_loss, tries or Counted(variants, 0))
    found = found_by(grid, search, ready, costs, p_loss)
    return Searched(grid, material, search, found, verdict, tries_counted=tries is not None)


def _verdict(sweep: Sweep, search: Search, material: Material, p_loss: float, tries: Counted) -> Verdict | None:
    variant, prepared, costs = search.recommend(), material.prepared, material.run_costs.traded()
    if variant is None:
        return None
    result = result_of(sweep.grid, variant, prepared, costs, search.initial_cash)
    strategy = sweep.grid.strategy_at(variant)
    examination = examine(strategy, prepared.candles, costs, prepared.start_index, result)
    searched = SearchEvidence(p_loss, search.different_trades(), tries.earlier)
    return judge(examination, tries.total, searched=searched, can_be_sold=material.run_costs.can_be_sold)


def _show(searched: Searched, console: Console) -> None:
    grid, found = searched.grid, searched.found
    console.print(Text(grid.strategy.summary, style="bold"))
    candles = searched.material.prepared.candles_to_trade
    console.print(Text(f"{len(grid)} variants on {candles} candles of {searched.material.interval}."))
    if filled := searched.material.fill_note:
        console.print(Text(filled, style="yellow"))
    if note := source_note(searched.material.data_source):
        console.print(Text(note, style="yellow"))
    for note in cost_notes(searched.material.run_costs):
        console.print(Text(note, style="dim"))
    console.print()
    for line in heat_map(grid, searched.search.pack()[:, 0].astype(np.float64), searched.search.recommend()):
        console.print(line, soft_wrap=True)
    console.print()
    walk = found["walk_forward"]
    out_of_sample = f"{change_words(walk['total_return'])} in {walk['trades']} trades"
    console.print(Text(f"On time it had not seen (walk-forward): {out_of_sample}", style="bold"))
    if found["recommended"] is None:
        console.print(Text(f"No variant has {searched.search.minimum_trades} trades, so none is recommended."))
        return
    advice = searched.not_recommended or f"Recommended, in brackets: {_point(found['recommended'])}"
    console.print(Text(advice))
    console.print(Text(f"Best on the searched time, chosen after the fact: {_point(found['best'])}", style="dim"))
    console.print(
        Text(f"In {100 * found['p_loss']:.0f} % of 70 splits of the time the best of one half lost in the other.")
    )
    if searched.verdict is not None:
        tries, headline = searched.verdict.tries, searched.verdict.headline.rstrip(".")
        console.print(Text(f"Verdict after {tries} tries: {headline}. {searched.verdict.sentence}"))
        console.print(Text(METHOD, style="dim"))
    show_count(searched.tries_counted, console)


def _point(point: Json) -> str:
    values = ", ".join(
        f"{path} {value if isinstance(value, str) else plain(value)}" for path, value in point["parameters"].items()
    )
    return f"{values}: {change_words(point['metrics']['total_return'])} in {point['metrics']['total_trades']} trades"
