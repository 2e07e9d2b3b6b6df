"""Whole turns with a server that counts every token: what real models do works within the budgets."""

import json
import time
from itertools import pairwise
from typing import Any

import pytest

from strategybot.conversations.turn.calls import is_failure
from tests.conversations.talking import begin
from tests.conversations.wire.conftest import Line
from tests.conversations.wire.dialects import Call, Said, Thought, call
from tests.conversations.wire.server import Answers, answers
from tests.support import STRATEGY, create_bot

SOL = "So11111111111111111111111111111111111111112-solana"
DIP = {
    "conditions": [{"kind": "price_drop", "percent": 2, "window": "1h"}],
    "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 4},
}


def counted(*said: Said, **how: Any) -> Answers:
    return answers(*said, tokens=None, **how)


def results(turn: dict[str, Any]) -> list[Any]:
    return [entry["result"] for entry in turn["message"]["tool_calls"]]


FIRST_BOT = (
    counted(call("search_tokens", query="")),
    counted(call("create_bot", name="Dip", token="SOL")),
    counted(call("update_trading_strategy", strategy=DIP)),
    counted(call("run_backtest", days=20, kline_interval="15m")),
    counted("The verdict says what it is worth. The prices are invented."),
)


def test_a_bot_is_found_made_written_tested_and_judged_in_five_requests(line: Line, vendor: str) -> None:
    line.connect(vendor)
    line.server.plays(*FIRST_BOT)
    turn = line.say("find a liquid token, make a bot that buys 2 % dips, test it: is it luck?")
    found, made, written, tested = results(turn)
    assert len(found) == 10
    assert (f"{made['bot']['token']}-{made['bot']['chain']}", written["summary"][:8]) == (SOL, "Buy when")
    assert tested["status"] == "completed"
    assert tested["verdict"]["headline"]
    sent = [request.tokens for request in line.server.requests]
    assert len(sent) == 5
    assert sum(sent) <= 45_000
    assert turn["message"]["content"].startswith("The verdict says")


def test_nine_calls_in_one_message_complete(line: Line, vendor: str) -> None:
    line.connect(vendor)
    nine = [call("search_tokens", query=symbol) for symbol in ("SOL", "PIPO", "ZOOM", "KOI", "ECHO")]
    nine += [call("create_bot", name="Dip", token="PIPO", strategy=DIP), call("get_bot_info"), call("list_bots")]
    line.server.plays(counted(*nine, call("get_current_strategy")), counted("Done."))
    turn = line.say("look at five tokens and make a bot")
    assert [is_failure(result) for result in results(turn)] == [False] * 9
    assert turn["message"]["content"] == "Done."


def test_nine_calls_one_at_a_time_complete(line: Line) -> None:
    line.connect("openai")
    line.server.plays(*[counted(call("search_tokens", query="")) for _ in range(9)], counted("Done."))
    turn = line.say("look nine times")
    assert (len(results(turn)), turn["message"]["content"]) == (9, "Done.")
    assert sum(request.tokens for request in line.server.requests) > 60_000  # but most of it was sent before


LONG_ANSWER = "It lost money, and this is why. " * 80
LONG_TURN = (
    counted(call("get_backtest", trades_page=1), call("compare_backtests"), call("list_bots")),
    counted(call("search_tokens", query=""), call("get_bot_info")),
    counted(call("update_trading_strategy", strategy=STRATEGY), call("get_backtest", trades_page=1)),
    counted(LONG_ANSWER),
)


def test_a_context_of_16000_tokens_is_enough_for_a_first_bot_and_twelve_long_turns(line: Line) -> None:
    line.connect("openai")
    line.server.plays(*FIRST_BOT, context=16_000)
    line.say("find a liquid token, make a bot that buys 2 % dips, test it: is it luck?")
    for number in range(12):
        line.server.plays(*LONG_TURN, context=16_000)
        turn = line.say(f"question {number}: " + "what happened to my bot? " * 40)
        assert turn["message"]["content"].startswith(LONG_ANSWER.strip())
        assert [is_failure(result) for result in results(turn)] == [False] * 7
        assert all(request.tokens <= 16_000 for request in line.server.requests)
        assert len(line.server.requests) == 4
    told = line.server.requests[0].text
    assert "question 11" in told
    assert "question 10" in told  # what was said last is still known
    assert "(shortened)" in told


def test_the_prefix_of_all_requests_is_the_same(line: Line, vendor: str) -> None:
    """Providers cache it: the tools, the instructions, and within a turn everything that was sent before."""
    line.connect(vendor)
    line.server.plays(*FIRST_BOT)
    line.say("make a bot")
    bodies = [request.body for request in line.server.requests]
    stable = {"openai": ("tools",), "anthropic": ("tools", "system"), "google": ("tools", "systemInstruction")}
    for one, other in pairwise(bodies):
        assert [one[key] for key in stable[vendor]] == [other[key] for key in stable[vendor]]
    if vendor == "openai":
        for one, other in pairwise(bodies):
            assert other["messages"][: len(one["messages"])] == one["messages"]


