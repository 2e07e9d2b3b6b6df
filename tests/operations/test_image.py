"""The image: its command and health check work here; the long form runs the whole Dockerfile."""

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
from tests.servers import ServiceProcess, free_port


def test_the_dockerfile_has_only_instructions_that_the_tests_run() -> None:
    assert {each.word for each in instructions()} <= UNDERSTOOD
    assert not any(each.word == "RUN" and re.search(r"curl|wget|apt", each.rest) for each in instructions())


def test_every_copied_path_exists_and_is_not_ignored() -> None:
    for name in copied():
        assert (ROOT / name).exists(), name
        assert not is_ignored(name), name


@pytest.mark.parametrize(
    "name",
    [".env", "data/secret_key", "data/strategybot.db", ".git/config", "web/node_modules/x/y.js", "src/strategybot/site/x",
     "src/strategybot/__pycache__/app.cpython-311.pyc", "tests/support.py"],
)  # fmt: skip
def test_files_that_do_not_belong_into_an_image_are_ignored(name: str) -> None:
    assert is_ignored(name)


def test_it_does_not_run_as_root() -> None:
    (user,) = (each.rest for each in final_stage() if each.word == "USER")
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user)
    assert [each.word for each in final_stage()].index("USER") > max(
        place for place, each in enumerate(final_stage()) if each.word == "RUN"
    )


def test_its_variables_are_existing_settings() -> None:
    ours = {name.removeprefix("STRATEGYBOT_").lower() for name in variables() if name.startswith("STRATEGYBOT_")}
    assert ours
    assert ours <= Settings.model_fields.keys()


def test_its_command_serves_and_its_health_check_works(tmp_path: Path) -> None:
    assert command_of("CMD") == ["strategybot", "serve"]
    (tmp_path / "data").mkdir()
    with ServiceProcess(tmp_path / "data") as service:  # by the command of the image
        assert is_healthy(service.port)
    assert not is_healthy(free_port())


def is_healthy(port: int) -> bool:
    assert command_of("HEALTHCHECK")[0] == "python"
    check = [part.replace(":8000/", f":{port}/") for part in command_of("HEALTHCHECK")[1:]]
    return subprocess.run([sys.executable, *check], capture_output=True, timeout=60, check=False).returncode == 0


@long_form
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a folder to somebody else")
def test_every_instruction_of_it_runs(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.environment["PATH"] = ":".join(part for part in os.environ["PATH"].split(":") if part != str(PROGRAMS))
    folder.build()
    assert (tmp_path / "var/lib/strategybot").stat().st_uid == 10001
    assert list((tmp_path / "var/cache/strategybot").rglob("*.nbi"))
    folder.run([str(tmp_path / "opt/strategybot/bin/strategybot"), "doctor"])
    assert list(tmp_path.glob("opt/strategybot/lib/python3*/site-packages/strategybot/site/index.html"))
