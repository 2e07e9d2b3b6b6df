"""A shared backtest: readable by everyone who knows the address, without data of its owner, until the share ends."""

import io
from typing import Any

import pytest
from fastapi.testclient import TestClient
from PIL import Image
from sqlalchemy import select, update

from strategybot.app import Services
from strategybot.backtests.share_page import share_page
from strategybot.backtests.sharing import NotShared
from strategybot.backtests.storage import Share, save_verdict
from strategybot.rates import SHARE_VIEWS, TOO_MANY_SHARE_VIEWS
from strategybot.trading.words.verdicts import METHOD, impersonal
from tests.backtests.driving import Headers, Json, finished, start
from tests.engines import on_both, on_sqlite_alone
from tests.simulations.driving import LIVELY, TOKEN
from tests.support import create_bot, sign_up

pytestmark = on_sqlite_alone

SECRETS = ("ada@example.com", "My secret bot", "Private words", "A private note")
NOT_SHARED = {"detail": NotShared.message}


@pytest.fixture
def run(client: TestClient, user: Headers) -> Json:
    bot = create_bot(client, user, SECRETS[1], description=SECRETS[2], strategy=LIVELY)
    run = finished(client, user, start(client, user, bot, token=TOKEN))
    client.patch(address(run), json={"name": "Private run", "note": SECRETS[3]}, headers=user)
    return run


def address(run: Json) -> str:
    return f"/api/bots/{run['bot_id']}/backtest/{run['run_id']}"


def share(client: TestClient, user: Headers, run: Json) -> str:
    answer = client.post(f"{address(run)}/share", headers=user)
    assert (answer.status_code, answer.json().keys()) == (200, {"url"}), answer.text
    url: str = answer.json()["url"]
    return url


def texts(client: TestClient, url: str) -> list[Any]:
    """Return everything that the share shows."""
    share_id = url.rpartition("/")[2]
    paths = (
        f"/s/{share_id}",
        f"/api/shares/{share_id}",
        f"/api/shares/{share_id}/klines",
        f"/s/{share_id}/preview.png",
    )
    return [client.get(path) for path in paths]


def test_everyone_can_read_it_and_nothing_identifies_the_owner(client: TestClient, user: Headers, run: Json) -> None:
    url = share(client, user, run)
    assert url.startswith("http://testserver/s/")
    page, facts, klines, picture = answers = texts(client, url)
    assert [answer.status_code for answer in answers] == [200] * 4
    shown = facts.json()
    assert (shown["metrics"], shown["strategy"]) == (run["metrics"], run["strategy"])
    assert (shown["token"], shown["token_symbol"], shown["data_source"]) == (TOKEN, "SOL", "demo")
    assert len(shown["trades"]) == min(shown["total_trades"], 2000) > 0
    assert klines.json()["klines"]
    owner = client.get("/api/auth/me", headers=user).json()
    for answer in (page, facts, klines):
        for secret in (*SECRETS, "Private run", owner["id"], run["bot_id"], run["run_id"]):
            assert secret not in answer.text
    with Image.open(io.BytesIO(picture.content)) as image:
        assert (image.format, image.size) == ("PNG", (1200, 630))


def test_the_page_has_a_link_preview_and_is_not_indexed(client: TestClient, user: Headers, run: Json) -> None:
    url = share(client, user, run)
    page = client.get(url)
    assert page.headers["X-Robots-Tag"] == "noindex"
    assert page.headers["Cache-Control"] == "no-store"
    assert '<meta name="robots" content="noindex" />' in page.text
    assert '<meta property="og:title" content="A strategy for SOL on solana' in page.text
    assert f'<meta property="og:image" content="{url}/preview.png" />' in page.text
    assert "Made with demo prices: they are invented" in page.text
    assert impersonal(METHOD) in page.text


@on_both
def test_the_picture_is_drawn_when_the_share_is_made_and_again_after_a_new_verdict(
    client: TestClient, user: Headers, services: Services, run: Json
) -> None:
    picture = f"{share(client, user, run)}/preview.png"
    with services.database.write() as session:
        stored = session.scalar(select(Share.picture))
        session.execute(update(Share).values(picture=b"as it was drawn"))
    assert stored is not None
    assert client.get(picture).content == b"as it was drawn"
    assert run["verdict"] is not None
    with services.database.write() as session:
        save_verdict(session, run["run_id"], {**run["verdict"], "headline": "Another verdict."}, None)
    drawn = client.get(picture).content
    assert drawn[:4] == b"\x89PNG"
    assert drawn != stored
    with services.database.read() as session:
        assert session.scalar(select(Share.picture)) == drawn


def test_a_share_of_an_older_version_gets_its_picture_at_the_first_request(
    client: TestClient, user: Headers, services: Services, run: Json
) -> None:
    picture = f"{share(client, user, run)}/preview.png"
    with services.database.write() as session:
        session.execute(update(Share).values(picture=None))
    assert client.get(picture).content == client.get(picture).content
    with services.database.read() as session:
        assert session.scalar(select(Share.picture)) is not None