def test_anthropic_is_told_what_to_cache(line: Line) -> None:
    line.connect("anthropic")
    line.server.plays(*FIRST_BOT)
    line.say("make a bot")
    for request in line.server.requests:
        mark = {"type": "ephemeral", "ttl": "5m"}
        assert request.body["tools"][-1]["cache_control"] == mark
        assert mark in [part.get("cache_control") for part in request.body["system"]]
        assert request.body["messages"][-1]["content"][-1]["cache_control"] == mark


def test_a_request_beyond_the_context_is_sent_again_without_the_conversation(line: Line) -> None:
    """A model with a shorter context than the settings say still answers."""
    line.connect("openai")
    line.server.plays(counted(LONG_ANSWER))
    for _ in range(8):
        line.say("and then? " * 100)
    line.server.plays(counted("Still here."), context=9_000)
    assert line.said("are you there?") == "Still here."
    assert [request.tokens > 9_000 for request in line.server.requests] == [True, False]


def test_a_message_that_no_context_can_hold_is_refused_with_both_numbers(line: Line) -> None:
    line.connect("openai")
    line.server.plays(counted("Hello."), context=3_000)
    content = line.said("hello")
    assert content.startswith("The language model refused about ")
    assert "16,000 are set (STRATEGYBOT_CONTEXT_TOKENS)" in content
    assert "too long for the language model. Please begin a new one" not in content
    assert line.server.requests[-1].tokens > 3_000


def test_a_tokenizer_that_counts_more_gets_less(line: Line) -> None:
    line.connect("openai", seconds=119)  # a model of its own, which has learned nothing yet
    line.server.plays(answers("Hello.", tokens=11_500))
    line.say("hello")
    assert 6_000 < line.server.requests[0].tokens < 7_500
    line.server.plays(answers("It goes on and on. " * 150, tokens=None))
    for _ in range(12):
        line.say("and then? " * 200)
        assert line.server.requests[-1].tokens < 10_000


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("update_trading_strategy", {"strategy": json.dumps(DIP)}),
        ("update_trading_strategy", {"strategy": {**DIP, "conditions": json.dumps(DIP["conditions"])}}),
        ("create_bot", {"name": "Second", "strategy": json.dumps(DIP)}),
        ("optimise", {"parameters": json.dumps([{"path": "stop_loss_percent", "values": [2, 3]}]), "days": 2}),
        ("survey", {"tokens": json.dumps(["SOL"]), "days": 2}),
    ],
)
def test_json_that_is_sent_as_a_text_is_read(line: Line, tool: str, arguments: dict[str, Any]) -> None:
    bot = create_bot(line.client, line.who, "Dip", strategy=DIP, token=SOL)
    line.conversation = begin(line.client, line.who, bot_id=bot["id"])
    line.connect("openai")
    line.server.plays(counted(Call(tool, json.dumps(arguments))), counted("Done."))
    (result,) = results(line.say())
    assert "error" not in result or result["error"] is None, result


ARGUMENTS = (
    "token", "chain", "kline_interval", "days", "start", "end", "initial_cash", "fee_percent", "slippage_percent",
    "pool_costs", "bot", "tokens", "trending", "limit", "as_of",
)  # fmt: skip
ERRORS = ("left.slow must be above fast", "operator is required", "right is required")


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        (
            "run_backtest",
            {"since": "2026-01-01"},
            f"since is no argument of run_backtest, which takes {', '.join(ARGUMENTS)}",
        ),
        ("list_bots", {"limit": 5}, "limit is no argument of list_bots, which takes none"),
        (
            "update_trading_strategy",
            {"strategy": {"conditions": [{"kind": "compare", "left": {"series": "macd", "fast": 30}}]}},
            "; ".join(f"strategy.conditions.0.{error}" for error in ERRORS),
        ),
        ("update_trading_strategy", {"strategy": "buy low"}, "strategy must be an object"),
    ],
)
def test_a_wrong_call_is_answered_with_what_lets_a_model_mend_it(
    line: Line, vendor: str, tool: str, arguments: dict[str, Any], sentence: str
) -> None:
    line.connect(vendor)
    line.server.plays(counted(Call(tool, json.dumps(arguments))), counted("Sorry."))
    assert results(line.say()) == [{"error": sentence}]
    assert json.dumps(sentence)[1:-1] in line.server.requests[1].text.replace('\\\\"', '\\"')


def test_a_model_may_mend_its_call_many_times(line: Line) -> None:
    line.connect("openai")
    wrong = counted(call("create_bot", name="Dip", strategy={"conditions": []}))
    line.server.plays(*[wrong] * 10, counted(call("create_bot", name="Dip")), counted("At last."))
    assert line.said() == "At last."
    assert line.bots() == ["Dip"]


