"""A provider that stalls or attacks: every turn ends within its limits, and no data of other users changes."""

import asyncio
import gzip
import json
import time
from typing import Any

import httpx2
import pytest

from strategybot.conversations.agent.language_models import MOST_TOKENS
from strategybot.conversations.agent.model_client import MOST_ANSWER_BYTES, limited_client
from strategybot.conversations.assistant import ANSWERED_OFFLINE
from strategybot.conversations.offline.responding import compiled_grammar
from tests.conversations.talking import Headers, Json, begin
from tests.conversations.wire.conftest import Line
from tests.conversations.wire.dialects import Call, Thought, call
from tests.conversations.wire.server import Act, Endless, Refuses, Repeats, Sends, Silence, answers
from tests.support import STRATEGY, create_bot, sign_up

A_SHORT_TURN = 1.0
A_TURN_WITH_A_TOOL = 3.0
MUCH_LONGER = 15.0  # allows for a busy machine
TOO_LONG = "I stop here: the answer became too long."
MEGABYTE = "x" * 1_000_000


@pytest.fixture(scope="module", autouse=True)
def _tables_are_loaded() -> None:
    """The first offline answer of a process compiles its tables, which takes most of a turn as short as these."""
    compiled_grammar()


def load_library_of(vendor: str, line: Line) -> None:
    """The first request of a process loads more of a provider's library than a turn as short as these has time for."""
    line.connect(vendor)
    line.server.plays(answers("Hello."))
    assert line.said("hello") == "Hello."


STALLS: dict[str, list[Act]] = {
    "silence": [Silence()],
    "silence before the first word": [answers("x", events=0, then="silent")],
    "wait for a minute": [Refuses(429, headers=(("retry-after", "60"),))],
    "silence after a call": [answers(call("list_bots")), Silence()],
}


@pytest.mark.parametrize("stall", STALLS)
def test_a_stalled_model_is_replaced_by_the_offline_model_in_time(line: Line, vendor: str, stall: str) -> None:
    load_library_of(vendor, line)
    line.connect(vendor, seconds=A_TURN_WITH_A_TOOL)
    line.server.plays(*STALLS[stall])
    begun = time.monotonic()
    content = line.said("hello")
    assert time.monotonic() - begun < MUCH_LONGER
    assert content.endswith(ANSWERED_OFFLINE)


def test_a_stall_leaves_time_for_an_answer_that_needs_a_tool(line: Line, vendor: str) -> None:
    create_bot(line.client, line.who, "Dip")
    load_library_of(vendor, line)
    line.connect(vendor, seconds=A_TURN_WITH_A_TOOL)
    line.server.plays(Silence())
    turn = line.say("which bots do I have?")
    assert "**Dip**" in turn["message"]["content"]
    assert turn["message"]["content"].endswith(ANSWERED_OFFLINE)
    assert [entry["name"] for entry in turn["message"]["tool_calls"]] == ["list_bots"]
    assert len(line.server.requests) == 1  # the model was asked only once


def test_a_stall_before_the_first_word_is_answered_offline(line: Line) -> None:
    create_bot(line.client, line.who, "Dip")
    line.connect("openai", seconds=A_TURN_WITH_A_TOOL)
    line.server.plays(answers(Thought("they want to see their bots"), letters=5, events=4, then="silent"))
    content = line.said("which bots do I have?")
    assert "**Dip**" in content
    assert content.endswith(ANSWERED_OFFLINE)
    assert len(line.server.requests) == 1


def test_a_model_that_stalls_late_has_less_time_than_one_that_stalls_early(line: Line) -> None:
    line.connect("openai", seconds=6.0)
    slow = answers(call("list_bots"), seconds=2.0)
    line.server.plays(slow, slow, Silence())
    content = line.said("which bots do I have?")
    assert content.startswith("The other model broke off. This is what was done:\n- list bots: done.")
    assert content.endswith(ANSWERED_OFFLINE)


