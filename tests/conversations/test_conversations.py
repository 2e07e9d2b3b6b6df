"""Conversations over the API: anyone can begin one, only its owner can read it, and it is kept on sign-up."""

import pytest
from fastapi.testclient import TestClient

from strategybot.conversations.service import title_of
from tests.conversations.talking import arrive, begin, post, say
from tests.engines import on_postgresql_alone, on_sqlite_alone
from tests.support import PASSWORD, STRATEGY, ManualClock, bearer, create_bot, sign_up

pytestmark = on_sqlite_alone

NOBODYS = "01900000-0000-7000-8000-000000000000"


def test_a_request_without_credentials_creates_a_visitor(client: TestClient) -> None:
    answer = client.post("/api/conversations")
    assert answer.status_code == 201
    conversation = answer.json()
    assert len(conversation.pop("anonymous_token")) == 43
    assert conversation == {
        "id": conversation["id"],
        "title": "New conversation",
        "bot_id": None,
        "created_at": "2026-01-02T03:04:05Z",
        "updated_at": "2026-01-02T03:04:05Z",
        "messages": [],
    }


def test_a_caller_with_a_token_gets_no_visitor_token(client: TestClient, user: dict[str, str]) -> None:
    guest, _ = arrive(client)
    for who in (user, guest):
        assert "anonymous_token" not in begin(client, who, title="Mine")


def test_an_invalid_token_is_refused_and_creates_no_visitor(client: TestClient) -> None:
    unknown, empty = ({"X-Anonymous-Token": token} for token in ("nonsense", ""))
    for headers in (bearer("nonsense"), unknown, empty, {"Authorization": "Basic eDp5"}):
        assert client.post("/api/conversations", json={}, headers=headers).status_code == 401


def test_a_client_address_can_create_ten_visitors_an_hour(client: TestClient) -> None:
    for _ in range(10):
        arrive(client)
    refusal = client.post("/api/conversations", json={})
    assert refusal.status_code == 429
    assert refusal.headers["Retry-After"] == "3600"


def test_no_visitor_is_created_for_a_request_that_names_a_bot(client: TestClient) -> None:
    for _ in range(12):  # more than there are visitors for an address
        assert client.post("/api/conversations", json={"bot_id": NOBODYS}).status_code == 404
    arrive(client)


def test_the_list_is_paged_newest_first_and_has_no_messages(client: TestClient, user: dict[str, str]) -> None:
    ids = [begin(client, user, title=f"Number {number}")["id"] for number in range(3)]
    say(client, user, {"id": ids[0]}, "/help")
    page = client.get("/api/conversations?per_page=2", headers=user).json()
    assert [conversation["id"] for conversation in page["conversations"]] == [ids[2], ids[1]]
    assert set(page["conversations"][0]) == {"id", "title", "bot_id", "created_at", "updated_at"}
    del page["conversations"]
    assert page == {
        "total_conversations": 3, "page": 1, "per_page": 2, "total_pages": 2, "has_next": True, "has_prev": False,
    }  # fmt: skip


def test_messages_are_read_back_in_order(client: TestClient, user: dict[str, str], clock: ManualClock) -> None:
    conversation = begin(client, user)
    clock.advance(minutes=1)
    turn = say(client, user, conversation, "/help")
    found = client.get(f"/api/conversations/{conversation['id']}", headers=user).json()
    assert found == turn["conversation"]
    assert [message["role"] for message in found["messages"]] == ["user", "assistant"]
    assert found["messages"][0] == {
        "id": found["messages"][0]["id"],
        "role": "user",
        "content": "/help",
        "tool_calls": [],
        "receipts": None,
        "created_at": "2026-01-02T03:05:05Z",
    }
    assert found["messages"][1] == turn["message"]
    assert found["updated_at"] == "2026-01-02T03:05:05Z"


def test_a_deleted_conversation_is_not_found(client: TestClient, user: dict[str, str]) -> None:
    conversation = begin(client, user)
    path = f"/api/conversations/{conversation['id']}"
    assert client.delete(path, headers=user).status_code == 204
    for answer in (client.get(path, headers=user), client.delete(path, headers=user)):
        assert (answer.status_code, answer.json()) == (404, {"detail": "Conversation not found."})
    assert post(client, user, conversation, "hello").status_code == 404


