"""The OpenAPI document says what everything is, and the common generators make clients of it that type-check."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
DOCUMENT: dict[str, Any] = json.loads((WEB / "openapi.json").read_text())  # a test compares it with the application's
MOST_VALUES = 30
TYPESCRIPT = [WEB / "node_modules" / ".bin" / name for name in ("openapi-typescript", "tsc")]


def operations() -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            yield f"{method} {path}", operation


def schemas(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        yield part
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else []:
        yield from schemas(inner)


def test_every_field_and_every_parameter_is_described() -> None:
    fields = {
        f"{name}.{field}"
        for name, schema in DOCUMENT["components"]["schemas"].items()
        for field, rules in schema.get("properties", {}).items()
        if not rules.get("description")
    }
    parameters = {
        f"{place} {each['name']}"
        for place, operation in operations()
        for each in operation.get("parameters", [])
        if not (each.get("description") or each["schema"].get("description"))
    }
    assert not fields | parameters


def test_every_operation_has_a_name_a_summary_and_a_tag_of_its_own() -> None:
    found = [operation for _, operation in operations()]
    for key in ("operationId", "summary"):
        assert max(Counter(each[key] for each in found).values()) == 1
    assert all(each["operationId"].isidentifier() and each["description"] for each in found)
    tags = {tag["name"]: tag["description"] for tag in DOCUMENT["tags"]}
    assert {tag for each in found for tag in each["tags"]} | {"Events"} == set(tags)
    assert "/api/events" in tags["Events"]
    assert DOCUMENT["webhooks"]["notification"]["post"]["description"]


def test_no_list_of_values_is_long() -> None:
    assert max(len(part["enum"]) for part in schemas(DOCUMENT) if isinstance(part.get("enum"), list)) <= MOST_VALUES


@pytest.fixture(scope="module")
def generator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install openapi-python-client, which needs an older typer than the service, in an environment of its own."""
    folder, uv = tmp_path_factory.mktemp("generator") / "venv", Path(sys.executable).parent / "uv"
    subprocess.run([uv, "venv", "--quiet", folder], check=True)
    locked: list[str | Path] = ["--require-hashes", "-r", ROOT / "requirements-generators.lock"]
    installed = subprocess.run(
        [uv, "pip", "install", "--quiet", "--python", folder / "bin" / "python", *locked],
        capture_output=True,
        check=False,
    )
    if installed.returncode:
        pytest.skip("openapi-python-client cannot be fetched here")
    return folder / "bin"


def test_openapi_python_client_makes_a_client_that_type_checks(generator: Path, tmp_path: Path) -> None:
    command: list[str | Path] = [
        generator / "openapi-python-client",
        "generate",
        "--path",
        WEB / "openapi.json",
        "--meta",
        "none",
    ]
    said = subprocess.run(
        [*command, "--output-path", tmp_path / "made", "--fail-on-warning"],
        env={"PATH": f"{generator}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stdout + said.stderr
    # Its own `client.py`, which is the same for every document, is not checked: mypy knows httpx better than it does.
    checked = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file=",
        "--follow-imports=silent",
        "-p",
        "made.api",
        "-p",
        "made.models",
    ]
    types = subprocess.run(
        [*checked, "--python-executable", generator / "python", "--cache-dir", tmp_path / "cache"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert types.returncode == 0, types.stdout


@pytest.mark.skipif(not all(each.exists() for each in TYPESCRIPT), reason="the web app's tools are not installed")
def test_openapi_typescript_makes_types_that_type_check(tmp_path: Path) -> None:
    generate, check = TYPESCRIPT
    made = tmp_path / "schema.d.ts"
    options: list[str | Path] = ["--default-non-nullable", "false", "-o", made]
    subprocess.run([generate, "openapi.json", *options], cwd=WEB, check=True, capture_output=True)
    assert made.read_text() == (WEB / "src" / "api" / "schema.d.ts").read_text(), "run `make schema`"
    types = subprocess.run([check, "--noEmit", "--strict", made], capture_output=True, text=True, check=False)
    assert types.returncode == 0, types.stdout
