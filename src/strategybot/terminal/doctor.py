"""`strategybot doctor`: prints the findings as a table."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from strategybot.doctor import examine
from strategybot.terminal.opening import open_settings
from strategybot.terminal.stopping import NOTHING_TO_WORK_WITH


def show_findings() -> int:
    """Print one row per finding; return the exit code."""
    findings = examine(open_settings())
    table = Table("", "What", "Finding")
    for finding in findings:
        verdict = Text("ok", "green") if finding.well else Text("fault", "red")
        table.add_row(verdict, finding.what, Text(finding.says))  # Text, because a path may contain Rich markup
    Console().print(table)
    return 0 if all(finding.well for finding in findings) else NOTHING_TO_WORK_WITH