def test_other_users_cannot_read_or_change_a_conversation(client: TestClient, user: dict[str, str]) -> None:
    mine = begin(client, user, title="Mine")
    guest, theirs = arrive(client)
    stranger = sign_up(client, "eve@example.com")
    for conversation, others in ((mine, [guest, stranger]), (theirs, [user, stranger])):
        path = f"/api/conversations/{conversation['id']}"
        for who in others:
            assert client.get(path, headers=who).status_code == 404
            assert client.delete(path, headers=who).status_code == 404
            assert client.post(f"{path}/set-bot", json={"bot_id": None}, headers=who).status_code == 404
            assert post(client, who, conversation, "hello").status_code == 404
        assert client.get(path).status_code == 401
        assert post(client, {}, conversation, "hello").status_code == 401
    assert client.get(f"/api/conversations/{mine['id']}", headers=user).json() == mine


@pytest.mark.parametrize("identifier", ["1", "x" * 36, NOBODYS, "..%2f..%2fbots", "%00"])
@on_postgresql_alone
def test_an_invalid_conversation_id_is_not_found(
    shared_client: TestClient, shared_user: dict[str, str], identifier: str
) -> None:
    assert shared_client.get(f"/api/conversations/{identifier}", headers=shared_user).status_code == 404


def test_a_bot_is_linked_and_unlinked(client: TestClient, user: dict[str, str]) -> None:
    bot = create_bot(client, user)
    conversation = begin(client, user)
    path = f"/api/conversations/{conversation['id']}/set-bot"
    assert client.post(path, json={"bot_id": bot["id"]}, headers=user).json()["bot_id"] == bot["id"]
    assert client.get(f"/api/bots/{bot['id']}", headers=user).json()["conversation_id"] == conversation["id"]
    assert client.get("/api/bots", headers=user).json()["bots"][0]["conversation_id"] == conversation["id"]
    assert client.post(path, json={"bot_id": None}, headers=user).json()["bot_id"] is None
    assert client.get(f"/api/bots/{bot['id']}", headers=user).json()["conversation_id"] is None


def test_a_bot_shows_the_conversation_that_was_last_active(
    client: TestClient, user: dict[str, str], clock: ManualClock
) -> None:
    bot = create_bot(client, user)
    first, second = (begin(client, user, bot_id=bot["id"]) for _ in range(2))
    assert client.get(f"/api/bots/{bot['id']}", headers=user).json()["conversation_id"] == second["id"]
    clock.advance(seconds=1)
    say(client, user, first, "/help")
    assert client.get(f"/api/bots/{bot['id']}", headers=user).json()["conversation_id"] == first["id"]


def test_somebody_elses_bot_cannot_be_linked(client: TestClient, user: dict[str, str]) -> None:
    theirs = create_bot(client, sign_up(client, "eve@example.com"))
    conversation = begin(client, user)
    for bot_id in (theirs["id"], NOBODYS, "x"):
        path = f"/api/conversations/{conversation['id']}/set-bot"
        answer = client.post(path, json={"bot_id": bot_id}, headers=user)
        assert (answer.status_code, answer.json()) == (404, {"detail": "Bot not found."})
        assert client.post("/api/conversations", json={"bot_id": bot_id}, headers=user).status_code == 404
    assert client.get(f"/api/conversations/{conversation['id']}", headers=user).json()["bot_id"] is None


def test_a_conversation_is_kept_when_its_bot_is_deleted(client: TestClient, user: dict[str, str]) -> None:
    bot = create_bot(client, user)
    conversation = begin(client, user, bot_id=bot["id"])
    client.delete(f"/api/bots/{bot['id']}", headers=user)
    assert client.get(f"/api/conversations/{conversation['id']}", headers=user).json()["bot_id"] is None


