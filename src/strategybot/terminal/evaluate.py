"""`strategybot eval`: how good a language model is at the work of the chat, as a table."""

import json
import sys
from pathlib import Path

import anyio
from rich.console import Console
from rich.table import Table

from strategybot.evaluation.evaluate import Graded, Row, evaluate, model_named, summed_up
from strategybot.evaluation.tasks import chosen_tasks
from strategybot.terminal.setup import open_settings, plainly

Prices = tuple[float, float]  # dollars for a million tokens: in and out


def evaluate_model(name: str, tasks: int | None, repeat: int, json_file: Path | None, prices: Prices | None) -> None:
    settings = open_settings().model_copy(update={"model": name})
    with plainly(settings.data_dir):
        model = model_named(name, settings)
        graded = anyio.run(evaluate, model, chosen_tasks(tasks), repeat, settings, _tell)
    rows = list(summed_up(graded))
    Console(soft_wrap=True).print(_table(name, rows, repeat, prices))
    if json_file is not None:
        document = {"model": name, "repeat": repeat, "runs": [each.document() for each in graded]}
        json_file.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _tell(graded: Graded) -> None:
    outcome = "passed" if graded.passed else " ".join(graded.faults)
    sys.stderr.write(f"{graded.task}: {outcome}\n")
    sys.stderr.flush()


def _table(name: str, rows: list[Row], repeat: int, prices: Prices | None) -> Table:
    every = f"every time of {repeat}" if repeat > 1 else ""
    heads = ["group", "passed", *([every] if every else []), "calls", "tokens in", "out", "seconds"]
    table = Table(*heads, *(["cost $"] if prices else []), title=name)
    for row in rows:
        cells = [row.group, f"{row.passed} of {row.runs}"]
        cells += [f"{row.passed_every_time} of {row.tasks}"] if every else []
        cells += [f"{row.calls}", f"{row.usage.input_tokens:,}", f"{row.usage.output_tokens:,}", f"{row.seconds:.1f}"]
        cells += [f"{row.cost(*prices):.4f}"] if prices else []
        table.add_row(*cells)
    return table
