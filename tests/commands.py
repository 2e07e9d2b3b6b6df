"""Runs the `strategybot` command: in this process, or in one forked from a process that has imported everything."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from strategybot import cli
from tests.forked_program import forked_program


class Said(NamedTuple):
    code: int
    out: str
    err: str


class Terminal:
    """Run the command in this process. Its output goes to files, so it is not a terminal."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        self.folder, self.data, self._patch, self._captured = folder, folder / "data", monkeypatch, capfd
        self.set("STRATEGYBOT_DATA_DIR", str(self.data))
        self.set("COLUMNS", "100")
        monkeypatch.chdir(folder)

    def write(self, name: str, content: Any) -> str:
        (self.folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
        return name

    def set(self, name: str, value: str) -> None:
        self._patch.setenv(name, value)

    def run(self, *arguments: str) -> Said:
        self._patch.setattr(sys, "argv", ["strategybot", *arguments])
        try:
            cli.main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
        return Said(code, *self._captured.readouterr())


def run(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a new process, in its own folder."""
    return subprocess.run(
        command(*arguments),
        env=environment(folder, **variables),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def command(*arguments: str) -> list[str]:
    return [str(forked_program()), *arguments]


def environment(folder: Path, **variables: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("STRATEGYBOT_")}
    return {**clean, "STRATEGYBOT_DATA_DIR": str(folder / "data"), "COLUMNS": "200", "TERM": "xterm", **variables}
