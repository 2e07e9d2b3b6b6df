"""The README is correct: its transcript prints what it shows, and its tables are complete."""

import re
import subprocess
from pathlib import Path

from strategybot.settings import Settings
from tests.servers import ServiceProcess

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def transcript() -> list[tuple[str, str]]:
    """Return each command of the README's console blocks, with its output."""
    steps: list[tuple[str, str]] = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = step.split("\n")
            last = next(number for number, line in enumerate(lines) if _ends(lines[: number + 1]))
            steps.append(("\n".join(lines[: last + 1]), "\n".join(lines[last + 1 :]).strip()))
    return steps


def _ends(lines: list[str]) -> bool:
    """Return whether the command is complete: the last line does not continue, and every quote is closed."""
    text = "\n".join(lines)
    return not text.endswith("\\") and text.count("'") % 2 == 0


def test_the_transcript_prints_what_it_says(tmp_path: Path) -> None:
    steps = transcript()
    assert len(steps) >= 6
    (tmp_path / "data").mkdir()
    with ServiceProcess(tmp_path / "data") as service:
        marked = "\n".join(f"{command}\necho; echo '--- end of step'" for command, _ in steps)
        script = "set -u\n" + marked.replace("http://127.0.0.1:8000", service.url)
        result = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    printed = [part.strip() for part in result.stdout.split("--- end of step")[:-1]]
    assert printed == [output for _, output in steps]


def test_every_setting_has_a_line() -> None:
    documented = re.findall(r"^\| `((?:STRATEGYBOT|AVE)_\w+)`", README, re.MULTILINE)
    variables = [
        str(field.validation_alias or f"STRATEGYBOT_{name.upper()}") for name, field in Settings.model_fields.items()
    ]
    assert sorted(documented) == sorted(variables)


def test_the_two_commands_come_first() -> None:
    assert re.findall(r"^make \w+", README, re.MULTILINE)[:2] == ["make run", "make test"]


def test_no_file_names_a_package_registry() -> None:
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    registries = re.compile(r"pypi\.(?:org|python)|pythonhosted|registry\.npm|index-url\s*=|\"resolved\":\s*\"")
    guilty = [
        name
        for name in names
        if Path(name).suffix in {".toml", ".lock", ".txt", ".cfg", ".json", ".md", ""}
        and registries.search((ROOT / name).read_text(errors="replace"))
    ]
    assert guilty == []


def test_every_file_that_the_guide_for_contributors_names_exists() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text()
    named = set(re.findall(r"`([\w.-]+/[\w./-]*)`", guide)) | set(re.findall(r"\]\(([\w./-]+)\)", guide))
    assert len(named) > 20
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
