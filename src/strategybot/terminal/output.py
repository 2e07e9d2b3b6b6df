"""What commands write to a terminal: a progress bar, percentages, and characters that its encoding may not have."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from strategybot.terminal.stop import Stop

Tell = Callable[[float], None]  # called with the finished share, from 0 to 1


@contextmanager
def show_progress(what: str) -> Iterator[Tell]:
    """Show a progress bar on standard error while the block runs, if that is a terminal."""
    watched = sys.stderr.isatty()
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not watched) as bar:
        task = bar.add_task(what, total=None)

        def tell(share: float) -> None:
            bar.update(task, total=1, completed=share)

        yield tell


def replace_encoding_errors(*streams: TextIO) -> None:
    """Replace characters that the stream's encoding cannot represent with a question mark, instead of raising."""
    for stream in streams:
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def change_words(percent: float | None) -> str:
    return "unknown" if percent is None else f"{percent:+,.2f} %"


def one_line(text: str, most: int) -> str:
    """Return the printable characters of a text that anyone may have written, such as a token's name."""
    return "".join(letter for letter in text if letter.isprintable())[:most]


def write_table(file: Path, text: str) -> None:
    """Write a table of CSV into the file."""
    try:
        file.write_text(text, newline="")
    except OSError as error:
        raise Stop(f"{file} cannot be written: {error.strerror or error}.") from None


def show_document(document: Any) -> None:
    """Print a result as one JSON document."""
    sys.stdout.write(json.dumps(document, allow_nan=False) + "\n")
