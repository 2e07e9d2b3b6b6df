"""The distribution `strategybot-client`: generated from the API's document, small, and part of the service's wheel."""

import subprocess
import sys
import zipfile
from pathlib import Path

from generate_client import generated

ROOT = Path(__file__).parents[2]
IMPORTED = "import sys, strategybot_client; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
HEAVY = {"numba", "numpy", "sqlalchemy", "fastapi", "strategybot", "pandas", "polars"}


def built(folder: Path, out: Path) -> set[str]:
    """Build the wheel of a folder without its hooks; return the names in it."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    environment = {"HATCH_BUILD_NO_HOOKS": "true", "PATH": "/usr/bin:/bin"}
    subprocess.run([*command, "--directory", str(out)], cwd=folder, env=environment, check=True, capture_output=True)
    (wheel,) = out.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_generated_files_are_those_of_the_document() -> None:
    for file, text in generated().items():
        assert file.read_text() == text, f"{file.name} is old: run `make schema`"


def test_importing_it_loads_nothing_of_the_service() -> None:
    said = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=True)
    assert not set(said.stdout.split()) & HEAVY


def test_both_wheels_have_the_module(tmp_path: Path) -> None:
    own = built(ROOT / "client", tmp_path / "client")
    service = built(ROOT, tmp_path / "service")
    module = {f"strategybot_client/{file.name}" for file in (ROOT / "client" / "strategybot_client").glob("*.*")}
    assert "strategybot_client/py.typed" in module
    assert module <= own & service
    assert "strategybot/client/__init__.py" in service
    (metadata,) = [name for name in service if name.endswith("METADATA")]
    assert metadata.startswith("strategybot-")
