"""The application as a whole: its probes, its documentation, its headers and its errors."""

import io
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from strategybot.app import create_app
from strategybot.kit.logs import JsonFormatter
from strategybot.settings import Settings
from strategybot.trading.engine.metrics import METRICS
from strategybot.trading.language.document import language
from tests.engines import on_sqlite_alone
from tests.examples import example_of
from tests.servers import SECRET, free_port
from tests.shared_application import SharedApplication
from tests.support import PASSWORD, STRATEGY, bearer, create_bot, sign_up

UNDECLARED_JSON = "body must be JSON, sent with the header 'Content-Type: application/json'"


def settings_for(folder: Path, **fields: Any) -> Settings:
    return Settings(_env_file=None, data_dir=folder, **{"secret_key": SECRET, **fields})


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return create_app(settings_for(tmp_path_factory.mktemp("schema"))).openapi()


def test_health_needs_no_database_and_readiness_does(tmp_path: Path) -> None:
    app = create_app(settings_for(tmp_path, database_url=f"postgresql://nobody@127.0.0.1:{free_port()}/none"))
    away = TestClient(app)  # not entered: nothing has been migrated
    assert away.get("/healthz").json() == {"status": "ok"}
    refused = away.get("/readyz")
    assert refused.status_code == 503
    assert refused.json() == {"detail": "The database cannot be reached at the moment. Please try again."}
    body = {"email": "ada@example.com", "password": PASSWORD}
    assert away.post("/api/auth/register", json=body).status_code == 503


def test_the_service_is_ready_if_its_database_can_be_written(client: TestClient) -> None:
    assert client.get("/readyz").json() == {"status": "ok"}


def test_metrics_are_off_unless_asked_for(tmp_path: Path) -> None:
    assert TestClient(create_app(settings_for(tmp_path))).get("/metrics").status_code == 404
    with TestClient(create_app(settings_for(tmp_path, metrics=True))) as client:
        client.get("/api/bots/x")
        page = client.get("/metrics").text
    assert 'http_requests_total{method="GET",route="/api/bots/{bot_id}",status="401"} 1.0' in page


OPEN_TO_ALL = {"/api/auth/register", "/api/market/demo-tokens"}
NEVER_WRONG = {"/api/info", "/api/language"}  # public, and without a parameter
MISSES_SOMETHING_ELSE = {("/api/conversations", "post"), ("/api/market/demo-tokens", "get")}  # its bot; the demo


class TestErrors(SharedApplication):
    @pytest.mark.parametrize(
        "path", ["/nothing", "/api", "/api/bots/", "/api/nothing", "/docs/nothing", "/api/auth/me/"]
    )
    @on_sqlite_alone
    def test_an_unknown_path_is_not_found(self, client: TestClient, path: str) -> None:
        answer = client.get(path, follow_redirects=False)
        assert (answer.status_code, answer.json()) == (404, {"detail": "Not found."})

    def test_a_wrong_method_names_the_right_ones(self, client: TestClient) -> None:
        answer = client.delete("/api/auth/login")
        assert (answer.status_code, answer.json()) == (405, {"detail": "Method not allowed."})
        assert answer.headers["Allow"] == "POST"

    @pytest.mark.parametrize(
        ("content", "content_type", "detail"),
        [
            (b"{", "application/json", "body is not valid JSON"),
            (b"", "application/json", "body is required"),
            (b"[]", "application/json", "body must be an object"),
            (b"null", "application/json", "body must be an object"),
            (b'{"email": "a@b.io"}', "application/json", "password is required"),
            (b"{", "application/json; charset=utf-8", "body is not valid JSON"),
            (b'{"email": "a@b.io", "password": "x"}', "text/plain", UNDECLARED_JSON),
            (b'{"email": "a@b.io", "password": "x"}', "application/x-www-form-urlencoded", UNDECLARED_JSON),
        ],
    )
    @on_sqlite_alone
    def test_a_bad_body_is_a_clear_422(
        self, client: TestClient, content: bytes, content_type: str, detail: str
    ) -> None:
        answer = client.post("/api/auth/login", content=content, headers={"Content-Type": content_type})
        assert answer.status_code == 422
        field, _, message = detail.partition(" ")
        assert answer.json() == {"detail": detail, "errors": [{"field": field, "message": message}]}

    @pytest.mark.parametrize("content", [b"{", b'{"name": 1}', b""])
    def test_authentication_is_checked_before_the_body(self, client: TestClient, content: bytes) -> None:
        answer = client.post("/api/bots", content=content, headers={"Content-Type": "application/json"})
        assert answer.status_code == 401

    def test_a_body_over_one_mebibyte_is_refused(self, client: TestClient, user: dict[str, str]) -> None:
        answer = client.post("/api/bots", content=b'{"name": "' + b"x" * 1024 * 1024 + b'"}', headers=user)
        assert (answer.status_code, answer.json()) == (413, {"detail": "The request body is larger than 1 MiB."})


