"""The operations guide as tests read it: each of its commands stands in a block that has a name."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
GUIDE = ROOT / "docs" / "operations.md"
_BLOCK = re.compile(r"<!-- tested: ([a-z-]+) -->\n```sh\n(.*?)```", re.DOTALL)


def commands() -> dict[str, str]:
    return dict(_BLOCK.findall(GUIDE.read_text()))


def follow(name: str, folder: Path, environment: dict[str, str]) -> str:
    """Do what the guide says, to the letter, in this folder."""
    script = ["bash", "-euo", "pipefail", "-c", commands()[name]]
    done = subprocess.run(script, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
