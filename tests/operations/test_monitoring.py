"""Monitoring as code: every metric that an alert, the dashboard or the guide names is one that the service has."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from strategybot.app import create_app
from strategybot.settings import Settings
from tests.operations.guide import GUIDE, ROOT, yaml_of
from tests.servers import SECRET, free_port
from tests.simulations.driving import LIVELY, TOKEN, start
from tests.support import ManualClock, create_bot, sign_up

ALERTS: list[dict[str, Any]] = yaml_of("deploy/prometheus/alerts.yml")["groups"][0]["rules"]
DASHBOARD: dict[str, Any] = json.loads((ROOT / "deploy/grafana/strategybot.json").read_text())
OF_PROMETHEUS = {"up"}


def expressions() -> Iterator[str]:
    yield from (alert["expr"] for alert in ALERTS)
    yield from (target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"])


def named(expression: str) -> set[str]:
    """Return the names of the metrics in a query, without functions, labels, groupings and numbers."""
    bare = re.sub(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\[\w+\]", "", expression)
    bare = re.sub(r"\bby\s*\([^)]*\)", "", bare)
    return {word for word in re.findall(r"[a-z_]{2,}(?!\w*\s*\()\b", bare) if word not in {"and", "or", "unless"}}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the metrics of a service that has answered, refused and used the market."""
    with TestClient(create_app(settings(tmp_path_factory.mktemp("monitored")))) as client:
        who = sign_up(client)
        client.get("/api/market/tokens/trending", headers=who)
        return client.get("/metrics").text


def settings(folder: Path, **more: Any) -> Settings:
    return Settings(_env_file=None, data_dir=folder / "data", secret_key=SECRET, metrics=True, **more)


def metrics_of(page: str) -> set[str]:
    return set(re.findall(r"^([a-z_]+)(?:\{| )", page, re.MULTILINE))


def test_every_metric_that_is_monitored_exists(told: str) -> None:
    wanted = set().union(*map(named, expressions()))
    assert len(wanted) >= 8
    assert wanted - OF_PROMETHEUS <= metrics_of(told)


def test_the_guide_lists_every_metric_of_ours(told: str) -> None:
    written = set(re.findall(r"^\| `([a-z_]+)` \|", GUIDE.read_text(), re.MULTILINE))
    families = set(re.findall(r"^# TYPE (\w+) ", told, re.MULTILINE))
    ours = {name for name in families if not name.startswith("process_") and not name.endswith("_created")}
    assert written == ours


def test_labels_in_queries_exist(told: str) -> None:
    for kind in {kind for each in expressions() for kind in re.findall(r'kind="(\w+)"', each)}:
        assert f'live_runs{{kind="{kind}"}}' in told
    routes = {route for each in expressions() for route in re.findall(r'route="([^"]+)"', each)}
    paths = json.loads((ROOT / "web" / "openapi.json").read_text())["paths"]
    assert routes
    assert routes <= paths.keys()


def test_every_alert_has_a_summary_and_a_severity() -> None:
    assert len({alert["alert"] for alert in ALERTS}) == len(ALERTS) >= 5
    for alert in ALERTS:
        assert alert["labels"]["severity"] in {"page", "ticket"}
        assert alert["annotations"]["summary"].endswith(".")


def test_the_scrape_configuration_uses_the_path_of_the_metrics() -> None:
    asked = yaml_of("deploy/prometheus/prometheus.yml")
    assert asked["rule_files"] == ["alerts.yml"]
    (job,) = asked["scrape_configs"]
    assert (job["job_name"], job["metrics_path"]) == ("strategybot", "/metrics")


def test_no_two_panels_are_equal_or_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert not cells & taken, panel["title"]
        taken |= cells
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


def value(page: str, metric: str) -> float:
    (found,) = re.findall(rf"^{re.escape(metric)} (\S+)$", page, re.MULTILINE)
    return float(found)


def test_a_replay_without_a_worker_is_reported_as_late(tmp_path: Path) -> None:
    clock = ManualClock()
    clock.now = datetime.now(UTC)
    with TestClient(create_app(settings(tmp_path), clock)) as client:
        who = sign_up(client)
        start(client, who, create_bot(client, who, strategy=LIVELY), check_interval=10)
        assert value(client.get("/metrics").text, 'live_runs{kind="simulation"}') == 1
        assert value(client.get("/metrics").text, "simulation_lateness_seconds") == 0
    clock.now += timedelta(minutes=2)  # without a worker meanwhile
    away = TestClient(create_app(settings(tmp_path), clock))
    page = away.get("/metrics").text
    assert 100 < value(page, "simulation_lateness_seconds") <= 120
    assert value(page, "simulation_workers") == 0


def test_searches_and_surveys_are_counted_like_backtests(tmp_path: Path) -> None:
    with TestClient(create_app(settings(tmp_path))) as client:
        who = sign_up(client)
        bot = create_bot(client, who, strategy=LIVELY)
    idle = TestClient(create_app(settings(tmp_path)))  # without its workers: runs stay pending
    search = {"token": TOKEN, "parameters": [{"path": "stop_loss_percent", "values": [1, 2]}]}
    for kind, request in {
        "optimise": search,
        "survey": {"tokens": [{"token": TOKEN}]},
        "backtest": {"token": TOKEN},
    }.items():
        for _ in range(2 if kind == "survey" else 1):
            answer = idle.post(f"/api/bots/{bot['id']}/{kind}", json=request, headers=who)
            assert answer.status_code == 202, answer.text
    page = idle.get("/metrics").text
    kinds = [f"{kind}_{status}" for kind in ("backtest", "optimisation", "survey") for status in ("pending", "running")]
    assert [value(page, f'live_runs{{kind="{kind}"}}') for kind in kinds] == [1, 0, 1, 0, 2, 0]


def test_without_a_database_the_other_metrics_are_still_reported(tmp_path: Path) -> None:
    nowhere = f"postgresql://nobody@127.0.0.1:{free_port()}/none"
    page = TestClient(create_app(settings(tmp_path, database_url=nowhere))).get("/metrics").text
    assert value(page, "queue_failures_total") == 0
    assert "live_runs" not in page
