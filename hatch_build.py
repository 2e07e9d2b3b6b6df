"""Builds the browser app into the wheel, so that every kind of installation carries it."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NO_NODE = """The browser app is built with Node 20.19 or newer, and npm was not found.
Install Node, or set HATCH_BUILD_NO_HOOKS=true to install Strategy Bot without its browser app."""


class SiteBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        npm = shutil.which("npm")
        if npm is None:
            raise RuntimeError(NO_NODE)
        web = Path(self.root) / "web"
        if not (web / "node_modules").is_dir():
            subprocess.run([npm, "ci", "--omit=dev"], cwd=web, check=True)
        subprocess.run([npm, "run", "build"], cwd=web, check=True)
