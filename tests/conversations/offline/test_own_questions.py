"""Each question that the model asks is answered in a word or two, and the answer is read as that before anything else."""

from typing import Any

import pytest

from tests.conversations.offline.world import talk

# Given, what was said (the last of it is asked about), a part of the question, and each answer with what it brings about.
MIXED = "buy when rsi is below 30 and it drops 5% or volume is 3x"
BAND = "buy when the price touches the bollinger band, stop loss 4%"
EXITS = "buy when it drops 5%, sell when rsi is above 70 and when the price is above ema 50"
RSI = "buy when rsi is below 30"
CHANGES: list[tuple[str, tuple[str, ...], str, dict[str, str]]] = [
    ("empty", (MIXED,), "any one of them", {"all": " and the volume", "any": " or the volume", "both": " and the volume"}),
    ("dip", ("also buy when rsi is below 30",), "all of these", {"any": " or RSI", "all": " and RSI", "either one": " or RSI"}),
    ("empty", (BAND,), "Which Bollinger band", {"lower": "lower", "the upper one": "upper", "middle": "middle"}),
    ("empty", ("buy when the price is above the keltner channel",), "Which Keltner", {"upper": "upper"}),
    ("empty", ("buy when aroon is above 70",), "Which Aroon line", {"up": "Aroon up", "oscillator": "oscillator"}),
    ("empty", ("buy when the price crosses above the ema",), "Which period", {"50": "EMA(50)", "the 20 one": "EMA(20)"}),
    ("empty", ("buy when the price breaks the ema 50",), "upwards or downwards", {"up": "above", "downwards": "below"}),
    ("empty", ("buy when rsi is below",), "the rsi level", {"30": "below 30"}),
    ("empty", ("buy when it drops 5% in 90 seconds",), "How far back", {"1h": "within 1h", "15 minutes": "within 15m"}),
    ("empty", ("buy $10 every 45 days",), "How often", {"every week": "7d", "30 days": "30d"}),
    ("empty", (RSI, "rsi 200"), "the level or the period", {"period": "RSI(200)", "level": "below 200"}),
    ("dip", ("when rsi is below 30",), "buy then, or sell", {"buy": "Buy when RSI", "sell": "Sell when RSI"}),
    ("dip", ("it dropped 8%",), "buy or sell", {"buy": "falls at least 8 %", "sell": "8 % loss"}),
    ("empty", (EXITS,), "Must both hold", {"both": "70 and the price", "either": "70 or the price"}),
    ("dip", ("also, new entry: buy when rsi is below 30",), "whether this replaces", {"yes": "1h and RSI"}),
    ("dip", ("raise the stop loss 2",), "by 2, or to 2", {"by": "5 % loss", "to": "2 % loss"}),
    ("dip", ("set the trailing stop",), "What should the trailing stop be", {"4%": "4 % under", "5": "5 % under"}),
    ("dip", ("make it 7",), "Which part", {"the stop loss": "7 % loss", "target": "7 % gain"}),
    ("dip", ("raise the stop loss by 4%",), "What should it be", {"6%": "6 % loss"}),
    ("dip", ("set the stop loss to 200%",), "Is that a price?", {"5%": "5 % loss"}),
    ("empty", ("stop loss 4%",), "When should it buy", {"it drops 5% in 1h": "4 % loss", "rsi below 30": "4 % loss"}),
    ("empty", ("buy every day",), "How much", {"$100": "for $100", "50 dollars": "for $50"}),
    ("dip", ("sell half when rsi is above 70",), "At what gain", {"10%": "50 % of what was bought at a 10 %"}),
    ("dip", ("remove all exits",), "Which exits", {"the stop loss": "Sell at a 10 % gain"}),
    ("dip", ("delete everything",), "(yes/no)", {"yes": "no strategy"}),
    ("nothing", ("what is a good strategy for a beginner?",), "Shall I begin", {"yes": "6 % gain"}),
    ("nothing", ("create a bot",), "be called", {"Falcon": "Falcon", "call it Falcon": "Falcon"}),
    ("dip", ("switch to Gamma",), "Which one", {"Moonshot": "Moonshot"}),
]  # fmt: skip


@pytest.mark.parametrize(("given", "said", "question", "answers"), CHANGES, ids=[row[1][-1] for row in CHANGES])
def test_the_answer_to_a_question_is_read_as_that_answer(
    given: str, said: tuple[str, ...], question: str, answers: dict[str, str]
) -> None:
    stage, asked = talk(given, *said)
    assert question in asked
    assert not stage.acted
    for answer, told in answers.items():
        stage, reply = talk(given, *said, answer)
        assert stage.acted, reply
        assert told in reply


RUNS: list[tuple[str, tuple[str, ...], str, str, dict[str, Any]]] = [
    ("dip", ("simulate it, check every 5 minutes",), "30 seconds", "start_simulation", {"check_interval": 30}),
    ("dip", ("simulate it, check every 5 minutes",), "10", "start_simulation", {"check_interval": 10}),
    ("dip", ("backtest it on 7m candles",), "5m", "run_backtest", {"kline_interval": "5m"}),
    ("dip", ("backtest it over 5 hours",), "30", "run_backtest", {"days": 30}),
    ("dip", ("backtest it over 5 hours",), "2 weeks", "run_backtest", {"days": 14}),
    ("dip", ("backtest it over 30 days and over 60 days",), "60 days", "run_backtest", {"days": 60}),
    ("empty", (RSI, "test it on the top 20 tokens"), "solana", "survey", {"trending": "solana", "limit": 20}),
    ("empty", (RSI, "backtest it"), "on KOI", "run_backtest", {"chain": "bsc"}),
    ("dip", ("simulate it on PIPO and KOI",), "KOI", "start_simulation", {"chain": "bsc"}),
    ("dip", ("how did it go?",), "yes", "run_backtest", {}),
    ("dip", ("stop the simulation",), "yes", "start_simulation", {}),
    ("dip", ("stop the watch",), "yes", "start_watch", {}),
    ("dip", ("find better values",), "yes", "optimise", {}),
    ("dip", ("switch to Moonshot and set the stop to 4%",), "yes", "set_bot", {"bot": "Moonshot"}),
    ("dip", ("simulate it", "stop the simulation when it drops 5%"), "yes", "stop_simulation", {}),
    ("empty", ("how risky is it?",), "PIPO", "get_token_risk", {}),
    ("empty", ("what is the price?",), "KOI", "get_token", {}),
]


@pytest.mark.parametrize(("given", "said", "answer", "tool", "arguments"), RUNS)
def test_the_answer_to_a_question_about_a_run_is_run(
    given: str, said: tuple[str, ...], answer: str, tool: str, arguments: dict[str, Any]
) -> None:
    assert "?" in talk(given, *said)[1]
    stage, reply = talk(given, *said, answer)
    made = [call["arguments"] for call in stage.calls if call["name"] == tool]
    assert made, reply
    assert {key: made[-1].get(key) for key in arguments} == arguments


@pytest.mark.parametrize("said", ["what is my stop loss?", "backtest it", "set the take profit to 12%"])
def test_another_message_is_no_answer(said: str) -> None:
    stage, reply = talk("dip", "raise the stop loss 2", said)
    plain, expected = talk("dip", said)
    assert (reply, [call["name"] for call in stage.acted]) == (expected, [call["name"] for call in plain.acted])
