"""Turns of the offline model: creating, asking back, undoing, testing, and taking over from another model."""

import asyncio
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models import ModelRequestParameters

from strategybot.conversations.offline.model import OfflineModel
from strategybot.trading.language.strategy import Strategy
from tests.conversations.offline.world import World, talk, world


def stored(stage: World) -> dict[str, Any]:
    assert stage.linked is not None
    assert stage.linked.strategy is not None
    return stage.linked.strategy


def test_a_first_sentence_makes_a_bot_and_reads_its_strategy_back() -> None:
    stage, reply = talk("nothing", "buy when it drops 5% in an hour, stop loss 3%, take profit 10%")
    assert [bot.name for bot in stage.bots] == ["Dip buyer 5 %"]
    assert "falls at least 5 % within 1h" in reply
    assert "undo" not in reply  # there is nothing before it


@pytest.mark.parametrize("scene", ["nothing", "empty"])
def test_no_test_of_a_first_strategy_is_offered_because_the_web_app_runs_it(scene: str) -> None:
    _, reply = talk(scene, "buy when it drops 5% in an hour, stop loss 3%")
    assert reply.endswith("A backtest shows what it would have done.")


@pytest.mark.parametrize("said", ["don't change the stop to 9%", "dont touch the stop loss 9%"])
def test_what_must_not_change_passes_its_number_to_nothing_else(said: str) -> None:
    stage, _ = talk("dip", "set the take profit to 12%", said)
    risk = stored(stage)["risk_management"]
    assert (risk["stop_loss_percent"], risk["take_profit_percent"]) == (3, 12)


def test_a_change_says_how_it_is_taken_back() -> None:
    _, reply = talk("dip", "set the stop loss to 8%")
    assert reply.endswith("Shall I test it? Say “backtest it”, or “undo” to take this back.")


def test_a_made_up_name_gives_way_to_one_that_is_taken() -> None:
    stage, _ = talk("nothing", "buy 5% dips in 1h", "create a new bot that buys 5% dips in 2h")
    assert [bot.name for bot in stage.bots] == ["Dip buyer 5 %", "Dip buyer 5 % (2)"]


def test_a_token_that_is_named_becomes_the_bots_own() -> None:
    stage, _ = talk("nothing", "buy PIPO when it drops 5% in an hour")
    assert stage.linked is not None
    assert stage.linked.chain == "solana"


def test_a_missing_number_is_asked_for_and_its_answer_completes_the_change() -> None:
    stage, _ = talk("dip", "add a trailing stop", "3%")
    assert stored(stage)["risk_management"]["trailing_stop_percent"] == 3


def test_an_entry_that_is_missing_is_asked_for_and_put_together_with_what_was_said() -> None:
    stage, _ = talk("empty", "stop loss 4%", "buy when it drops 5% in 1h")
    assert stored(stage)["risk_management"]["stop_loss_percent"] == 4


@pytest.mark.parametrize(("answer", "stop"), [("yes", 4), ("no", 3), ("cancel", 3), ("hmm", 3)])
def test_an_unknown_word_is_previewed_and_applied_only_on_a_yes(answer: str, stop: float) -> None:
    stage, _ = talk("dip", "stop loss 4% zorgly", answer)
    assert stored(stage)["risk_management"]["stop_loss_percent"] == stop


def test_a_yes_comes_too_late_when_the_strategy_has_changed_since() -> None:
    async def changed_meanwhile() -> World:
        stage = world("dip")
        await stage.say("stop loss 4% zorgly")
        await stage.update_trading_strategy(None)
        stage.linked.revisions.append(world_full()) if stage.linked else None
        reply = await stage.say("yes")
        assert "changed since" in reply
        return stage

    assert not asyncio.run(changed_meanwhile()).acted


def world_full() -> dict[str, Any]:
    return {"conditions": [{"kind": "price_rise", "percent": 9, "window": "1h", "reference": "close"}]}


def test_undo_brings_the_strategy_before_back() -> None:
    stage, reply = talk("dip", "set the stop loss to 8%", "undo")
    assert stored(stage)["risk_management"]["stop_loss_percent"] == 3
    assert reply.startswith("Undone")


