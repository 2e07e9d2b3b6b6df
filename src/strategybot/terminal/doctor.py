"""`strategybot doctor`: prints the findings as a table."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from strategybot.doctor import diagnose
from strategybot.terminal.setup import open_settings
from strategybot.terminal.stop import NOTHING_TO_WORK_WITH


def show_findings() -> int:
    """Print one row per finding; return the exit code."""
    findings = diagnose(open_settings())
    table = Table("", "What", "Finding")
    for finding in findings:
        verdict = Text("ok", "green") if finding.ok else Text("fault", "red")
        table.add_row(verdict, finding.name, Text(finding.message))  # Text, because a path may contain Rich markup
    Console().print(table)
    return 0 if all(finding.ok for finding in findings) else NOTHING_TO_WORK_WITH
