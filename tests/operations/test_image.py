"""The image: what starts it and what asks after its health work here; the long form carries out all of the Dockerfile."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from strategybot.settings import Settings
from tests.operations.guide import PROGRAMS, ROOT, long_form
from tests.operations.image import (
    UNDERSTOOD,
    Folder,
    command_of,
    copied,
    final_stage,
    instructions,
    is_ignored,
    variables,
)
from tests.servers import ServiceByHand, free_port


def test_it_says_only_what_the_tests_carry_out() -> None:
    assert {each.word for each in instructions()} <= UNDERSTOOD
    assert not any(each.word == "RUN" and re.search(r"curl|wget|apt", each.rest) for each in instructions())


def test_whatever_is_copied_is_there_and_is_let_in() -> None:
    for name in copied():
        assert (ROOT / name).exists(), name
        assert not is_ignored(name), name


@pytest.mark.parametrize(
    "name",
    [".env", "data/secret_key", "data/strategybot.db", ".git/config", "web/node_modules/x/y.js", "src/strategybot/site/x",
     "src/strategybot/__pycache__/app.cpython-311.pyc", "tests/support.py"],
)  # fmt: skip
def test_what_is_not_for_an_image_stays_out(name: str) -> None:
    assert is_ignored(name)


def test_it_runs_as_nobody_in_particular() -> None:
    (user,) = (each.rest for each in final_stage() if each.word == "USER")
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user)
    assert [each.word for each in final_stage()].index("USER") > max(
        place for place, each in enumerate(final_stage()) if each.word == "RUN"
    )


def test_its_settings_are_settings() -> None:
    ours = {name.removeprefix("STRATEGYBOT_").lower() for name in variables() if name.startswith("STRATEGYBOT_")}
    assert ours
    assert ours <= Settings.model_fields.keys()


def test_its_command_serves_and_its_health_check_tells(tmp_path: Path) -> None:
    assert command_of("CMD") == ["strategybot", "serve"]
    (tmp_path / "data").mkdir()
    with ServiceByHand(tmp_path / "data") as service:  # by this very command
        assert is_healthy(service.port)
    assert not is_healthy(free_port())


def is_healthy(port: int) -> bool:
    assert command_of("HEALTHCHECK")[0] == "python"
    check = [part.replace(":8000/", f":{port}/") for part in command_of("HEALTHCHECK")[1:]]
    return subprocess.run([sys.executable, *check], capture_output=True, timeout=60, check=False).returncode == 0


@long_form
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a folder to somebody else")
def test_every_line_of_it_can_be_carried_out(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.environment["PATH"] = ":".join(part for part in os.environ["PATH"].split(":") if part != str(PROGRAMS))
    folder.build()
    assert (tmp_path / "var/lib/strategybot").stat().st_uid == 10001
    assert list((tmp_path / "var/cache/strategybot").rglob("*.nbi"))
    folder.run([str(tmp_path / "opt/strategybot/bin/strategybot"), "doctor"])
    assert list(tmp_path.glob("opt/strategybot/lib/python3*/site-packages/strategybot/site/index.html"))