@on_both
def test_what_a_client_has_already_is_not_sent_again(
    client: TestClient, user: Headers, services: Services, run: Json
) -> None:
    url = share(client, user, run)
    _, *cached = texts(client, url)
    for answer in cached:
        assert answer.headers["Cache-Control"] == "private, no-cache"
        for tag in (answer.headers["ETag"], f'"x", W/{answer.headers["ETag"]}', "*"):
            again = client.get(answer.request.url, headers={"If-None-Match": tag})
            assert (again.status_code, again.content) == (304, b"")
        assert client.get(answer.request.url, headers={"If-None-Match": '"other"'}).content == answer.content
    assert [answer.headers["ETag"] for answer in texts(client, url)[1:]] == [each.headers["ETag"] for each in cached]
    with services.database.write() as session:
        save_verdict(session, run["run_id"], {**run["verdict"], "headline": "Another verdict."}, None)
    changed = client.get(cached[0].request.url, headers={"If-None-Match": cached[0].headers["ETag"]})
    assert changed.json()["verdict"]["headline"] == "Another verdict."
    assert client.delete(f"{address(run)}/share", headers=user).status_code == 204
    for answer in cached:
        ended = client.get(answer.request.url, headers={"If-None-Match": answer.headers["ETag"]})
        assert ended.status_code == 404


@on_both
def test_the_shares_of_a_disabled_account_end_and_come_back_with_it(
    client: TestClient, user: Headers, services: Services, run: Json
) -> None:
    url = share(client, user, run)
    assert [answer.status_code for answer in texts(client, url)] == [200] * 4
    services.operator.disable("ada@example.com")
    assert [answer.status_code for answer in texts(client, url)] == [404] * 4
    services.operator.enable("ada@example.com")
    assert [answer.status_code for answer in texts(client, url)] == [200] * 4


def test_one_client_reads_only_so_many_shares_a_minute(client: TestClient) -> None:
    paths = [f"/api/shares/{'A' * 43}", f"/s/{'A' * 43}"]
    answers = [client.get(paths[number % 2]) for number in range(SHARE_VIEWS.count)]
    assert {answer.status_code for answer in answers} == {404}
    refused = next(answer for _ in range(SHARE_VIEWS.count) if (answer := client.get(paths[0])).status_code != 404)
    assert (refused.status_code, refused.json()) == (429, {"detail": TOO_MANY_SHARE_VIEWS})
    assert int(refused.headers["Retry-After"]) >= 1


@on_both
def test_it_ends_when_its_owner_ends_it_and_comes_back_under_another_address(
    client: TestClient, user: Headers, run: Json
) -> None:
    first = share(client, user, run)
    assert share(client, user, run) == first == client.get(f"{address(run)}/share", headers=user).json()["url"]
    assert client.delete(f"{address(run)}/share", headers=user).status_code == 204
    assert [answer.status_code for answer in texts(client, first)] == [404] * 4
    assert client.delete(f"{address(run)}/share", headers=user).json() == NOT_SHARED
    assert client.get(f"{address(run)}/share", headers=user).json() == NOT_SHARED
    second = share(client, user, run)
    assert second != first
    client.delete(address(run), headers=user)
    assert [answer.status_code for answer in texts(client, second)] == [404] * 4


def test_only_its_owner_shares_it_and_ends_it(client: TestClient, user: Headers, run: Json) -> None:
    url = share(client, user, run)
    stranger = sign_up(client, "mallory@example.com")
    for method in ("POST", "GET", "DELETE"):
        answer = client.request(method, f"{address(run)}/share", headers=stranger)
        assert (answer.status_code, answer.json()) == (404, {"detail": "Backtest not found."})
    assert client.get(url).status_code == 200


def test_the_log_has_no_address_of_a_share(shared_client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    share_id = "B" * 43
    with caplog.at_level("INFO"):
        texts(shared_client, f"/s/{share_id}")
        shared_client.get(f"/s/{share_id}/nothing")
    logged = [vars(record).get("path", "") for record in caplog.records]
    assert {"/s/{share_id}", "/api/shares/{share_id}/klines", "/s/{share_id}/preview.png"} <= set(logged)
    assert share_id not in str([vars(record) for record in caplog.records if record.name == "strategybot.http"])


@pytest.mark.parametrize("share_id", ["x", "A" * 43, "..%2f..%2fetc%2fpasswd", "%00"])
def test_what_is_not_shared_is_not_found(shared_client: TestClient, share_id: str) -> None:
    assert shared_client.get(f"/s/{share_id}").status_code == 404
    assert shared_client.get(f"/api/shares/{share_id}").status_code == 404


def test_a_stopped_run_is_not_shared(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=LIVELY)
    run = start(client, user, bot, token=TOKEN)
    client.post(f"{address(run)}/stop", headers=user)
    run = finished(client, user, run)
    expected = 200 if run["status"] == "completed" else 409
    assert client.post(f"{address(run)}/share", headers=user).status_code == expected


def test_names_of_other_people_are_shown_as_plain_text(client: TestClient, user: Headers, run: Json) -> None:
    answer = client.get(share(client, user, run), headers={"Host": '"><script>alert(1)</script>'})
    assert "<script>alert" not in answer.text


def test_without_the_web_app_the_page_is_plain_text() -> None:
    assert "<p>This backtest is not shared, or not any more.</p>" in share_page(None, None, "")
