"""Reads the operations guide: each of its commands is in a named block."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # it comes without types

from tests.forked_program import forked_program

ROOT = Path(__file__).parent.parent.parent
GUIDE = ROOT / "docs" / "operations.md"
PROGRAMS = Path(sys.executable).parent
IS_LONG_FORM = "CHAOS_CYCLES" in os.environ
_BLOCK = re.compile(r"<!-- tested: ([a-z-]+) -->\n```sh\n(.*?)```", re.DOTALL)

long_form = pytest.mark.skipif(not IS_LONG_FORM, reason="it installs everything anew: `make chaos` runs it")


def commands() -> dict[str, str]:
    return dict(_BLOCK.findall(GUIDE.read_text()))


def yaml_of(name: str) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((ROOT / name).read_text())
    return content


def environment(folder: Path, **variables: str) -> dict[str, str]:
    """Return the environment of an operator who has just logged in."""
    path = f"{forked_program().parent}:{PROGRAMS}:{os.environ['PATH']}"
    return {"PATH": path, "HOME": str(folder), "STRATEGYBOT_DATA_DIR": str(folder / "data"), **variables}


def script(name: str) -> list[str]:
    return ["bash", "-euo", "pipefail", "-c", commands()[name]]


def follow(name: str, folder: Path, variables: dict[str, str], seconds: float = 120) -> str:
    """Run the commands of the block unchanged in this folder."""
    done = subprocess.run(
        script(name), cwd=folder, env=variables, capture_output=True, text=True, timeout=seconds, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def begin(name: str, folder: Path, variables: dict[str, str]) -> subprocess.Popen[str]:
    """Start the command of the block, which runs until it is stopped."""
    command = ["bash", "-euo", "pipefail", "-c", f"exec {commands()[name]}"]
    return subprocess.Popen(command, cwd=folder, env=variables, stdout=subprocess.PIPE, text=True)
