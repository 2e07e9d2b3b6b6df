"""How quickly the command starts: what it imports, and how much processor time that takes."""

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import Terminal, environment

SERVICE = {"fastapi", "sqlalchemy", "pydantic_ai", "uvicorn", "starlette", "anyio", "alembic", "mcp"}
COMPILER = {"numba"}
STRATEGY = {"conditions": [{"kind": "price_drop", "percent": 10, "window": "1m"}], "risk_management": {}}
CANDLES = "time,close,volume\n0,100,1\n60,90,1\n120,92,1\n180,85,1\n"
IMPORTED = """
import atexit, sys
from strategybot.cli import main
tops = lambda: sorted({name.partition(".")[0] for name in sys.modules})
atexit.register(lambda: print("IMPORTED", *tops(), file=sys.stderr))
main()
"""


def imported_by(folder: Path, *arguments: str, **variables: str) -> set[str]:
    program = [sys.executable, "-c", IMPORTED, *arguments]
    said = subprocess.run(
        program,
        env=environment(folder, **variables),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    (line,) = [line for line in said.stderr.splitlines() if line.startswith("IMPORTED")]
    return set(line.split()[1:])


@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("--version",), ("backtest", "--help"), ("backtest", "--nonsense"), ("nonsense",)],
    ids=str,
)
def test_help_and_mistakes_load_neither_the_service_nor_the_engine(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert not imported_by(tmp_path, *arguments) & (SERVICE | COMPILER)


def test_a_wrong_value_is_found_without_the_service(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text(json.dumps(STRATEGY))
    assert not imported_by(tmp_path, "backtest", "--strategy", "s.json", "--interval", "7m") & SERVICE


def test_own_candles_are_tested_without_the_service(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text(json.dumps(STRATEGY))
    (tmp_path / "c.csv").write_text(CANDLES)
    imported = imported_by(tmp_path, "backtest", "--strategy", "s.json", "--csv", "c.csv")
    assert "numba" in imported
    assert "pycparser" not in imported  # numba imports it with all that only compiling needs
    assert not imported & SERVICE


def test_mcp_through_a_server_does_not_load_the_service_here(tmp_path: Path) -> None:
    assert not imported_by(tmp_path, "mcp", "--url", "http://127.0.0.1:9") & {"fastapi", "sqlalchemy", "pydantic_ai"}


@pytest.mark.parametrize("command", [("bots",), ("runs",), ("tokens", "sol"), ("paper", "Dips")], ids=str)
def test_commands_that_use_a_server_do_not_load_the_service_here(tmp_path: Path, command: tuple[str, ...]) -> None:
    imported = imported_by(tmp_path, *command, "--url", "http://127.0.0.1:9", STRATEGYBOT_TOKEN="sbt_none")
    assert "strategybot_client" in imported
    assert not imported & {"fastapi", "sqlalchemy", "pydantic_ai", "numba"}


def test_help_takes_less_than_four_tenths_of_a_second_of_processor_time(tmp_path: Path) -> None:
    """The best of a few tries: on a busy machine the same instructions take longer."""
    spent, asked = [], [sys.executable, "-m", "strategybot", "--help"]
    for _ in range(4):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(asked, env=environment(tmp_path), cwd=tmp_path, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(spent) < 0.4, spent


def test_the_version_is_the_packages(terminal: Terminal) -> None:
    from importlib.metadata import version  # noqa: PLC0415

    assert terminal.run("--version") == (0, f"strategybot {version('strategybot')}\n", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands(tmp_path: Path, shell: str) -> None:
    asked = {
        "bash": {"_STRATEGYBOT_COMPLETE": "complete_bash", "COMP_WORDS": "strategybot back", "COMP_CWORD": "1"},
        "zsh": {"_STRATEGYBOT_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "strategybot back"},
        "fish": {
            "_STRATEGYBOT_COMPLETE": "complete_fish",
            "_TYPER_COMPLETE_ARGS": "strategybot back",
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        },
    }
    program = [str(Path(sys.executable).with_name("strategybot"))]
    said = subprocess.run(
        program, env=environment(tmp_path, **asked[shell]), capture_output=True, text=True, timeout=60, check=False
    )
    assert "backtest" in said.stdout
    assert "backup" in said.stdout
    assert "serve" not in said.stdout