@pytest.mark.parametrize("door", ["register", "login"])
def test_signing_up_or_in_keeps_the_conversations(client: TestClient, door: str) -> None:
    if door == "login":
        sign_up(client)
    guest, conversation = arrive(client)
    bot = create_bot(client, guest, strategy=STRATEGY)
    client.post(f"/api/conversations/{conversation['id']}/set-bot", json={"bot_id": bot["id"]}, headers=guest)
    say(client, guest, conversation, "/strategy")
    before = client.get(f"/api/conversations/{conversation['id']}", headers=guest).json()
    answer = client.post(f"/api/auth/{door}", json={"email": "ada@example.com", "password": PASSWORD}, headers=guest)
    user = bearer(answer.json()["access_token"])
    assert client.get(f"/api/conversations/{conversation['id']}", headers=user).json() == before
    assert client.get("/api/conversations", headers=guest).status_code == 401
    assert say(client, user, conversation, "/strategy")["remaining_chats"] is None


def test_deleting_an_account_deletes_its_conversations(client: TestClient, user: dict[str, str]) -> None:
    conversation = begin(client, user)
    say(client, user, conversation, "/bots")
    assert client.request("DELETE", "/api/auth/me", json={"password": PASSWORD}, headers=user).status_code == 204
    assert client.get(f"/api/conversations/{conversation['id']}", headers=sign_up(client)).status_code == 404


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ("", 422), ("x", 200), ("\t/help \n", 200), ("x" * 4000, 200), ("x" * 4001, 422), ("a\x00b", 422), (1, 422),
        (None, 422),
    ],
    ids=["empty", "one", "between blanks", "4000", "4001", "NUL", "number", "null"],
)  # fmt: skip
def test_a_message_has_1_to_4000_characters(
    shared_client: TestClient, shared_user: dict[str, str], message: object, status: int
) -> None:
    path = f"/api/conversations/{begin(shared_client, shared_user)['id']}/chat"
    assert shared_client.post(path, json={"message": message}, headers=shared_user).status_code == status


@pytest.mark.parametrize("blank", ["   ", "\n", "\t\r\n", "\u00a0\u3000", "\u200b", " \ufeff\n"])
def test_a_blank_message_costs_nothing(client: TestClient, blank: str) -> None:
    guest, conversation = arrive(client)
    assert post(client, guest, conversation, blank).status_code == 422
    assert say(client, guest, conversation, "/help")["remaining_chats"] == 49


@pytest.mark.parametrize(
    ("accepted", "streams"),
    [
        ("text/event-stream", True),
        ("TEXT/Event-Stream", True),
        ("application/json, text/event-stream ; q=0.5", True),
        ("text/event-stream;q=0", False),
        ("text/event-stream; Q=0.000, application/json", False),
        ("application/json", False),
        ("*/*", False),
        ("text/event-streams", False),
        ("", False),
    ],
)
def test_an_answer_streams_to_whoever_accepts_it(
    shared_client: TestClient, shared_user: dict[str, str], accepted: str, streams: bool
) -> None:
    answer = post(shared_client, shared_user, begin(shared_client, shared_user), "/help", Accept=accepted)
    assert answer.headers["content-type"].startswith("text/event-stream") is streams


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("Buy when it drops 5%", "Buy when it drops 5%"),
        ("\n\n  Buy   dips\nand sell", "Buy dips"),
        ("word " * 30, "word " * 11 + "word…"),
        ("x" * 100, "x" * 60 + "…"),
        ("\u202eabc\u200b", "abc"),
        (" \n ", None),
    ],
)
def test_the_first_message_makes_the_title(message: str, title: str | None) -> None:
    assert title_of(message) == title


def test_a_title_is_made_once_and_never_over_a_given_one(client: TestClient, user: dict[str, str]) -> None:
    untitled, titled = begin(client, user), begin(client, user, title="Mine")
    assert say(client, user, untitled, "/bots")["conversation"]["title"] == "/bots"
    assert say(client, user, untitled, "/help")["conversation"]["title"] == "/bots"
    assert say(client, user, titled, "/bots")["conversation"]["title"] == "Mine"