def test_clearing_everything_waits_for_a_yes() -> None:
    stage, reply = talk("dip", "start over")
    assert not stage.acted
    assert reply.endswith("(yes/no)")
    stage, _ = talk("dip", "start over", "yes")
    assert stage.linked is not None
    assert stage.linked.strategy is None


def test_a_newcomers_first_words_fail_at_nothing() -> None:
    stage, _ = talk("nothing", "buy when it drops 5% in an hour")
    assert [call["name"] for call in stage.calls] == ["get_current_strategy", "create_bot"]
    results = [part for message in stage.history for part in message.parts if isinstance(part, ToolReturnPart)]
    assert {result.outcome for result in results} == {"success"}


def test_what_was_just_tested_is_simulated_when_the_bot_has_no_token() -> None:
    stage, _ = talk("empty", "buy 5% dips in 1h", "test it on PIPO", "simulate it")
    (call,) = stage.acted
    assert call["name"] == "start_simulation"
    assert call["arguments"]["chain"] == "solana"


@pytest.mark.parametrize(
    ("messages", "summary"),
    [
        (["alert me when RSI is below 30 on PIPO"], "Buy when RSI(14) is below 30."),
        (["please notify me as soon as PIPO drops 5% in 1h"], "Buy when the price falls at least 5 % within 1h."),
        (
            ["buy 5% dips in 1h", "alert me when it would buy", "PIPO"],
            "Buy when the price falls at least 5 % within 1h.",
        ),
        (["buy 5% dips in 1h", "only alert me on PIPO"], "Buy when the price falls at least 5 % within 1h."),
    ],
)
def test_alert_me_is_a_watch_and_trades_nothing(messages: list[str], summary: str) -> None:
    stage, reply = talk("empty", *messages)
    assert [call["name"] for call in stage.acted][-1] == "start_watch"
    assert "I watch PIPO on 1h candles" in reply
    assert f"Nothing is traded. {summary}" in reply


@pytest.mark.parametrize("said", ["tell me when it sold", "tell me when you are ready", "alert me when BTC moons hard"])
def test_tell_me_when_is_no_watch_without_a_condition(said: str) -> None:
    stage, _ = talk("dip", said)
    assert stage.acted == []


@pytest.mark.parametrize("between", [(), ("thanks",), ("what is my stop loss?",)])
def test_a_bare_stop_ends_the_simulation_that_runs(between: tuple[str, ...]) -> None:
    stage, _ = talk("dip", "start the simulation", *between, "stop")
    assert [call["name"] for call in stage.acted] == ["stop_simulation"]


def test_a_bare_stop_when_nothing_runs_asks_what_is_meant() -> None:
    for said in (("stop",), ("start the simulation", "stop the simulation", "thanks", "stop")):
        stage, reply = talk("dip", *said)
        assert not stage.acted
        assert "?" in reply


@pytest.mark.parametrize("said", ["let it go again once its over 0.95", "get rid of it when it goes over 0.95"])
def test_letting_it_go_is_selling(said: str) -> None:
    stage, _ = talk("empty", f"buy when it drops under 0.75 and {said}")
    assert [condition["level"] for condition in stored(stage)["conditions"]] == [0.75]
    assert [condition["level"] for condition in stored(stage)["exit_conditions"]] == [0.95]


@pytest.mark.parametrize("said", ["why do i never hold longer than a day", "i have no stop loss, should I have one?"])
def test_a_question_with_a_not_in_it_changes_nothing(said: str) -> None:
    assert not talk("dip", said)[0].acted


def test_a_word_that_no_token_is_called_is_asked_about() -> None:
    stage, reply = talk("dip", "buy milk when it drops 9%")
    assert not stage.acted
    assert "“milk”" in reply
    stage, _ = talk("empty", "buy froggo when it drops 9%")
    assert stage.acted


def test_a_bot_with_a_token_is_told_of_no_other_without_a_yes() -> None:
    stage, reply = talk("dip", "buy froggo when it drops 9%")
    assert not stage.acted
    assert "“froggo”" in reply
    stage, _ = talk("nothing", "buy PIPO when it drops 9%", "buy PIPO when it drops 8%")
    assert stored(stage)["conditions"][0]["percent"] == 8


