"""The limits of chats: exact, and checked before a language model is called."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update

from strategybot.app import Services
from strategybot.conversations.links import Links
from strategybot.conversations.service import Conversations
from strategybot.conversations.storage import Conversation
from strategybot.conversations.turn.turns import Answer
from strategybot.kit.identifiers import new_id
from strategybot.kit.limits import Rate
from strategybot.rates import TOO_MANY_CHATS_OF_AN_ADDRESS, TOO_MANY_VISITOR_CHATS
from strategybot.runs.leases import Worker
from strategybot.settings import Settings
from tests.application import application
from tests.backtests.driving import start
from tests.conversations.talking import Headers, Json, arrive, begin, held, post, said, say, scripted, text
from tests.simulations.stage import FlakyDatabase
from tests.support import ManualClock, sign_up

FULL = {
    "detail": "Without an account you can send 50 messages.",
    "upsell_message": "Sign up for a free account to go on; everything you made comes along.",
}


def test_a_visitor_has_fifty_chats_and_is_warned_after_forty(client: TestClient, settings: Settings) -> None:
    guest, conversation = arrive(client)
    script = scripted(client, settings, text("Yes."))
    turns = [say(client, guest, conversation, "hello") for _ in range(50)]
    assert [turn["remaining_chats"] for turn in turns] == list(range(49, -1, -1))
    assert [turn["warning"] is not None for turn in turns] == [False] * 39 + [True] * 11
    assert turns[39]["warning"].startswith("10 messages are left")
    assert turns[48]["warning"].startswith("1 message is left")
    refusal = post(client, guest, conversation, "hello")
    assert (refusal.status_code, refusal.json()) == (403, FULL)
    assert len(script.heard) == 50
    assert len(client.get(f"/api/conversations/{conversation['id']}", headers=guest).json()["messages"]) == 100


def test_a_visitor_whose_backtest_is_used_is_told_how_to_go_on(client: TestClient) -> None:
    guest, conversation = arrive(client)
    first = said(client, guest, conversation, "buy PIPO when it drops 5% in an hour, stop loss 3%")
    assert "the only backtest that you have without an account" in first
    (bot,) = client.get("/api/bots", headers=guest).json()["bots"]
    start(client, guest, bot)  # as the start page does
    assert "sign up" in said(client, guest, conversation, "set the stop to 4%")
    turn = say(client, guest, conversation, "backtest it")
    assert "free account" in turn["message"]["content"]
    assert [call["name"] for call in turn["message"]["tool_calls"]] == ["get_current_strategy"]


def test_deleting_conversations_gives_no_chat_back(client: TestClient, settings: Settings) -> None:
    guest, conversation = arrive(client)
    scripted(client, settings, text("Yes."))
    assert say(client, guest, conversation, "hello")["remaining_chats"] == 49
    client.delete(f"/api/conversations/{conversation['id']}", headers=guest)
    assert say(client, guest, begin(client, guest), "/help")["remaining_chats"] == 48


def test_of_sixty_concurrent_chats_of_a_visitor_fifty_are_admitted(client: TestClient, settings: Settings) -> None:
    guest, first = arrive(client)
    script = scripted(client, settings, text("Yes."))
    conversations = [first, *(begin(client, guest) for _ in range(59))]
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda conversation: post(client, guest, conversation, "hello"), conversations))
    statuses = [answer.status_code for answer in answers]
    assert (statuses.count(200), statuses.count(403)) == (50, 10)
    assert sorted(answer.json()["remaining_chats"] for answer in answers if answer.status_code == 200) == list(
        range(50)
    )
    assert len(script.heard) == 50


@pytest.fixture
def four_in_an_hour(settings: Settings) -> Settings:
    return Settings(**{**settings.model_dump(), "chat_limit": "4/1h", "_env_file": None})


def test_the_limit_of_all_users_together_is_a_rolling_window(
    client: TestClient, four_in_an_hour: Settings, clock: ManualClock
) -> None:
    script = scripted(client, four_in_an_hour, text("Yes."))
    guest, theirs = arrive(client)
    user = sign_up(client)
    mine = begin(client, user)
    for who, conversation in [(user, mine), (guest, theirs)] * 2:
        say(client, who, conversation, "hello")
        clock.advance(minutes=10)
    refusal = post(client, guest, theirs, "hello")
    assert refusal.status_code == 429
    assert refusal.headers["Retry-After"] == str(20 * 60)
    clock.advance(minutes=20)
    assert say(client, guest, theirs, "hello")["remaining_chats"] == 47  # the refused one cost nothing
    assert post(client, user, mine, "hello").status_code == 429
    assert len(script.heard) == 5


def test_concurrent_chats_do_not_exceed_the_limit_of_all_users(client: TestClient, four_in_an_hour: Settings) -> None:
    script = scripted(client, four_in_an_hour, text("Yes."))
    user = sign_up(client)
    conversations = [begin(client, user) for _ in range(12)]
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda conversation: post(client, user, conversation, "hello"), conversations))
    statuses = [answer.status_code for answer in answers]
    assert (statuses.count(200), statuses.count(429)) == (4, 8)
    assert len(script.heard) == 4


def test_a_refused_turn_leaves_no_message(client: TestClient, four_in_an_hour: Settings, user: Headers) -> None:
    scripted(client, four_in_an_hour, text("Yes."))
    conversation = begin(client, user)
    for _ in range(4):
        say(client, user, conversation, "hello")
    assert post(client, user, conversation, "one too many").status_code == 429
    assert "one too many" not in client.get(f"/api/conversations/{conversation['id']}", headers=user).text


def test_one_answer_at_a_time_and_the_refused_turn_costs_none(client: TestClient, settings: Settings) -> None:
    guest, conversation = arrive(client)
    model = held(client, settings)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(say, client, guest, conversation, "hello")
        assert model.asked.wait(10)
        refusal = post(client, guest, conversation, "hello?")
        assert (refusal.status_code, refusal.json()) == (
            409,
            {"detail": "I am still answering your last message. Please wait a moment."},
        )
        model.let_go.set()
        assert first.result()["remaining_chats"] == 49
    assert say(client, guest, conversation, "/help")["remaining_chats"] == 48


def test_a_turn_whose_process_died_is_taken_over(
    client: TestClient, settings: Settings, user: Headers, services: Services, clock: ManualClock
) -> None:
    conversation, other = begin(client, user), new_id()
    model = held(client, settings)
    with ThreadPoolExecutor(1) as pool:
        lost = pool.submit(post, client, user, conversation, "hello")
        assert model.asked.wait(10)
        with services.database.write() as session:  # as if another process answered it
            session.add(Worker(id=other, started_at=clock(), heartbeat_at=clock()))
            session.execute(update(Conversation).values(worker_id=other))
        assert post(client, user, conversation, "hello?").status_code == 409
        clock.advance(seconds=7)  # that process is silent
        scripted(client, settings, text("A new beginning."))
        answered = say(client, user, conversation, "hello?")
        model.let_go.set()  # the turn that was taken for dead finds that another one has begun
        assert lost.result().status_code == 404
    assert _contents(client, user, conversation) == ["hello", "hello?", "A new beginning."]
    assert answered["message"]["content"] == "A new beginning."


class Agreeable:
    """An assistant that says yes."""

    async def answer(self, *_question: Any) -> Answer:
        return Answer("Yes.")


@pytest.mark.parametrize("fault", ["before", "after"])
def test_a_turn_whose_commit_was_not_confirmed_does_not_block_the_next(
    client: TestClient, settings: Settings, user: Headers, services: Services, clock: ManualClock, fault: str
) -> None:
    conversation, database = begin(client, user), FlakyDatabase(settings.database)
    links, chats = Links(database, services.bots, clock), services.rates.chats
    client.app.state.conversations = Conversations(  # type: ignore[attr-defined]
        database, services.accounts, services.bots, links, chats, Agreeable(), clock, services.leases
    )
    database.away = [fault]
    assert post(client, user, conversation, "hello").status_code == 503
    assert said(client, user, conversation, "hello?") == "Yes."
    database.close()


def test_a_turn_that_takes_long_keeps_the_conversation_until_it_ends(
    client: TestClient, settings: Settings, user: Headers, clock: ManualClock
) -> None:
    conversation = begin(client, user)
    model = held(client, settings)
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(say, client, user, conversation, "hello")
        assert model.asked.wait(10)
        clock.advance(minutes=5)
        assert post(client, user, conversation, "hello?").status_code == 409
        model.let_go.set()
        assert slow.result()["message"]["content"] == "Here I am."
    assert post(client, user, conversation, "/help").status_code == 200


def _contents(client: TestClient, who: Headers, conversation: Json) -> list[str]:
    found = client.get(f"/api/conversations/{conversation['id']}", headers=who).json()
    return [message["content"] for message in found["messages"]]


def test_one_owner_has_only_its_share_of_everyones_messages(settings: Settings, clock: ManualClock) -> None:
    shared = settings.model_copy(update={"chat_limit": Rate.parse("10/5h"), "chat_share": 20})
    with TestClient(application(shared, clock)) as client:
        ada, bob = sign_up(client), sign_up(client, "bob@example.com")
        hers, his = begin(client, ada), begin(client, bob)
        assert [post(client, ada, hers, "/help").status_code for _ in range(2)] == [200, 200]
        assert client.get("/api/auth/me", headers=ada).json()["rates"]["chat_messages"] == {
            "count": 2,
            "window_seconds": 18_000,
            "used": 2,
        }
        refused = post(client, ada, hers, "/help")
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "18000")
        assert "your share" in refused.json()["detail"]
        assert post(client, bob, his, "/help").status_code == 200


def test_without_a_share_one_owner_may_use_all(settings: Settings, clock: ManualClock) -> None:
    everyone = settings.model_copy(update={"chat_limit": Rate.parse("3/5h")})
    with TestClient(application(everyone, clock)) as client:
        ada = sign_up(client)
        hers = begin(client, ada)
        assert [post(client, ada, hers, "/help").status_code for _ in range(4)] == [200, 200, 200, 429]
        assert client.get("/api/auth/me", headers=ada).json()["rates"].keys() == {"simulation_starts", "runs"}


def visitors(client: TestClient, count: int) -> list[tuple[Headers, Json]]:
    return [arrive(client) for _ in range(count)]


def statuses(client: TestClient, guests: list[tuple[Headers, Json]], chats: int) -> list[int]:
    """Let each visitor send this many messages; return the answers."""
    return [post(client, who, theirs, "/help").status_code for who, theirs in guests for _ in range(chats)]


def test_visitors_together_have_only_their_share_and_users_the_rest(settings: Settings, clock: ManualClock) -> None:
    shared = settings.model_copy(update={"chat_limit": Rate.parse("10/5h"), "visitor_share": 50})
    with TestClient(application(shared, clock)) as client:
        guests = visitors(client, 3)
        assert statuses(client, guests, 2) == [200] * 5 + [429]
        refused = post(client, *guests[0], "/help")
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "18000")
        assert refused.json() == {"detail": TOO_MANY_VISITOR_CHATS}
        ada = sign_up(client)
        hers = begin(client, ada)
        assert [post(client, ada, hers, "/help").status_code for _ in range(6)] == [200] * 5 + [429]
        remaining = client.get(f"/api/conversations/{guests[0][1]['id']}", headers=guests[0][0])
        assert len(remaining.json()["messages"]) == 4, "a refused message is not saved"
        clock.advance(hours=5)
        assert post(client, *guests[0], "/help").json()["remaining_chats"] == 47, "a refused message costs nothing"


def test_the_visitors_of_one_address_have_a_fifth_of_the_limit(settings: Settings, clock: ManualClock) -> None:
    few = settings.model_copy(update={"chat_limit": Rate.parse("10/5h"), "visitor_share": 100})
    app = application(few, clock)
    there, there_too = (TestClient(app, client=(f"2001:db8::{number}", 1)) for number in (1, 2))
    with TestClient(app, client=("203.0.113.5", 1)) as here:
        assert statuses(here, visitors(here, 2), 2) == [200, 200, 429, 429]
        refused = post(here, *arrive(here), "/help")
        assert refused.json() == {"detail": TOO_MANY_CHATS_OF_AN_ADDRESS}
        assert int(refused.headers["Retry-After"]) == 18_000
        assert statuses(there, visitors(there, 1), 3) == [200, 200, 429]
        assert statuses(there_too, visitors(there_too, 1), 1) == [429], "one subscriber has a whole /64"
        ada = sign_up(here)
        assert post(here, ada, begin(here, ada), "/help").status_code == 200


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_on_loopback_the_whole_limit_is_for_everyone(settings: Settings, clock: ManualClock, address: str) -> None:
    few = settings.model_copy(update={"chat_limit": Rate.parse("10/5h")})
    with TestClient(application(few, clock), client=(address, 1)) as client:
        assert statuses(client, visitors(client, 2), 6) == [200] * 10 + [429] * 2


@pytest.mark.parametrize(
    ("host", "percent"),
    [
        ("127.0.0.1", 100),
        ("localhost", 100),
        ("::1", 100),
        ("0.0.0.0", 50),
        ("::", 50),
        ("192.168.1.5", 50),
        ("bots", 50),
    ],
)
def test_visitors_have_half_where_the_service_listens_beyond_loopback(
    settings: Settings, host: str, percent: int
) -> None:
    assert settings.model_copy(update={"host": host}).visitor_percent == percent
    assert settings.model_copy(update={"host": host, "visitor_share": 7}).visitor_percent == 7


def test_of_concurrent_chats_of_visitors_exactly_their_share_is_admitted(
    settings: Settings, clock: ManualClock
) -> None:
    shared = settings.model_copy(update={"chat_limit": Rate.parse("20/5h"), "visitor_share": 50})
    with TestClient(application(shared, clock)) as client, ThreadPoolExecutor(20) as pool:
        guests = visitors(client, 10)
        answers = list(pool.map(lambda guest: statuses(client, [guest], 3), guests))
        flat = [status for each in answers for status in each]
        assert (flat.count(200), flat.count(429)) == (10, 20)
