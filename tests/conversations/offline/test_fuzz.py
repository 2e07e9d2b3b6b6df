"""Whatever is said, the offline model answers quickly, and never acts on what is no clear order."""

import asyncio
import time

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some
from pydantic_ai import Agent

from strategybot.conversations.offline.grammar import Grammar
from strategybot.conversations.offline.history import Call, Outcome, Say, Turn
from strategybot.conversations.offline.lexicon import SeriesWords
from strategybot.conversations.offline.model import OfflineModel
from strategybot.conversations.offline.responding import next_step
from strategybot.trading.language.series import SERIES
from strategybot.trading.language.strategy import Strategy
from tests.conversations.offline.world import ACTING, DIP, normal, world

GRAMMAR = Grammar(SeriesWords(SERIES, {}))
LONGEST_THOUGHT = 2.0  # seconds of processor time, so that other work does not count; ordinary ones are milliseconds
TOOLS = {
    name: frozenset({"token", "chain", "days", "kline_interval", "initial_cash"})
    for name in (
        "get_current_strategy", "update_trading_strategy", "create_bot", "list_bots", "set_bot", "run_backtest",
        "get_backtest", "start_simulation", "stop_simulation", "search_tokens", "get_token_risk",
    )
}  # fmt: skip
CURRENT: dict[str, object] = {
    "bot": {"name": "Alpha", "token": "0x1-eth", "chain": "eth"},
    "strategy": normal(DIP),
    "summary": Strategy.model_validate(DIP).summary,
    "has_previous": True,
    "previous_strategy": None,
    "status": "running",
    "token": "0x1-eth",
    "chain": "eth",
    "kline_interval": "1h",
    "check_interval": 60,
    "mode": "replay",
    "bots": [],
    "total_bots": 0,
    "risk_score": None,
    "risk_level": "unknown",
    "warnings": [],
    "trades_page": {"trades": [], "total_trades": 0, "page": 1, "total_pages": 1},
}
SAID = """
    buy sell when if it drops rises volume above below stop loss take profit trailing 5% 3x 10 $0.5 1h 2 days in of the
    and or not don't never , . ? ; : set change remove add raise by to from half double window cooldown wait hold max my
    cash backtest simulate undo bot called SOL pepe on last week high low instead all any would should what 7-9% -4% +6%
    ½ 0x banana 99999999999999999999 1e-9 0 " ' ( ) & < > = rsi ema 50 crosses macd
    """
WORDS = sorted(SAID.split())
fuzzed = some.lists(some.sampled_from(WORDS), max_size=30).map(" ".join) | some.text(max_size=700)


def steps(text: str, memory: dict[str, object] | None = None) -> tuple[list[Call], Say]:
    """Every call of a turn in the state of a bot with a strategy, and what is said in the end."""
    done: list[Outcome] = []
    while True:
        step = next_step(Turn(text, list(done), False, dict(memory or {}), TOOLS, GRAMMAR))
        if isinstance(step, Say):
            return [outcome.call for outcome in done], step
        assert len(done) < 8, "a turn must end"
        done.append(Outcome(step, [] if step.name == "search_tokens" else CURRENT))


def acts(text: str) -> list[Call]:
    return [call for call in steps(text)[0] if call.name in ACTING]


@pytest.mark.parametrize(
    "hail",
    [
        "(",
        "a, ",
        "stop it and ",
        "set the stop to 4%, ",
        "I lost 5% yesterday, so, and then, ",
        "no, wait, 5, ",
        "? ",
        "1 ",
    ],
)
def test_a_long_hail_of_the_same_costs_little(hail: str) -> None:
    steps(hail)  # what is worked out once for all
    began = time.process_time()
    steps((hail * 600)[:600])
    assert time.process_time() - began < LONGEST_THOUGHT / 2


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(fuzzed)
def test_any_text_is_answered_quickly_and_with_a_valid_strategy_if_any(text: str) -> None:
    began = time.process_time()
    calls, said = steps(text)
    assert time.process_time() - began < LONGEST_THOUGHT
    assert said.text
    for call in calls:
        if call.arguments.get("strategy") is not None:
            Strategy.model_validate(call.arguments["strategy"])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    some.sampled_from(("what if i", "should i", "don't", "never", "why would i", "i wish i had", "is it good to")),
    fuzzed,
)
@example("is it good to", "simulate")
def test_a_question_or_a_refusal_never_changes_a_strategy(opening: str, text: str) -> None:
    changing = {"update_trading_strategy", "create_bot", "start_simulation", "stop_simulation", "set_bot"}
    plain = (
        text.replace(".", " ")
        .replace(",", " ")
        .replace(";", " ")
        .replace(":", " ")
        .replace('"', " ")
        .replace("\n", " ")
    )
    if "undo" not in plain and len(opening) + len(plain) < 600:
        assert not [call for call in acts(f"{opening} {plain}") if call.name in changing]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(fuzzed, some.sampled_from(("yes", "no", "5%", "SOL", "the stop")))
def test_any_answer_to_any_question_of_its_own_is_taken(text: str, answer: str) -> None:
    _, said = steps(text)
    _, again = steps(answer, said.memory)
    assert again.text


@pytest.mark.parametrize(
    "who",
    ["my buddy", "a colleague of mine", "most people here", "that fund", "Maria", "they", "our analyst", "the pros"],
)
@pytest.mark.parametrize(
    "does",
    ["uses", "runs", "has", "took", "prefers", "swears by", "is using", "always sets", "has been running", "had"],
)
def test_what_somebody_else_does_is_no_order(who: str, does: str) -> None:
    assert not acts(f"{who} {does} a 15% trailing stop and a 2h cooldown")


@pytest.mark.parametrize("length", [601, 4000])
def test_a_long_message_is_asked_to_be_shorter(length: int) -> None:
    calls, said = steps("buy when it drops 5% " * (length // 20 + 1))
    assert not calls
    assert "fewer words" in said.text


def test_more_numbers_than_it_can_weigh_are_asked_about() -> None:
    assert not acts("sl 1 tp 2 trail 3 sl 4 tp 5 trail 6 sl 7 tp 8 trail 9 drop 10")


def test_the_model_streams_the_same_answer() -> None:
    async def both() -> tuple[str, str]:
        stage = world("dip")
        agent = Agent(OfflineModel(), toolsets=[stage.toolset])
        async with agent.run_stream("what is my stop loss?") as stream:
            streamed = "".join([part async for part in stream.stream_text(delta=True)])
        return streamed, await world("dip").say("what is my stop loss?")

    streamed, said = asyncio.run(both())
    assert streamed == said
    assert "3 % loss" in said
