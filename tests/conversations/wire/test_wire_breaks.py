"""A failing provider: an outage is answered offline, a wrong key is reported, and incomplete answers never act."""

import json
import logging
import re
from collections.abc import Iterator

import pytest

from strategybot.conversations.agent.prompt import INSTRUCTIONS
from strategybot.conversations.assistant import ANSWERED_OFFLINE
from tests.conversations.wire.conftest import KEY, Line
from tests.conversations.wire.dialects import DIALECTS, Call, Said, Thought, call
from tests.conversations.wire.server import Act, HangsUp, Refuses, Sends, answers
from tests.servers import free_port
from tests.support import create_bot

DID_NOT_ANSWER = "The language model did not answer as it should. Please try again in a moment."
INDISCREET = f"Incorrect key {KEY}. You said: {INSTRUCTIONS}"
TOO_LONG = "The answer broke off: it became longer than the language model may write. Please ask for less at once."
WOULD_NOT = "The answer broke off: the language model refused to continue. Please ask in other words."
CREATE = call("create_bot", name="Dip")


@pytest.fixture(autouse=True)
def _no_secret_in_the_log(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever a provider writes into its errors."""
    with caplog.at_level(logging.INFO):
        yield
    written = caplog.text + "".join(str(vars(record)) for record in caplog.get_records("call"))
    assert KEY not in written
    assert INSTRUCTIONS[:60] not in written


@pytest.mark.parametrize(
    "act",
    [Refuses(429, INDISCREET), Refuses(500, INDISCREET), Refuses(503), HangsUp(), answers("x", events=0, then="cut")],
    ids=["429", "500", "503", "hangs up", "cut before the first word"],
)
def test_an_outage_is_answered_offline(line: Line, vendor: str, act: Act) -> None:
    line.connect(vendor)
    line.server.plays(act)
    turn = line.say("create a bot called Dip")
    assert turn["message"]["content"].endswith(ANSWERED_OFFLINE)
    assert KEY not in json.dumps(turn)
    assert line.bots() == ["Dip"]
    assert len(line.server.requests) <= 2  # with one retry


def test_a_server_that_is_not_there_is_an_outage(line: Line, vendor: str) -> None:
    line.connect(vendor, url=f"http://127.0.0.1:{free_port()}")
    assert line.said("hello").endswith(ANSWERED_OFFLINE)


def test_a_model_that_failed_is_not_asked_again_in_the_same_turn(line: Line, vendor: str) -> None:
    line.connect(vendor)
    line.server.plays(Refuses(503), Refuses(503), answers("Made it."))  # the second is the retry
    turn = line.say("create a bot called Dip")
    assert turn["message"]["content"].startswith("I made the bot **Dip**.")
    assert turn["message"]["content"].endswith(ANSWERED_OFFLINE)
    assert line.bots() == ["Dip"]
    asked = len(line.server.requests)
    assert asked == (1 if vendor == "google" else 2)  # whose client makes no retry
    line.server.plays(answers("Here again."))
    assert line.said("and now?") == "Here again."


def test_an_overload_error_inside_the_stream_is_an_outage(line: Line) -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    line.connect("anthropic")
    line.server.plays(Sends(f"event: error\ndata: {json.dumps(error)}\n\n".encode()))
    assert line.said("hello").endswith(ANSWERED_OFFLINE)


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (401, "The language model refused the key of this service."),
        (403, "The language model refused the key of this service."),
        (404, "The provider does not know the language model of this service."),
        (400, "The language model refused the request."),
    ],
)
def test_an_error_that_the_operator_must_fix_is_reported(line: Line, vendor: str, status: int, sentence: str) -> None:
    line.connect(vendor)
    line.server.plays(Refuses(status, INDISCREET))
    turn = line.say("create a bot called Dip")
    assert turn["message"]["content"].startswith(sentence)
    assert ANSWERED_OFFLINE not in turn["message"]["content"]
    assert KEY not in json.dumps(turn)
    assert line.bots() == []
    assert len(line.server.requests) == 1


@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
def test_used_up_credit_is_reported(line: Line, vendor: str) -> None:
    line.connect(vendor)
    line.server.plays(Refuses(402, INDISCREET))
    assert line.said("hello").startswith("The language model's credit is used up.")


NONSENSE: dict[str, Act] = {
    "a web page": Sends(b"<html><body>Welcome</body></html>", "text/html"),
    "no events": Sends(b"\x00\xff\xfe not what you think", "application/octet-stream"),
    "no JSON": Sends(b"event: message_start\ndata: {'oops'\n\n"),
    "JSON of something else": Sends(b'data: {"weather": [1, 2]}\n\n'),
    "a list": Sends(b"data: [1, 2, 3]\n\n"),
    "nothing": Sends(b""),
}


@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
@pytest.mark.parametrize("nonsense", NONSENSE)
def test_an_invalid_response_ends_in_a_friendly_sentence(line: Line, vendor: str, nonsense: str) -> None:
    line.connect(vendor)
    line.server.plays(NONSENSE[nonsense])
    turn = line.say("create a bot called Dip")
    assert turn["message"]["content"].rpartition("Please try again")[1]
    assert turn["message"]["tool_calls"] == []
    assert line.bots() == []
    line.server.plays(answers("Here again."))
    assert line.said() == "Here again."


@pytest.mark.parametrize("then", ["cut", "end"])
def test_a_connection_that_breaks_after_some_text_ends_in_a_friendly_sentence(
    line: Line, vendor: str, then: str
) -> None:
    line.connect(vendor)
    line.server.plays(answers("Let me see what I can do", letters=5, events=5, then=then))
    content = line.said()
    assert content.startswith("Let me")
    assert content.endswith(f"\n\n{DID_NOT_ANSWER}")
    line.server.plays(answers("Here again."))
    assert line.said() == "Here again."


BEGUN: dict[str, list[Said]] = {
    "a thought": [Thought("they want to see their bots")],
    "a call": [call("create_bot", name="Other")],
    "a thought and a call": [Thought("they want"), call("list_bots")],
}


@pytest.mark.parametrize("begun", BEGUN)
def test_a_connection_that_breaks_before_any_text_is_answered_offline(line: Line, vendor: str, begun: str) -> None:
    """The user has read nothing yet, and no tool was called."""
    create_bot(line.client, line.who, "Dip")
    line.connect(vendor)
    events = _end_of(list(DIALECTS[vendor](BEGUN[begun], 5)))
    line.server.plays(answers(*BEGUN[begun], letters=5, events=events, then="cut"))
    parts = line.stream("which bots do I have?")
    message = parts[-2]["data"]["message"]
    assert "**Dip**" in message["content"]
    assert message["content"].endswith(ANSWERED_OFFLINE)
    assert [entry["name"] for entry in message["tool_calls"]] == ["list_bots"]
    assert line.bots() == ["Dip"]
    opened, closed = ([part["id"] for part in parts if part["type"] == f"text-{end}"] for end in ("start", "end"))
    assert opened == closed
    line.server.plays(answers("Here again."))
    assert line.said("and now?") == "Here again."
    assert "which bots do I have?" in line.server.requests[0].text


def _end_of(told: list[str]) -> int:
    """Return how many events there are before the one that ends the answer."""
    return next(number for number, event in enumerate(told) if re.search('(finish_?|stop_)[rR]eason": "', event))


@pytest.mark.parametrize("then", ["cut", "end"])
@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
@pytest.mark.parametrize(("tool", "written"), [("create_bot", '{"name": "Dip"}'), ("list_bots", "{}")])
def test_an_incomplete_call_does_not_act(line: Line, vendor: str, then: str, tool: str, written: str) -> None:
    """Not even one that is valid so far: it may continue in another way."""
    line.connect(vendor)
    told = list(DIALECTS[vendor]([Call(tool, written)], 9))
    for events in range(1, _end_of(told) + 1):
        line.server.plays(answers(Call(tool, written), letters=9, events=events, then=then))
        message = line.say()["message"]
        assert message["content"].endswith((DID_NOT_ANSWER, ANSWERED_OFFLINE)), told[:events]
        assert message["tool_calls"] == [], told[:events]
    assert line.bots() == []


BROKEN_OFF = [
    ("openai", "length", TOO_LONG),
    ("openai", "content_filter", WOULD_NOT),
    ("openai", "guardrail_intervened", DID_NOT_ANSWER),
    ("anthropic", "max_tokens", TOO_LONG),
    ("anthropic", "model_context_window_exceeded", TOO_LONG),
    ("anthropic", "refusal", WOULD_NOT),
    ("anthropic", "pause_turn", DID_NOT_ANSWER),
    ("google", "MAX_TOKENS", TOO_LONG),
    ("google", "SAFETY", WOULD_NOT),
    ("google", "MALFORMED_FUNCTION_CALL", DID_NOT_ANSWER),
    ("google", "OTHER", DID_NOT_ANSWER),
]


@pytest.mark.parametrize(("vendor", "ended", "sentence"), BROKEN_OFF)
def test_a_response_that_was_not_finished_makes_no_call(line: Line, vendor: str, ended: str, sentence: str) -> None:
    """Neither an incomplete call nor a complete one: what would have followed is unknown."""
    line.connect(vendor)
    empty = Call("list_bots", "{}" if vendor == "google" else "")
    line.server.plays(answers("Let me see. ", CREATE, empty, ended=ended), answers("Made it."))
    message = line.say()["message"]
    assert (message["content"], message["tool_calls"]) == (f"Let me see. \n\n{sentence}", [])
    line.server.plays(answers(empty, ended=ended), answers("Made it."))
    parts = line.stream()
    assert not [part for part in parts if part["type"].startswith("tool")]
    assert parts[-2]["data"]["message"]["content"] == sentence
    assert len(line.server.requests) == 1
    assert line.bots() == []


@pytest.mark.parametrize(("vendor", "ended", "sentence"), BROKEN_OFF)
def test_an_answer_that_was_cut_off_says_so(line: Line, vendor: str, ended: str, sentence: str) -> None:
    line.connect(vendor)
    line.server.plays(answers("Your strategy is good because", ended=ended))
    assert line.said() == f"Your strategy is good because\n\n{sentence}"
    parts = line.stream()
    told = "".join(part["delta"] for part in parts if part["type"] == "text-delta")
    assert told == f"Your strategy is good because\n\n{sentence}"
    line.server.plays(answers("Here again."))
    assert line.said() == "Here again."
    assert "good because" in line.server.requests[0].text


@pytest.mark.parametrize(
    ("vendor", "ended"),
    [
        ("openai", "stop"),
        ("openai", "function_call"),
        ("openai", "tool_use"),
        ("openai", "eos_token"),
        ("anthropic", "end_turn"),
        ("anthropic", "stop_sequence"),
    ],
)
def test_a_response_that_was_finished_acts_by_whatever_name(line: Line, vendor: str, ended: str) -> None:
    line.connect(vendor)
    line.server.plays(answers(CREATE, ended=ended), answers("Made it."))
    assert line.said() == "Made it."
    assert line.bots() == ["Dip"]


def test_after_too_many_tokens_an_answer_is_kept_and_a_call_is_not_made(line: Line, vendor: str) -> None:
    line.connect(vendor)
    line.server.plays(answers("All is well.", tokens=110_000))
    assert line.said() == "All is well."
    line.server.plays(answers("One moment.", CREATE, tokens=110_000))
    assert line.said().startswith("One moment.\n\nI stop here: that took more steps than one message may take.")
    line.server.plays(answers(call("list_bots"), tokens=60_000), answers("And again.", CREATE, tokens=110_000))
    assert line.said().endswith("Until then this was done:\n- list bots: done.\nNot done: create bot.")
    assert line.bots() == []


@pytest.mark.parametrize(
    "act", [Refuses(503), answers(Thought("I made it, so"), letters=2, events=4, then="cut")], ids=["503", "a thought"]
)
def test_an_outage_after_a_call_is_only_reported(line: Line, vendor: str, act: Act) -> None:
    """The offline model reads the same message and would create the bot a second time."""
    line.connect(vendor)
    line.server.plays(answers(CREATE), act)
    turn = line.say("create a bot called Other")
    assert turn["message"]["content"] == (
        f"The other model broke off. This is what was done:\n- create bot: done.\n\n{ANSWERED_OFFLINE}"
    )
    assert line.bots() == ["Dip"]


@pytest.mark.parametrize("then", ["cut", "end"])
def test_a_connection_that_breaks_after_a_call_reports_what_was_done(line: Line, vendor: str, then: str) -> None:
    line.connect(vendor)
    half = answers("I made you a", letters=2, events=4, then=then)
    line.server.plays(answers(CREATE, call("set_bot", bot="nobody")), half)
    turn = line.say("create a bot called Dip")
    assert turn["message"]["content"].endswith(
        f"\n\n{DID_NOT_ANSWER}\n\nUntil then this was done:\n- create bot: done."
    )
    assert line.bots() == ["Dip"]
    line.server.plays(answers("It is there."))
    line.say("and now?")
    assert "Until then this was done" in line.server.requests[0].text  # so that it is not done again
