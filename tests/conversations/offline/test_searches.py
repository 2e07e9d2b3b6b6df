"""Words for searches: many values of a part, and many tokens. Neither changes the strategy."""

from typing import Any

import pytest

from strategybot.market.demo_tokens import LISTINGS
from tests.conversations.offline.world import talk

IDS = {listing.symbol: {"token": listing.token_id, "chain": listing.chain} for listing in LISTINGS}


def called(given: str, *messages: str) -> list[tuple[str, dict[str, Any]]]:
    return [(call["name"], call["arguments"]) for call in talk(given, *messages)[0].acted]


def span(path: str, first: float, last: float, step: float) -> dict[str, Any]:
    return {"path": path, "from": first, "to": last, "step": step}


def values(path: str, *each: float | str) -> dict[str, Any]:
    return {"path": path, "values": list(each)}


STOP, TARGET, DROP = "stop_loss_percent", "take_profit_percent", "conditions.0.percent"
AROUND_3 = values(STOP, 0.75, 1.5, 2.25, 3, 3.75, 4.5, 6, 9)


@pytest.mark.parametrize(
    ("said", "parameters"),
    [
        ("try stops from 2 to 10 %", [span(STOP, 2, 10, 1)]),
        ("test stops 2-10%", [span(STOP, 2, 10, 1)]),
        ("try stops between 2 and 10 percent please", [span(STOP, 2, 10, 1)]),
        ("try stops from 2% to 10% in steps of 2%", [span(STOP, 2, 10, 2)]),
        ("could you try stop losses of 2, 4 and 6%?", [values(STOP, 2, 4, 6)]),
        ("try stops 2,4,6", [values(STOP, 2, 4, 6)]),
        ("try 2, 4, 6 and 8% for the stop", [values(STOP, 2, 4, 6, 8)]),
        ("try trailing stops from 1 to 5 %", [span("trailing_stop_percent", 1, 5, 0.5)]),
        ("try holding times of 1h, 4h and 1d", [values("max_holding", "1h", "4h", "1d")]),
        ("try cooldowns from 1h to 4h", [values("cooldown", *(f"{30 * n}m" if n % 2 else f"{n // 2}h" for n in range(2, 9)))]),
        ("try windows of 15m, 1h and 4h", [values("conditions.0.window", "15m", "1h", "4h")]),
        ("try drops of 3, 5 and 8%", [values(DROP, 3, 5, 8)]),
        ("try stops from 2 to 10 % and targets from 5 to 30 %", [span(STOP, 2, 10, 1), span(TARGET, 5, 30, 5)]),
        ("what is the best stop loss?", [AROUND_3]),
        ("which stop loss works best?", [AROUND_3]),
        ("find the best stop", [AROUND_3]),
        ("optimise the drop", [values(DROP, 1.25, 2.5, 3.75, 5, 6.25, 7.5, 10, 15)]),
        ("optimize the stop and the drop", [AROUND_3, values(DROP, 1.25, 2.5, 3.75, 5, 6.25, 7.5, 10, 15)]),
    ],
)  # fmt: skip
def test_many_values_of_a_part_are_searched(said: str, parameters: list[dict[str, Any]]) -> None:
    assert called("dip", said) == [("optimise", {"parameters": parameters})]


def test_the_numbers_of_an_indicator_are_searched_where_they_stand() -> None:
    entry = "buy when the price is above sma 50 and rsi is below 30"
    periods = values("conditions.1.left.period", 7, 14, 21)
    assert called("dip", entry, "try RSI periods 7, 14 and 21") == [("optimise", {"parameters": [periods]})]
    levels = span("conditions.1.right", 20, 40, 2)
    assert called("dip", entry, "try RSI levels from 20 to 40") == [("optimise", {"parameters": [levels]})]


def test_a_search_takes_the_time_the_candles_and_the_token_that_were_said() -> None:
    arguments = {"parameters": [span(STOP, 2, 10, 1)], "days": 90.0, "kline_interval": "5m", **IDS["PIPO"]}
    said = "try stops from 2 to 10 % on PIPO over the last 90 days on 5m candles"
    assert called("dip", said) == [("optimise", arguments)]


def test_a_search_tells_the_walk_forward_first_and_its_choice_is_taken_only_on_a_word() -> None:
    _, reply = talk("dip", "try stops from 2 to 10 %")
    assert "lost 1.25 % on time it had not seen (walk-forward, 22 trades)" in reply
    assert reply.index("1.25 %") < reply.index("Nothing to recommend") < reply.index("in hindsight")
    assert "apply it" not in reply  # values that lost are not offered
    assert "Verdict: Looks like luck" in reply
    (call,) = talk("dip", "try stops from 2 to 10 %", "apply it")[0].acted
    assert call["arguments"]["strategy"]["risk_management"]["stop_loss_percent"] == 2


def test_what_the_strategy_does_not_have_is_not_searched() -> None:
    stage, reply = talk("dip", "try volume multiples 2x, 3x and 5x")
    assert not stage.acted
    assert "?" in reply


@pytest.mark.parametrize(
    ("said", "arguments"),
    [
        ("test it on the top 20", {"trending": "eth", "limit": 20}),
        ("survey trending tokens on solana", {"trending": "solana"}),
        ("run it on the top 10 solana tokens", {"trending": "solana", "limit": 10}),
        ("does it work on other tokens?", {"trending": "eth"}),
        ("backtest it on trending tokens over the last 2 weeks", {"trending": "eth", "days": 14.0}),
        ("how does it do on PIPO, KOI and FROGO?", {"tokens": [IDS["PIPO"], IDS["KOI"], IDS["FROGO"]]}),
        ("test it on pipo and koi", {"tokens": [IDS["PIPO"], IDS["KOI"]]}),
    ],
)
def test_many_tokens_are_surveyed(said: str, arguments: dict[str, Any]) -> None:
    assert called("dip", said) == [("survey", arguments)]


def test_a_survey_is_told_with_its_numbers_and_a_line_for_each_token() -> None:
    _, reply = talk("dip", "test it on the top 20")
    assert "on 50 % of 2 tokens, with 12 trades in all" in reply
    assert reply.endswith("- PIPO: made 4.50 % in 12 trades\n- KOI: No candles.")


def test_a_survey_with_a_token_that_nobody_knows_asks_first() -> None:
    stage, reply = talk("dip", "how does it do on PIPO, ZZTOP and KOI?")
    assert not stage.acted
    assert "“ZZTOP”" in reply


def test_a_survey_without_a_chain_asks_for_one() -> None:
    stage, reply = talk("empty", "buy 5% dips in 1h", "test it on the top 20")
    assert not stage.acted
    assert "On which chain?" in reply


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("test it on SOL", "run_backtest"), ("test it on SOL, mate", "run_backtest"),
        ("try a stop of 5%", "update_trading_strategy"), ("change the stop from 3 to 5", "update_trading_strategy"),
        ("test it over the last 2 weeks", "run_backtest"), ("test it with 5m candles", "run_backtest"),
    ],
)  # fmt: skip
def test_what_names_one_value_or_one_token_is_no_search(said: str, name: str) -> None:
    assert [made for made, _ in called("dip", said)] == [name]


@pytest.mark.parametrize(
    "said",
    ["what is my stop loss?", "whats trending on solana", "is the stop best at 3?", "top tokens on base", "which trade was best?",
     "should i try stops from 2 to 10?"],
)  # fmt: skip
def test_other_questions_start_nothing(said: str) -> None:
    assert called("dip", said) == []