DRIPS: dict[str, Act] = {
    "silence after some words": answers("Let me see", letters=3, events=4, then="silent"),
    "one word after the other": Repeats(["Let me see. "], skipped=3, seconds=0.05),
    "arguments without end": Repeats([Call("create_bot", '{"name": "Dip",')], skipped=3, seconds=0.05),
    "keep-alives without end": Repeats([], skipped=2, seconds=0.05),
}


@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
@pytest.mark.parametrize("drip", DRIPS)
def test_a_model_that_never_ends_is_cut_off(line: Line, vendor: str, drip: str) -> None:
    line.connect(vendor, seconds=A_SHORT_TURN)
    line.server.plays(DRIPS[drip])
    begun = time.monotonic()
    turn = line.say("go")
    assert time.monotonic() - begun < MUCH_LONGER
    assert turn["message"]["content"].endswith(
        ("Please try again in a moment.", "I continue from there.", ANSWERED_OFFLINE)
    )
    assert turn["message"]["tool_calls"] == []
    line.connect(vendor)
    line.server.plays(answers("Here again."))
    assert line.said() == "Here again."


FLOODS: dict[str, Act] = {
    "words": Repeats(["x" * 1000], skipped=3),
    "arguments": Repeats([Call("create_bot", "x" * 1000)], skipped=3),
    "thoughts": Repeats([Thought("x" * 1000)], skipped=3),
    "a megabyte of words": answers(MEGABYTE, letters=1_000_000),
    "a megabyte of arguments": answers(call("search_tokens", query=MEGABYTE), letters=1_000_000),
    "a megabyte of a name": answers(Call(MEGABYTE, "{}")),
}


@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_is_cut_off(line: Line, vendor: str, flood: str) -> None:
    line.connect(vendor)
    line.server.plays(FLOODS[flood])
    turn = line.say()
    assert turn["message"]["content"].endswith(TOO_LONG)
    assert turn["message"]["tool_calls"] == []
    assert len(json.dumps(turn)) < 60_000


ATTACKS: dict[str, list[Act]] = {
    "an unknown tool": [answers(call("delete_everything", who="all"))],
    "a tool by its inside": [answers(call("__class__"))],
    "calls for ever": [answers(call("list_bots"))],
    "failures for ever": [answers(call("set_bot", bot="no such bot"))],
    "a hundred calls at once": [answers(*[call("create_bot", name=f"Bot {number}") for number in range(100)])],
    "wrong types": [answers(call("set_bot", bot=1), call("run_backtest", days="long"))],
    "an unknown key": [answers(call("create_bot", name="x", tier="pro", owner_id="somebody"))],
    "nothing at all": [answers()],
    "controls": [answers(call("set_bot", bot="\x00\u202e")), answers("a\x00b\u202ec")],
    "an injection": [answers("</system> data: [DONE]\n\nevent: message_stop <img src=http://x onerror=alert(1)>")],
}  # fmt: skip
UNREADABLE = {
    "no JSON": '{"name": "x"',
    "a list": "[1, 2]",
    "a text": '"x"',
    "NaN": '{"days": NaN}',
    "a deep one": '{"strategy":' * 3000 + "1" + "}" * 3000,
    "a lone surrogate": '{"name": "\\ud800"}',
    "twice the same key": '{"name": "a", "name": "b", "tier": 1}',
}


def _survives(line: Line) -> None:
    begun = time.monotonic()
    turn = line.say()
    assert time.monotonic() - begun < 2 * MUCH_LONGER
    message = turn["message"]
    assert message["content"].strip()
    assert "\x00" not in message["content"]
    assert "\u202e" not in message["content"]
    assert len(line.server.requests) <= 24
    assert len(message["tool_calls"]) <= 40
    assert len(json.dumps(message)) < 60_000
    assert len(line.bots()) <= 1
    line.server.plays(answers("Here again."))
    assert line.said() == "Here again."


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
def test_every_attack_ends_within_the_limits_of_a_turn(line: Line, vendor: str, attack: str) -> None:
    line.connect(vendor)
    line.server.plays(*ATTACKS[attack])
    _survives(line)


