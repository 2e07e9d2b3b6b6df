"""With the libraries of real providers: answers are complete however they are split, and no personal data is sent."""

import json

import pytest

from strategybot.app import Services
from strategybot.conversations.agent.prompt import INSTRUCTIONS
from tests.conversations.talking import begin
from tests.conversations.wire.conftest import KEY, Line
from tests.conversations.wire.dialects import Thought, call, openai
from tests.conversations.wire.server import Refuses, Sends, answers
from tests.support import PASSWORD, STRATEGY, create_bot

TEXT = 'Grüß – 🚀\n\n- "eins" \\'
NAME = 'Käufer "🚀" \\ one'


@pytest.mark.parametrize(("letters", "octets"), [(1, 5), (4, 3)])
def test_an_answer_is_complete_however_it_is_split(line: Line, vendor: str, letters: int, octets: int) -> None:
    line.connect(vendor)
    line.server.plays(answers(TEXT, letters=letters, octets=octets))
    parts = line.stream()
    assert "".join(part["delta"] for part in parts if part["type"] == "text-delta") == TEXT
    assert parts[-2]["data"]["message"]["content"] == TEXT
    assert len(line.server.requests) == 1


def test_interleaved_calls_are_assembled_and_act_in_order(line: Line, vendor: str) -> None:
    line.connect(vendor)
    both = (call("create_bot", name=NAME, description="ein 🚀"), call("get_bot_info"))
    line.server.plays(answers("One moment. ", *both, letters=1, octets=5), answers("Done."))
    turn = line.say()
    created, told = turn["message"]["tool_calls"]
    assert (created["name"], created["arguments"]["name"], told["name"]) == ("create_bot", NAME, "get_bot_info")
    assert told["result"]["bot"]["name"] == NAME
    assert turn["message"]["content"].split() == ["One", "moment.", "Done."]
    assert line.bots() == [NAME]
    assert len(line.server.requests) == 2
    told = json.dumps(line.server.requests[1].body, ensure_ascii=False)
    assert told.count("ein 🚀") >= 2  # in the call and in its result


def test_thoughts_are_not_shown(line: Line, vendor: str) -> None:
    line.connect(vendor)
    line.server.plays(answers(Thought("they want a bot"), "Which one?", letters=3))
    assert line.said() == "Which one?"


def test_no_personal_data_is_sent_to_the_provider(line: Line, vendor: str) -> None:
    create_bot(line.client, line.who, "Dip", strategy=STRATEGY)
    line.connect(vendor)
    line.server.plays(answers(call("set_bot", bot="Dip"), call("list_bots"), call("get_bot_info")), answers("Hello."))
    line.say("what can you do?")
    first, last = line.server.requests
    (header,) = [name for name, value in last.headers.items() if KEY in value]
    told = json.dumps(last.body, ensure_ascii=False)
    assert json.dumps(INSTRUCTIONS, ensure_ascii=False)[1:-1] in told
    assert all(word in told for word in ("what can you do?", "price_drop", '"run_backtest"', '"search_tokens"'))
    profile = line.client.get("/api/auth/me", headers=line.who).json()
    token = line.who["Authorization"].removeprefix("Bearer ")
    everything = first.text + told + last.path + json.dumps({**last.headers, header: ""})
    secrets = (KEY, line.email, PASSWORD, token, profile["id"], line.conversation["id"])
    assert not [secret for secret in secrets if secret in everything]


def test_every_request_has_the_same_tools(line: Line, vendor: str) -> None:
    line.connect(vendor)
    line.server.plays(answers(call("list_bots")), answers(call("list_bots")), answers("None."))
    assert line.said() == "None."
    first, *later = [request.body["tools"] for request in line.server.requests]
    assert "run_backtest" in json.dumps(first)
    assert later == [first, first]


def test_the_offline_model_and_a_language_model_can_alternate_in_a_conversation(line: Line, vendor: str) -> None:
    """The offline model creates the bot during an outage; the language model then knows about it."""
    line.connect(vendor)
    line.server.plays(Refuses(503))
    offline = line.say("create a bot called Dip")
    assert [entry["name"] for entry in offline["message"]["tool_calls"]] == ["create_bot"]
    line.server.plays(answers("You have one: Dip."))
    assert line.said("which bots do I have?") == "You have one: Dip."
    told = json.dumps(line.server.requests[0].body)
    assert all(word in told for word in ("create a bot called Dip", "create_bot", "which bots do I have?"))
    line.server.plays(Refuses(503))
    assert "Dip" in line.said("which bots do I have?")


DROPS = [{"kind": "price_drop", "percent": percent, "window": "15m"} for percent in range(1, 11)]
LONG_STRATEGY = {**STRATEGY, "conditions": DROPS, "exit_conditions": DROPS}


def test_a_list_of_fifty_bots_is_remembered_in_the_next_turn(line: Line) -> None:
    services: Services = line.client.app.state.services  # type: ignore[attr-defined]
    services.operator.set_tier(line.email, "normal")
    for number in range(50):
        create_bot(line.client, line.who, f"Bot {number}", strategy=LONG_STRATEGY)
    for vendor in ("openai", "anthropic", "google"):
        line.connect(vendor)
        line.conversation = begin(line.client, line.who)
        line.server.plays(answers(call("list_bots")), answers("These are yours."))
        line.say("show my bots")
        assert len(line.server.requests[0].text) + 10_000 < len(line.server.requests[1].text) < 4 * 16_000
        line.server.plays(answers("That is Bot 48."))
        assert line.said("the second one") == "That is Bot 48."
        told = json.dumps(line.server.requests[0].body)
        assert told.index("show my bots") < told.index("Bot 49") < told.index("Bot 0") < told.index("These are yours.")


@pytest.mark.parametrize("vendor", ["openai", "ollama"])
def test_an_own_server_needs_no_key(line: Line, vendor: str) -> None:
    line.connect(vendor, OPENAI_API_KEY="", OLLAMA_API_KEY="")
    line.server.plays(answers(call("create_bot", name="Dip"), letters=1), answers(Thought("done"), "Hello."))
    assert line.said() == "Hello."
    assert line.bots() == ["Dip"]
    assert KEY not in json.dumps(line.server.requests[0].headers)


def test_comments_and_keep_alives_are_ignored(line: Line) -> None:
    """OpenRouter and other providers send them while the model works."""
    line.connect("openai")
    whole = ": PROCESSING\n\n" * 2 + "".join(openai(["Hello."], 2)) + ": bye\n\n"
    line.server.plays(Sends(whole.encode()))
    assert line.said() == "Hello."


def test_a_server_that_does_not_count_tokens_is_supported(line: Line) -> None:
    line.connect("openai")
    line.server.plays(answers("Hello.", events=2))
    assert line.said() == "Hello."
