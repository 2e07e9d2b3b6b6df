"""What beginners ask, what cannot be done and what comes nearest, and the names of bots: table tests of the chat."""

import pytest

from tests.conversations.offline.world import talk


@pytest.mark.parametrize(
    ("given", "said", "told", "next_step"),
    [
        ("nothing", "what is a good strategy for a beginner?", "Nobody knows", "Say “buy when"),
        ("dip", "explain what it does", "Buy when the price falls at least 5 %", ""),
        ("dip", "why did it lose?", "There is no backtest yet", "Say “backtest it”"),
        ("dip", "find better values", "no promise", "(yes/no)"),
        ("dip", "is it safe?", "No real money", ""),
        ("nothing", "is it safe?", "No real money", "Which token"),
        ("nothing", "what can you do?", "I turn plain words", "“paper trade it”"),
        ("nothing", "make me money", "cannot promise a profit", "Say “buy when"),
        ("nothing", "will this make me rich?", "cannot promise a profit", "Say “buy when"),
        ("nothing", "which strategy should I use?", "Nobody knows", "Say “buy when"),
        ("dip", "which coin should I buy?", "Nobody knows", "Say “buy when"),
        ("dip", "how is the simulation doing?", "No simulation is running.", "Say “backtest it”"),
        ("dip", "buy SOL", "no real money", "Say “buy when"),
        ("dip", "sell it", "no real money", "Say “buy when"),
        ("dip", "PIPO", "Shall I backtest it on PIPO?", "(yes/no)"),
        ("dip", "how much money can I make with this?", "Buy when the price falls at least 5 %", ""),
        ("dip", "what happens to my position while I am asleep?", "Buy when the price falls at least 5 %", ""),
    ],
)
def test_a_beginners_question_gets_an_honest_answer_and_a_next_step(
    given: str, said: str, told: str, next_step: str
) -> None:
    stage, reply = talk(given, said)
    assert told in reply
    assert next_step in reply
    assert "search_tokens" not in {call["name"] for call in stage.calls}


@pytest.mark.parametrize(
    ("said", "what", "offer"),
    [
        ("short it", "sell short", "buy when it rises"),
        ("can I short SOL?", "sell short", "buy when it rises"),
        ("use 10x leverage", "use leverage", "set the position size to 100%"),
        ("run a grid between 0.1 and 0.2", "run a grid", "buy at"),
        ("trade bitcoin on binance", "trade on another exchange", "search for WBTC"),
        ("buy bitcoin on coinbase when it drops 5%", "trade on another exchange", "search for WBTC"),
        ("buy on good news", "use news", "buy when the volume"),
        ("buy when there is a big bid in the order book", "use order books", "buy when the volume"),
        ("how much tax do I pay?", "work out taxes", "show me the trades"),
        ("buy call options on SOL", "trade options", "buy when the price"),
        ("buy apple stock when it drops 5%", "trade on another exchange", "search for WBTC"),
    ],
)
@pytest.mark.parametrize("given", ["nothing", "dip"])
def test_what_cannot_be_done_is_named_with_the_nearest_thing(given: str, said: str, what: str, offer: str) -> None:
    stage, reply = talk(given, said)
    assert not stage.acted
    assert reply.startswith(f"I cannot {what}")
    assert f"Say “{offer}" in reply


@pytest.mark.parametrize(
    ("given", "messages", "told"),
    [
        (
            "nothing",
            ("golden cross: buy when sma 50 crosses above sma 200 and sell when it crosses below",),
            "Buy when SMA(50) crosses above SMA(200). Sell when SMA(50) crosses below SMA(200).",
        ),
        ("nothing", ("buy when rsi is below 30", "make it 25"), "Buy when RSI(14) is below 25."),
        ("dip", ("stop at 20 % drawdown",), "Once the equity has fallen 20 % from its highest, buy no more."),
        ("nothing", ("buy when it breaks the 20 day high",), "crosses above the highest high of the 20 candles before"),
        ("nothing", ("buy at a new 20 day high",), "above the highest high of the 20 candles before on 1d candles"),
        ("full", ("remove the sell condition",), "Sell at a 5 % loss (stop loss)"),
        ("nothing", ("buy KOI when macd crosses its signal line", "up"), "MACD(12, 26, 9) crosses above MACD"),
        (
            "nothing",
            ("buy when rsi is below 30, sell when rsi is above 70", "remove the sell condition"),
            "Nothing tells it to sell",
        ),
        ("dip", ("cooldown 1h 30m",), "wait 90m before buying again"),
        ("dip", ("wait an hour and a half after a sale",), "wait 90m before buying again"),
        ("dip", ("set the stop to 4 for my nerves, dear bot", "yes and backtest it"), "Sell at a 4 % loss"),
    ],
)
def test_what_was_once_misread_is_read(given: str, messages: tuple[str, ...], told: str) -> None:
    stage, reply = talk(given, *messages)
    assert stage.acted
    assert told in reply


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("buy PIPO when rsi is below 30", "RSI dip on PIPO"),
        ("buy when the close is above ema 50", "Price over EMA"),
        ("buy when sma 50 crosses above sma 200", "Golden cross (SMA)"),
        ("buy PIPO when it drops 5% in 1h", "Dip buyer 5 % on PIPO"),
        ("buy when the price crosses above the 20 day high", "Breakout of 20 candles"),
        ("buy $100 every week", "Savings plan"),
    ],
)
def test_a_bot_is_named_as_a_person_would_name_it(said: str, name: str) -> None:
    stage, _ = talk("nothing", said)
    assert stage.linked is not None
    assert stage.linked.name == name
