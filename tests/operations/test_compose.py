"""compose.yaml and the systemd units: each setting exists, and each command is one that tests run."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from strategybot.settings import Settings
from tests.operations.guide import ROOT, yaml_of

UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))
COMPOSE = yaml_of("compose.yaml")
SERVICES: dict[str, Any] = COMPOSE["services"]
KEYS_OF_LANGUAGE_MODELS = {"OPENAI_API_KEY", "ANTHROPIC_API_KEY"}


def names_of_settings() -> set[str]:
    fields = Settings.model_fields.items()
    return {str(field.validation_alias or f"STRATEGYBOT_{name.upper()}") for name, field in fields}


class TestCompose:
    def test_two_servers_and_two_workers_share_a_database_and_a_queue(self) -> None:
        assert SERVICES.keys() == {"serve", "worker", "postgres", "redis"}
        serve, worker = SERVICES["serve"], SERVICES["worker"]
        assert (serve["command"], worker["command"]) == (["strategybot", "serve"], ["strategybot", "worker"])
        assert serve["environment"] == worker["environment"]
        assert (serve["deploy"]["replicas"], worker["deploy"]["replicas"]) == (2, 2)

    def test_every_variable_is_an_existing_setting(self) -> None:
        assert SERVICES["serve"]["environment"].keys() <= names_of_settings() | KEYS_OF_LANGUAGE_MODELS

    def test_every_secret_is_a_file_and_none_is_in_the_environment_or_on_a_command_line(self) -> None:
        files = {name: each["file"] for name, each in COMPOSE["secrets"].items()}
        assert files == {name: f"secrets/{name}" for name in files}
        used = {name for service in SERVICES.values() for name in service["secrets"]}
        assert used == files.keys()
        settings = {name.lower() for name in names_of_settings()}
        assert {name for name in used if name.startswith("strategybot_")} <= settings
        text = (ROOT / "compose.yaml").read_text()
        assert "PASSWORD:-" not in text
        assert not re.findall(r"\$\{\w*(?:PASSWORD|SECRET)\w*", text)

    def test_every_image_is_pinned_and_every_container_limited(self) -> None:
        images = re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
        images += [SERVICES[name]["image"] for name in ("postgres", "redis")]
        assert all(re.fullmatch(r"[\w.:-]+@sha256:[0-9a-f]{64}", image) for image in images)
        assert all(service.keys() >= {"mem_limit", "pids_limit"} for service in SERVICES.values())

    def test_no_port_is_open_to_other_hosts(self) -> None:
        ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
        assert ports
        assert all(port.startswith("127.0.0.1:") for port in ports)
        assert all("no-new-privileges:true" in SERVICES[name]["security_opt"] for name in ("serve", "worker"))

    def test_the_queue_has_a_password_and_both_servers_are_waited_for(self) -> None:
        assert SERVICES["redis"]["command"] == ["redis-server", "/run/secrets/redis.conf"]
        waits = SERVICES["serve"]["depends_on"]
        assert {name: each["condition"] for name, each in waits.items()} == {
            "postgres": "service_healthy",
            "redis": "service_healthy",
        }
        assert all("test" in SERVICES[name]["healthcheck"] for name in waits)


class TestUnits:
    @pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
    def test_a_unit_starts_a_command_that_tests_run(self, unit: Path) -> None:
        started = re.findall(r"^Exec\w+=(.*)$", unit.read_text(), re.MULTILINE)
        wanted = "worker" if "worker" in unit.name else "serve"
        assert started == [f"/opt/strategybot/bin/strategybot {wanted}"]

    @pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
    def test_a_unit_is_valid_and_has_few_permissions(self, unit: Path, tmp_path: Path) -> None:
        if shutil.which("systemd-analyze") is None:
            pytest.skip("systemd is not installed")
        place = tmp_path / "etc/systemd/system"
        place.mkdir(parents=True)
        shutil.copy(unit, place / unit.name.replace("@.", "@1."))
        program = tmp_path / "opt/strategybot/bin/strategybot"
        program.parent.mkdir(parents=True)
        program.touch(mode=0o755)
        for target in (
            "multi-user.target",
            "network-online.target",
            "sysinit.target",
            "basic.target",
            "shutdown.target",
        ):
            (place / target).write_text(f"[Unit]\nDescription={target}\n")
        name = unit.name.replace("@.", "@1.")
        said = analyzed("verify", f"--root={tmp_path}", "--man=no", name)
        assert said.returncode == 0, said.stderr
        assert unit.stem.rstrip("@") not in said.stderr, said.stderr
        exposed = analyzed("security", "--offline=yes", f"--root={tmp_path}", "--threshold=25", name)
        assert exposed.returncode == 0, exposed.stdout

    def test_the_example_of_its_settings_names_settings(self) -> None:
        lines = (ROOT / "deploy/systemd/environment.example").read_text().splitlines()
        names = {line.split("=", 1)[0] for line in lines if line and not line.startswith("#")}
        assert names
        assert names <= names_of_settings()


def analyzed(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, timeout=60, check=False)