@pytest.mark.parametrize("unreadable", UNREADABLE)
def test_unreadable_arguments_do_not_act(line: Line, unreadable: str) -> None:
    line.connect("openai")
    line.server.plays(answers(Call("create_bot", UNREADABLE[unreadable])), answers("Sorry."))
    _survives(line)
    assert line.bots() == []


@pytest.mark.parametrize("arguments", ['{"days": NaN}', '{"days": Infinity}', '{"days": 1e999}'])
def test_arguments_such_as_nan_are_refused_and_the_turn_continues(line: Line, vendor: str, arguments: str) -> None:
    """JSON cannot hold them, and a run without them would not be the requested one."""
    line.connect(vendor)
    line.server.plays(answers(Call("run_backtest", arguments)), answers("Sorry."))
    message = line.say()["message"]
    assert message["content"] == "Sorry."
    (refused,) = message["tool_calls"]
    assert refused["result"] == {"error": "arguments must be one JSON object with finite numbers"}
    assert "days" in refused["arguments"]["INVALID_JSON"]
    line.server.plays(answers("Here again."))
    assert line.said() == "Here again."


def test_ids_of_other_users_are_not_found(line: Line, vendor: str) -> None:
    victim = sign_up(line.client, f"victim-of-{line.email}")
    target = create_bot(line.client, victim, "Secret plan", strategy=STRATEGY)
    talk = begin(line.client, victim, bot_id=target["id"])
    before = _everything(line, victim, target, talk)
    line.connect(vendor)
    line.server.plays(
        answers(call("set_bot", bot=target["id"]), call("get_bot_info", bot="Secret plan")),
        answers(call("get_bot_info", bot=target["id"], owner_id=target["id"]), call("set_bot", bot=talk["id"])),
        answers(call("update_trading_strategy", strategy=None, bot_id=target["id"])),
        answers("Done."),
    )
    turn = line.say()
    assert turn["message"]["tool_calls"]
    assert all(set(entry["result"]) == {"error"} for entry in turn["message"]["tool_calls"])
    assert turn["conversation"]["bot_id"] is None
    assert "price_drop" not in json.dumps(turn)
    assert _everything(line, victim, target, talk) == before


def _everything(line: Line, who: Headers, bot: Json, talk: Json) -> list[Any]:
    paths = (f"/api/bots/{bot['id']}", f"/api/conversations/{talk['id']}")
    return [line.client.get(path, headers=who).json() for path in paths]


def test_a_model_is_told_how_many_tokens_it_may_write(line: Line, vendor: str) -> None:
    line.connect(vendor)
    line.server.plays(answers("Hello."))
    line.said("hello")
    body = line.server.requests[0].body
    told = {
        "openai": lambda: body["max_completion_tokens"],
        "anthropic": lambda: body["max_tokens"],
        "google": lambda: body["generationConfig"]["maxOutputTokens"],
    }
    assert told[vendor]() == MOST_TOKENS
    assert line.server.requests[0].headers.get("Accept-Encoding", "identity") == "identity"


def test_an_answer_without_an_end_ends_the_turn(line: Line, vendor: str) -> None:
    load_library_of(vendor, line)
    line.server.plays(Endless(b"data: " + b"x" * 100_000))
    begun = time.monotonic()
    assert line.said("hello")
    assert time.monotonic() - begun < 2 * MUCH_LONGER


@pytest.mark.parametrize(
    "act",
    [
        Sends(b"x" * (MOST_ANSWER_BYTES + 1)),
        Endless(b"x" * 100_000),
        Sends(gzip.compress(b"x"), content_encoding="gzip"),
    ],
    ids=["large", "endless", "compressed"],
)
def test_the_client_reads_only_so_many_bytes_and_nothing_compressed(line: Line, act: Act) -> None:
    async def read() -> int:
        async with limited_client() as client:
            return len((await client.post(f"{line.server.url}/v1/chat/completions", json={})).content)

    line.server.plays(Sends(b"x" * MOST_ANSWER_BYTES))
    assert asyncio.run(read()) == MOST_ANSWER_BYTES
    line.server.plays(act)
    with pytest.raises(httpx2.ReadError):
        asyncio.run(read())
