"""The web app: one page for its own addresses, cached files, and no effect on other routes."""

import gzip
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from strategybot.accounts.tiers import TIERS
from strategybot.app import assemble
from strategybot.settings import Settings
from tests.servers import SECRET

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
SCRIPT = "console.log('a script that is long enough to be worth compressing')\n" * 100


def settings_for(folder: Path) -> Settings:
    return Settings(_env_file=None, data_dir=folder / "data", secret_key=SECRET)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    folder = tmp_path_factory.mktemp("app")
    return TestClient(assemble([], "demo", None, bundle_in(folder)), headers=BROWSER)


def bundle_in(parent: Path) -> Path:
    folder = parent / "site"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>The app</title>")
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "assets" / "index-4f2a.js").write_text(SCRIPT)
    (parent / "secret.txt").write_text("not yours")
    return folder


@pytest.mark.parametrize(
    "address", ["/", "/bots", "/bots/0193-abc", "/market/So1-solana", "/account", "/login?next=/bots"]
)
def test_a_deep_link_returns_the_page_of_the_app(served: TestClient, address: str) -> None:
    for headers in (BROWSER, {"Accept": "*/*"}):
        answer = served.get(address, headers=headers)
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
        assert "The app" in answer.text
        assert answer.headers["Cache-Control"] == "no-cache"


def test_the_policy_admits_our_own_files_and_nothing_else(served: TestClient) -> None:
    answer = served.get("/")
    policy = dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"


def test_a_hashed_file_is_kept_for_ever_and_sent_compressed(served: TestClient) -> None:
    answer = served.get("/assets/index-4f2a.js", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["Content-Encoding"] == "gzip"
    assert int(answer.headers["Content-Length"]) == len(gzip.compress(SCRIPT.encode(), 9, mtime=0)) < len(SCRIPT)
    assert answer.text == SCRIPT
    plain = served.get("/assets/index-4f2a.js", headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    assert plain.text == SCRIPT


def test_other_files_are_revalidated_and_head_has_no_body(served: TestClient) -> None:
    assert served.get("/favicon.svg").headers["Content-Type"] == "image/svg+xml"
    assert served.get("/favicon.svg").headers["Cache-Control"] == "no-cache"
    head = served.head("/bots")
    assert (head.status_code, head.content) == (200, b"")


def test_an_unknown_path_is_a_page_for_browsers_and_json_for_programs(served: TestClient) -> None:
    page = served.get("/nowhere")
    assert (page.status_code, page.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    answer = served.get("/nowhere", headers={"Accept": "*/*"})
    assert (answer.status_code, answer.json()) == (404, {"detail": "Not found."})


@pytest.mark.parametrize("address", ["/api", "/api/nothing", "/docs/nothing", "/metrics", "/assets/gone.js"])
def test_an_unknown_reserved_path_is_a_plain_404(served: TestClient, address: str) -> None:
    answer = served.get(address)
    assert (answer.status_code, answer.json()) == (404, {"detail": "Not found."})


def test_other_methods_and_routes_are_unaffected(served: TestClient) -> None:
    assert served.post("/bots").status_code == 404
    assert served.post("/api/nothing").status_code == 404
    assert served.get("/healthz").json() == {"status": "ok"}
    assert "swagger" in served.get("/docs").text
    assert served.get("/api/info").json()["provider"] == "demo"
    assert served.get("/api/info").json()["visitor_candles"] == TIERS["anonymous"].candles_per_backtest


@pytest.mark.parametrize(
    "address",
    ["/../secret.txt", "/assets/../../secret.txt", "/%2e%2e/secret.txt", "/assets/%2e%2e%2f%2e%2e%2fsecret.txt"],
)
def test_nothing_outside_of_the_bundle_is_read(served: TestClient, address: str) -> None:
    assert "not yours" not in served.get(address).text


def test_without_the_bundle_the_documentation_is_the_front_page(tmp_path: Path) -> None:
    client = TestClient(assemble([], "demo", None, tmp_path / "none"), headers=BROWSER)
    assert client.get("/", follow_redirects=False).headers["Location"] == "/docs"
    assert client.get("/bots").status_code == 404