def test_a_test_without_a_token_asks_for_one_and_runs_on_the_answer() -> None:
    stage, reply = talk("empty", "buy 5% dips in 1h and backtest it over 2 weeks", "SOL")
    (call,) = stage.acted
    assert call["arguments"]["days"] == 14
    assert call["arguments"]["chain"] == "solana"
    assert "made 4.20 %" in reply
    assert "5 trades" in reply


def test_what_the_tool_cannot_take_is_not_run_without_a_yes() -> None:
    stage, reply = talk("dip", "backtest with 1% slippage")
    assert not stage.acted
    assert "slippage" in reply


def test_a_question_about_a_change_explains_and_offers_it() -> None:
    stage, reply = talk("dip", "what if i set the stop to 2%?")
    assert not stage.acted
    assert "changed nothing" in reply
    stage, _ = talk("dip", "what if i set the stop to 2%?", "yes")
    assert stored(stage)["risk_management"]["stop_loss_percent"] == 2


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("delete the bot", "on the Bots page"), ("run it with real money?", "no real money"),
        ("is this good?", "no backtest yet"), ("how is it doing", "no backtest yet"), ("whats hot right now", "trends"),
    ],
)  # fmt: skip
def test_what_there_is_no_tool_for_is_said_kindly(said: str, told: str) -> None:
    stage, reply = talk("dip", said)
    assert not stage.acted
    assert told in reply


def test_a_run_is_told_with_the_symbol_of_its_token_or_its_address_in_short() -> None:
    _, reply = talk("empty", "buy 5% dips in 1h", "test it on PIPO")
    assert "on PIPO on solana" in reply
    _, reply = talk("nothing", "buy PIPO on 5% dips and backtest it")
    assert "on PIPO on solana" in reply
    _, reply = talk("dip", "backtest it")
    assert "`0x6982…1933` on eth" in reply


def test_a_bare_number_goes_on_in_the_unit_of_what_it_follows() -> None:
    stage, _ = talk("dip", "cooldown 2h", "make it 3")
    assert stored(stage)["risk_management"]["cooldown"] == "3h"


class Visitor(World):
    """Somebody without an account, whose one backtest is used."""

    async def get_current_strategy(self) -> dict[str, Any]:
        return await super().get_current_strategy() | {"backtests_left": 0}

    async def update_trading_strategy(self, strategy: Strategy | None) -> dict[str, Any]:
        return await super().update_trading_strategy(strategy) | {"backtests_left": 0}


@pytest.mark.parametrize(
    "said", ["backtest it", "set the stop to 4 and backtest it", "set the stop to 4", "what is my stop?"]
)
def test_a_visitor_is_offered_no_backtest_beyond_the_only_one(said: str) -> None:
    visitor = Visitor().set_up("dip")
    reply = asyncio.run(visitor.say(said))
    assert "run_backtest" not in {call["name"] for call in visitor.calls}
    assert "Shall I test it" not in reply
    assert "or test" not in reply


def answer_of(messages: list[ModelMessage]) -> ModelResponse:
    return asyncio.run(OfflineModel().request(messages, None, ModelRequestParameters()))


def test_after_another_model_broke_off_it_only_reports_what_was_done() -> None:
    call = ToolCallPart("update_trading_strategy", {"strategy": None}, "1")
    response = answer_of(
        [
            ModelRequest([UserPromptPart("set the stop to 2% and backtest it")]),
            ModelResponse([call], model_name="gpt"),
            ModelRequest([ToolReturnPart("update_trading_strategy", {"summary": "Buy low."}, "1")]),
        ]
    )
    assert not response.tool_calls
    assert "update trading strategy: Buy low." in (response.text or "")


def test_a_question_another_model_asked_is_not_taken_for_its_own() -> None:
    response = answer_of(
        [
            ModelRequest([UserPromptPart("hi")]),
            ModelResponse([], model_name="gpt"),
            ModelRequest([UserPromptPart("yes")]),
        ]
    )
    assert "nothing waiting" in (response.text or "")


def test_a_tool_it_was_not_given_is_never_called() -> None:
    response = answer_of([ModelRequest([UserPromptPart("backtest it")])])
    assert not response.tool_calls
    assert response.text


def test_a_question_followed_by_an_order_is_one_run() -> None:
    stage, _ = talk("dip", "How would it have done over the last month? Run a backtest")
    assert [(call["name"], call["arguments"]) for call in stage.acted] == [("run_backtest", {"days": 30})]


