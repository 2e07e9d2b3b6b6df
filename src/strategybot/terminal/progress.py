"""A progress bar on standard error, shown only on a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

Tell = Callable[[float], None]  # called with the finished share, from 0 to 1


@contextmanager
def shown(what: str) -> Iterator[Tell]:
    watched = sys.stderr.isatty()
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not watched) as bar:
        task = bar.add_task(what, total=None)

        def tell(share: float) -> None:
            bar.update(task, total=1, completed=share)

        yield tell