@pytest.mark.parametrize("token", ["pipo", "$PIPO", "Pipo the Cat", "EE39wXdYhJ6qwZN9ueLAZoECEC1qt4LktWRRcatZvs8N"])
def test_a_token_is_found_by_symbol_name_and_address(line: Line, token: str) -> None:
    line.connect("openai")
    line.server.plays(counted(call("create_bot", name="Dip", token=token)), counted("Done."))
    (made,) = results(line.say())
    pipo = "EE39wXdYhJ6qwZN9ueLAZoECEC1qt4LktWRRcatZvs8N"
    assert (made["bot"]["token"], made["bot"]["chain"]) == (pipo, "solana")


def test_several_tokens_are_a_choice(line: Line) -> None:
    line.connect("openai")
    line.server.plays(counted(call("create_bot", name="Dip", token="USDC")), counted("Which one?"))
    (result,) = results(line.say())
    assert result["error"].startswith("Several tokens fit")
    assert {choice["chain"] for choice in result["choices"]} == {"eth", "solana", "base", "arbitrum"}
    assert all(choice["token_id"] in line.server.requests[1].text for choice in result["choices"])
    assert line.bots() == []
    line.server.plays(counted(call("create_bot", name="Dip", token="USDC", chain="base")), counted("Done."))
    assert results(line.say())[0]["bot"]["chain"] == "base"


@pytest.mark.parametrize("letters", [1, 3, 7, 1000])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<think>They want a bot.</think>\n\nWhich one?", "Which one?"),
        ("<think>\nA < b\n</think>Buy if a < b.", "Buy if a < b."),
        ("Let me see. <thinking>hm</thinking>Here it is.", "Let me see. Here it is."),
        ("They want a bot.\n</think>\n\nWhich one?", "Which one?"),
        ("<think>never closed", "I have nothing to say to that. Try `/help`."),
        ("2 <3 and <b>no thought</b>", "2 <3 and <b>no thought</b>"),
    ],
)
def test_thoughts_between_tags_are_not_shown(line: Line, letters: int, text: str, shown: str) -> None:
    line.connect("openai")
    line.server.plays(counted(text, letters=letters))
    assert line.said() == shown
    line.server.plays(counted("Here again."))
    assert line.said("and now?") == "Here again."
    assert "They want a bot" not in line.server.requests[0].text


@pytest.mark.parametrize("first", [Thought("they want"), "Hello"])
def test_a_model_that_thinks_long_is_waited_for_and_the_stream_says_so(line: Line, vendor: str, first: Said) -> None:
    """Scaled down: a pause of 45 seconds in a turn of 300, with a heartbeat every 10."""
    line.connect(vendor, seconds=6)
    line.server.plays(answers("Hello."))
    line.say("hello")  # loads the library
    line.server.plays(answers(call("list_bots"), seconds=0.9), answers(first, " there.", seconds=0.9))
    parts = line.stream("which bots do I have?")
    message = parts[-2]["data"]["message"]
    assert message["content"].strip().endswith("there.")
    beats = [part["data"] for part in parts if part["type"] == "data-progress"]
    assert len(beats) >= 4
    assert {beat["doing"] for beat in beats} <= {"thinking", "writing", "list_bots"}
    assert beats[0]["text"] == f"Still thinking ({beats[0]['seconds']} s)"


def test_what_the_tools_did_stays_in_the_history_when_the_time_is_over(line: Line) -> None:
    line.connect("openai")
    line.server.plays(answers("Hello."))
    line.say("hello")  # loads the library
    line.conversation = begin(line.client, line.who)
    line.connect("openai", seconds=3)
    silent = answers("Let me test it", letters=3, events=4, then="silent")
    line.server.plays(answers(call("create_bot", name="Dip", strategy=DIP)), silent)
    begun = time.monotonic()
    first = line.said("make a bot and test it")
    assert time.monotonic() - begun < 15
    assert "Until then this was done:\n- create bot: Buy when the price falls at least 2 %" in first
    line.connect("openai")
    line.server.plays(answers("I go on."))
    assert line.said("go on") == "I go on."
    (request,) = line.server.requests
    roles = [message["role"] for message in request.body["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert "price_drop" in request.body["messages"][2]["tool_calls"][0]["function"]["arguments"]


def test_the_steps_of_a_turn_end_with_what_was_done_and_what_is_left(line: Line) -> None:
    line.connect("openai")
    line.server.plays(answers(call("list_bots")))
    content = line.said("look for ever")
    assert content.startswith("I stop here: that took more steps than one message may take. Say “go on”")
    assert content.count("- list bots: done.") == 24
    line.server.plays(answers("I go on."))
    line.say("go on")
    assert line.server.requests[0].text.count('"role":"tool"') == 24


def test_the_instructions_end_by_where_the_user_is(line: Line) -> None:
    line.connect("openai")
    ends = []
    for headers in ({}, {"Sec-Fetch-Site": "same-origin"}):
        line.server.plays(answers("Hello."))
        path = f"/api/conversations/{line.conversation['id']}/chat"
        line.client.post(path, json={"message": "hello"}, headers={**line.who, **headers})
        ends.append(line.server.requests[0].body["messages"][0]["content"])
    assert "offer to test it" in ends[0]
    assert "offer no backtest for that one" in ends[1]
    assert all("prices of this installation are invented" in end for end in ends)