@pytest.mark.parametrize(
    ("said", "summary"),
    [
        ("buy when the 14 rsi goes below 28 then sell at 60", "RSI(14) crosses below 28. Sell when RSI(14) is above 60"),
        ("use rsi: below 35 buy, above 65 sell", "RSI(14) is below 35. Sell when RSI(14) is above 65"),
        (
            "buy if price is above ema 50 and ema 50 is above ema 200, sell when price closes below ema 50",
            "the price is above EMA(50) and EMA(50) is above EMA(200). Sell when the price is below EMA(50)",
        ),
        (
            "buy if price touches the lower bollinger band, sell at the middle band",
            "below lower Bollinger band (20, 2). Sell when the price is above middle Bollinger band (20, 2)",
        ),
        ("buy when ema 20 crosses above ema 50 on 1h candles", "EMA(20) on 1h candles crosses above EMA(50) on 1h candles"),
        ("buy when it drops 5% in an hour or 10% in a day", "5 % within 1h or the price falls at least 10 % within 1d"),
    ],
)  # fmt: skip
def test_a_level_belongs_to_the_indicator_that_was_named_and_a_price_to_the_price(said: str, summary: str) -> None:
    _, reply = talk("nothing", said)
    assert summary in reply


def test_a_question_that_holds_a_first_strategy_shows_it_and_waits_for_a_yes() -> None:
    said = "how about a bot that buys if it drops 6% in 2h, stop 3%?"
    stage, reply = talk("nothing", said)
    assert not stage.acted
    assert reply.endswith("(yes/no)")
    assert stored(talk("nothing", said, "yes")[0])["conditions"][0]["percent"] == 6


def test_another_bot_is_changed_to_before_anything_is_changed_in_it() -> None:
    stage, reply = talk("dip", "switch to Moonshot and set the stop to 4%")
    assert not stage.acted
    assert "?" in reply


def test_a_watch_ends_only_after_a_yes() -> None:
    stage, reply = talk("dip", "watch it", "stop watching")
    assert not stage.acted
    assert reply.endswith("(yes/no)")
    stage, _ = talk("dip", "watch it", "stop watching", "yes")
    assert stage.acted == [{"name": "stop_run", "arguments": {"run_id": "w1"}}]


def test_a_watch_does_not_tell_how_it_would_sell() -> None:
    _, reply = talk("dip", "alert me when rsi is below 30")
    assert "Buy when RSI(14) is below 30." in reply
    assert "sell" not in reply.lower()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("what is a good strategy for a beginner?", "Nobody knows which strategy will earn money"),
        ("make me money", "I cannot promise a profit"),
        ("find better values", "I can try other values"),
        ("is it safe?", "No real money is used here"),
        ("explain what it does", "Buy when the price falls at least 5 %"),
        ("what can you do?", "I turn plain words into a trading strategy"),
        ("why did it lose?", "Say “backtest it”"),
        ("resume the simulation", "The button Pause in its tab does both"),
    ],
)
def test_a_beginner_gets_an_answer_and_a_next_step(said: str, told: str) -> None:
    stage, reply = talk("dip", said)
    assert not stage.acted
    assert told in reply


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("sell half at +10%", "The other 50 % of the position is left to the other exits."),
        ("add twice on the way down", "I took steps of 5 %. The first buy uses 33.33 % of the cash."),
        ("RSI < 30 or (dip and volume)", "You named no number for the volume multiple, so I took a usual one."),
    ],
)
def test_what_was_left_open_is_said_back(said: str, told: str) -> None:
    stage, reply = talk("dip", said)
    assert stage.acted
    assert told in reply


def test_targets_without_another_exit_say_that_nothing_sells_the_rest() -> None:
    _, reply = talk("nothing", "buy when RSI is below 30, sell half at +10%")
    assert "The other 50 % of the position has no exit yet." in reply


@pytest.mark.parametrize("given", ["dip", "nothing"])
def test_a_yes_after_a_change_is_its_backtest(given: str) -> None:
    stage, _ = talk(given, "buy PIPO when RSI is below 30, stop at 2 ATR", "yes", *(["yes"] if given == "dip" else []))
    assert [call["name"] for call in stage.acted] == ["run_backtest"]
