"""What a language model reads with every request is counted: a token is four characters of compact JSON."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic_ai.messages import ToolReturnPart

from strategybot.app import conversations_of
from strategybot.conversations.agent.compact_schema import compact
from strategybot.conversations.agent.context import InContext
from strategybot.conversations.agent.prompt import SURFACES, instructions
from strategybot.conversations.agent.slim import slim
from strategybot.conversations.agent.tools import CHAT_TOOLS, TOOLS
from strategybot.settings import Settings
from strategybot.trading.language.series import SERIES
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.verdicts import METHOD
from tests.conversations.talking import Headers, ScriptedModel, begin, call, say, text
from tests.engines import on_sqlite_alone
from tests.trading.engine.indicators.markets import EVERY_SERIES

pytestmark = on_sqlite_alone

NEVER_SENT = {"title", "pattern", "not", "discriminator", "oneOf", "examples", "format"}


def tokens(value: Any) -> float:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) / 4


DEFINITIONS = [
    {"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema}}
    for tool in CHAT_TOOLS
]


def keys_of(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for each in schema:
            yield from keys_of(each)
    elif isinstance(schema, dict):
        for key, value in schema.items():
            yield key
            yield from (
                (name for inner in value.values() for name in keys_of(inner)) if key == "properties" else keys_of(value)
            )


def test_the_tools_and_the_instructions_are_within_their_budgets() -> None:
    assert tokens(compact(Strategy.model_json_schema())) <= 2_500
    assert tokens(DEFINITIONS) <= 7_000
    for surface in SURFACES:
        assert tokens(instructions(surface, invented_prices=True)) <= 700


def test_the_strategy_is_written_out_once_and_nothing_says_it_in_alternatives() -> None:
    written = [tool.name for tool in TOOLS if "price_drop" in json.dumps(tool.schema)]
    assert written == ["update_trading_strategy"]
    assert not set(keys_of([tool.schema for tool in TOOLS])) & NEVER_SENT
    published = json.dumps(Strategy.model_json_schema())
    assert '"not"' not in published
    assert len(published) / 4 < 15_000


def test_every_argument_has_a_description_and_every_reference_a_target() -> None:
    for tool in TOOLS:
        for name, schema in tool.schema["properties"].items():
            assert schema.get("description") or schema.get("enum"), (tool.name, name)
        references = set(_references(tool.schema))
        assert references == {f"#/$defs/{name}" for name in tool.schema.get("$defs", {})}


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for each in schema:
            yield from _references(each)
    elif isinstance(schema, dict):
        yield from ([schema["$ref"]] if "$ref" in schema else [])
        for inner in schema.values():
            yield from _references(inner)


def test_one_object_stands_for_all_series_with_all_their_parameters_lines_and_defaults() -> None:
    schema = compact(Strategy.model_json_schema())["$defs"]["series"]
    assert schema["properties"]["series"]["enum"] == list(SERIES)
    for document in EVERY_SERIES:
        assert set(document) <= set(schema["properties"]), document
        assert document.get("line") in (None, *schema["properties"]["line"]["enum"])
    for line in (
        "bollinger(line: upper|middle|lower|percent_b|width, period=20, deviations=2)",
        "sma(period, of=close|open|high|low|typical|volume)",
        "stochastic(period=14, smooth=3, signal=3, line=k|d)",
    ):
        assert line in schema["description"].split("\n")


def test_the_instructions_know_the_whole_language_and_what_a_verdict_tests() -> None:
    told = instructions("web", invented_prices=False)
    assert f"{len(SERIES)} series such as rsi, ema" in told
    kinds = ("price_drop", "price_rise", "volume_spike", "price_level", "compare", "time", "every", "group")
    assert all(kind in told for kind in kinds)
    assert METHOD in told
    assert all(word in told for word in ("verdict", "invented", "tax and price impact", "walk_forward", "guards"))


@pytest.mark.parametrize(
    ("value", "slimmed"),
    [
        ({"a": None, "b": 0, "c": [], "d": False}, {"b": 0, "c": [], "d": False}),
        (12.3456789, 12.3457),
        (3514930426.25, 3514930000),
        (0.000000123456789, 1.23457e-07),
        (10_000.0, 10_000),
        (123_456_789, 123_456_789),
        ([{"untrusted": ["x"], "n": 1}, {"untrusted": ["x"], "n": 2}], [{"untrusted": ["x"], "n": 1}, {"n": 2}]),
    ],
)
def test_a_result_has_no_nulls_no_repeated_marks_and_six_digits(value: Any, slimmed: Any) -> None:
    assert slim(value) == slimmed


def test_typical_results_are_within_their_budgets(client: TestClient, settings: Settings, user: Headers) -> None:
    strategy = {
        "conditions": [{"kind": "price_drop", "percent": 2, "window": "1h"}],
        "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 4},
    }
    script = ScriptedModel(
        [
            call("search_tokens", query=""),
            call("create_bot", name="Dip buyer", token="SOL", strategy=strategy),
            call("run_backtest", days=30, kline_interval="15m"),
            call("run_backtest", days=20, kline_interval="15m"),
            call("compare_backtests"),
            text("Done."),
        ]
    )
    model = InContext(script.model())
    services = client.app.state.services  # type: ignore[attr-defined]
    client.app.state.conversations = conversations_of(services, settings, model)  # type: ignore[attr-defined]
    say(client, user, begin(client, user), "test it twice")
    sent = {
        part.tool_name: tokens(part.content)
        for message in script.heard[-1]
        for part in message.parts
        if isinstance(part, ToolReturnPart)
    }
    limits = {"run_backtest": 500, "compare_backtests": 900, "search_tokens": 700}
    assert {name: size for name, size in sent.items() if size > limits.get(name, 400)} == {}
