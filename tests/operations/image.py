"""The Dockerfile as tests read it, and a plain folder in which its lines are carried out, without any container.

All stages share the folder, so that what one copies from another is there already.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from tests.operations.guide import ROOT

UNDERSTOOD = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "CMD"}
OF_THE_IMAGE = re.compile(r"(?<![\w.])/(?=build\b|opt/strategybot\b|var/(?:lib|cache)/strategybot\b)")


@dataclass(frozen=True, slots=True)
class Instruction:
    word: str
    rest: str


def instructions() -> list[Instruction]:
    text = re.sub(r"\\\n\s*", " ", (ROOT / "Dockerfile").read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [Instruction(*line.split(maxsplit=1)) for line in lines]


def final_stage() -> list[Instruction]:
    every = instructions()
    last = max(place for place, each in enumerate(every) if each.word == "FROM")
    return every[last:]


def command_of(word: str) -> list[str]:
    """Return the command of CMD or HEALTHCHECK."""
    (found,) = (each.rest for each in final_stage() if each.word == word)
    command: list[str] = json.loads(found[found.index("[") :])
    return command


def variables() -> dict[str, str]:
    """Return the environment variables of the image."""
    pairs = (shlex.split(each.rest) for each in final_stage() if each.word == "ENV")
    return dict(pair.split("=", 1) for each in pairs for pair in each)


def copied() -> Iterator[str]:
    """Yield the paths that are copied from the checkout."""
    for each in instructions():
        if each.word == "COPY" and not each.rest.startswith("--from"):
            yield from each.rest.split()[:-1]


def is_ignored(path: str) -> bool:
    """Return whether .dockerignore excludes the path; its last matching line decides."""
    ignored = False
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        pattern = line.removeprefix("!")
        if line and not line.startswith("#") and _fits(path, pattern):
            ignored = not line.startswith("!")
    return ignored


def _fits(path: str, pattern: str) -> bool:
    parts = path.split("/")
    parents = ["/".join(parts[: length + 1]) for length in range(len(parts))]
    if pattern.startswith("**/"):
        return pattern.removeprefix("**/") in parts
    return any(fnmatch(parent, pattern) and parent.count("/") == pattern.count("/") for parent in parents)


@dataclass
class Folder:
    """The folder that stands for `/` of the image."""

    root: Path
    here: str = "/"
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))

    def build(self) -> None:
        for each in instructions():
            match each.word:
                case "FROM":
                    self.here = "/"
                case "WORKDIR":
                    self.here = each.rest
                    self.at(each.rest).mkdir(parents=True, exist_ok=True)
                case "ENV":
                    self._set(each.rest)
                case "COPY":
                    self._copy(each.rest.split())
                case "RUN":
                    self.run(["bash", "-euo", "pipefail", "-c", self.moved(each.rest)])

    def at(self, path: str) -> Path:
        return self.root / str(Path(self.here) / path).lstrip("/")

    def moved(self, text: str) -> str:
        """Return the command with every path of the image moved into this folder."""
        return OF_THE_IMAGE.sub(f"{self.root}/", text)

    def run(self, command: list[str]) -> None:
        done = subprocess.run(
            command, cwd=self.at("."), env=self.environment, capture_output=True, text=True, timeout=1800, check=False
        )
        assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr[-4000:])

    def _set(self, text: str) -> None:
        for pair in shlex.split(text):
            name, value = pair.split("=", 1)
            after = f":{os.environ['PATH']}" if name == "PATH" else ""
            self.environment[name] = self.moved(value) + after

    def _copy(self, words: list[str]) -> None:
        if words[0].startswith("--from"):
            assert self.at(words[2]).exists(), words
            return
        *sources, to = words
        for source in sources:
            for path in _files(source):
                inside = path.relative_to(source) if (ROOT / source).is_dir() else Path(path.name)
                place = self.at(to) / inside
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / path, place)


def _files(source: str) -> Iterator[Path]:
    """Yield the files of the checkout that are not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", source], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    return (Path(name) for name in listed if not is_ignored(name))