class TestBrowsers:
    def test_no_origin_is_allowed_by_default(self, client: TestClient) -> None:
        assert (
            "access-control-allow-origin" not in client.get("/healthz", headers={"Origin": "https://a.example"}).headers
        )

    def test_only_the_named_origins_are_allowed(self, tmp_path: Path) -> None:
        client = TestClient(create_app(settings_for(tmp_path, cors_origins=["https://a.example"])))
        ask = {"Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": "authorization"}
        good = client.options("/api/bots", headers={"Origin": "https://a.example", **ask})
        assert (good.status_code, good.headers["access-control-allow-origin"]) == (200, "https://a.example")
        bad = client.options("/api/bots", headers={"Origin": "https://b.example", **ask})
        assert "access-control-allow-origin" not in bad.headers
        assert (bad.status_code, list(bad.json())) == (400, ["detail"])
        answer = client.get("/healthz", headers={"Origin": "https://a.example"})
        assert answer.headers["access-control-expose-headers"] == "ETag, Retry-After, X-Request-ID, Content-Disposition"

    def test_the_documentation_loads_nothing_from_elsewhere(self, client: TestClient) -> None:
        page = client.get("/docs")
        assert "http" not in page.text
        assert "'unsafe-inline'" not in page.headers["Content-Security-Policy"].partition("style-src")[0]
        for asset, kind in [
            ("swagger-ui-bundle.js", "javascript"),
            ("swagger-ui.css", "css"),
            ("start.js", "javascript"),
        ]:
            answer = client.get(f"/docs/{asset}")
            assert answer.status_code == 200
            assert kind in answer.headers["Content-Type"]

    def test_large_public_documents_are_built_once(self, tmp_path: Path) -> None:
        app = create_app(settings_for(tmp_path))
        client = TestClient(app)
        first = client.get("/openapi.json")
        app.openapi()["info"]["title"] = "Changed"  # shows only if the document is encoded again
        assert client.get("/openapi.json").content == first.content
        assert language() is language()


class TestSchema:
    @on_sqlite_alone
    def test_every_body_has_an_example_that_is_accepted(self, client: TestClient, schema: dict[str, Any]) -> None:
        bodies = [
            (path, method, operation)
            for path, operations in schema["paths"].items()
            for method, operation in operations.items()
            if "requestBody" in operation
        ]
        assert len(bodies) >= 8
        for path, method, operation in bodies:
            example = example_of(schema, operation["requestBody"]["content"]["application/json"]["schema"])
            user = sign_up(client, f"{operation['operationId']}@example.com")
            bot = create_bot(client, user, "There already", strategy=STRATEGY)
            conversation = client.post("/api/conversations", headers=user).json()
            run = client.post(f"/api/bots/{bot['id']}/backtest", json={"token": "abc"}, headers=user).json()
            target = {"name": "My phone", "url": "ntfy://my-secret-topic"}
            told = client.post("/api/notifications/targets", json=target, headers=user).json()
            ids = {"bot_id": bot["id"], "conversation_id": conversation["id"], "run_id": run["run_id"]}
            ids["target_id"] = told["id"]
            address = path.format(**ids)
            if "bot_id" in example:
                example = {**example, "bot_id": bot["id"]}
            answer = client.request(method, address, json=example, headers=user)
            assert answer.status_code in {200, 201, 202, 204, 401}, (path, method, answer.text)

    def test_every_operation_has_a_name_and_a_summary_of_its_own(self, schema: dict[str, Any]) -> None:
        operations = [each for methods in schema["paths"].values() for each in methods.values()]
        for member in ("operationId", "summary"):
            assert len({each[member] for each in operations}) == len(operations)
        assert {"create_bot", "start_backtest", "list_bots"} <= {each["operationId"] for each in operations}
        assert all(each["tags"] for each in operations)
        assert "TargetMessage" in str(schema["webhooks"]["notification"]["post"])
        assert any("/api/events" in tag["description"] for tag in schema["tags"])

    def test_every_operation_says_how_it_fails(self, schema: dict[str, Any]) -> None:
        for path, operations in schema["paths"].items():
            for method, operation in operations.items():
                if not path.startswith("/api") or path in NEVER_WRONG:
                    continue
                assert operation["responses"]["422"]["content"]["application/json"]["schema"] == {
                    "$ref": "#/components/schemas/InvalidInputView"
                }, (path, method)
                open_to_all = path in OPEN_TO_ALL or path.startswith("/api/shares/")
                assert ("401" in operation["responses"]) != open_to_all, (path, method)
                names_something = "{" in path and not path.startswith("/api/market")  # there, what is not known is null
                may_miss = names_something or (path, method) in MISSES_SOMETHING_ELSE
                assert ("404" in operation["responses"]) == may_miss, (path, method)

    def test_every_metric_is_defined(self, schema: dict[str, Any]) -> None:
        defined = schema["components"]["schemas"]["MetricsView"]["properties"]
        assert defined.keys() == METRICS.keys()
        assert all(metric["description"] for metric in defined.values())

    def test_the_framework_adds_no_shapes_of_its_own(self, schema: dict[str, Any]) -> None:
        assert not [
            name for name in schema["components"]["schemas"] if name in {"HTTPValidationError", "ValidationError"}
        ]


class TestLogs:
    def test_a_request_is_one_line_without_secrets(self, client: TestClient) -> None:
        stream = io.StringIO()
        handler = logging.StreamHandler(stream)
        handler.setFormatter(JsonFormatter())
        logger = logging.getLogger("strategybot")
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        try:
            body = {"email": "ada@example.com", "password": PASSWORD}
            token = client.post("/api/auth/register", json=body).json()["access_token"]
            client.post("/api/auth/register", json=body)
            client.post("/api/auth/login", json={**body, "password": "wrong wrong"})
            answer = client.get("/api/bots", headers=bearer(token))
        finally:
            logger.removeHandler(handler)
        lines = [json.loads(line) for line in stream.getvalue().splitlines()]
        assert [(line["method"], line["path"], line["status"]) for line in lines] == [
            ("POST", "/api/auth/register", 201),
            ("POST", "/api/auth/register", 409),
            ("POST", "/api/auth/login", 401),
            ("GET", "/api/bots", 200),
        ]
        assert lines[3]["request_id"] == answer.headers["X-Request-ID"]
        for secret in ("ada@example.com", PASSWORD, token, "wrong wrong"):
            assert secret not in stream.getvalue()
