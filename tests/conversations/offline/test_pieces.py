"""The pieces of the offline model, each alone: tokens, typos, pairing, moods, readings."""

from typing import Any

import pytest

from strategybot.conversations.offline.orders.intents import Intent, intent_of
from strategybot.conversations.offline.orders.mood import Mood, mood_of
from strategybot.conversations.offline.orders.names import bot_named, query_of, token_asked_about
from strategybot.conversations.offline.orders.runs import read_run
from strategybot.conversations.offline.strategy.field_edits import Unclear
from strategybot.conversations.offline.strategy.matching import IMPOSSIBLE, matched
from strategybot.conversations.offline.strategy.strategy_edits import edited
from strategybot.conversations.offline.strategy.strategy_reading import read_strategy
from strategybot.conversations.offline.turns.follow_ups import corrected
from strategybot.conversations.offline.words.hearing import line_of
from strategybot.conversations.offline.words.lexemes import Kind
from strategybot.conversations.offline.words.quantities import duration_text
from strategybot.conversations.offline.words.tokens import tokens
from strategybot.conversations.offline.words.vocabulary import mended
from tests.conversations.offline.world import DIP, FULL, normal


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("5%", Kind.PERCENT, 5), ("5 pct", Kind.PERCENT, 5), ("five percent", Kind.PERCENT, 5), ("2½%", Kind.PERCENT, 2.5),
        ("three and a half percent", Kind.PERCENT, 3.5), ("twenty five %", Kind.PERCENT, 25), ("5,5 %", Kind.PERCENT, 5.5),
        ("half a percent", Kind.PERCENT, 0.5), ("50 bps", Kind.PERCENT, 0.5), ("3x", Kind.MULTIPLE, 3),
        ("2.5 times", Kind.MULTIPLE, 2.5), ("triples", Kind.MULTIPLE, 3), ("90m", Kind.DURATION, 5400),
        ("half hour", Kind.DURATION, 1800), ("quarter of an hour", Kind.DURATION, 900), ("4,5 procent", Kind.PERCENT, 4.5),
        ("1/4", Kind.SHARE, 25), ("two point five percent", Kind.PERCENT, 2.5), ("1000$", Kind.MONEY, 1000),
        ("15-minute", Kind.DURATION, 900), ("1h30m", Kind.DURATION, 5400), ("half an hour", Kind.DURATION, 1800),
        ("2 weeks", Kind.DURATION, 1209600), ("$0.5", Kind.MONEY, 0.5), ("$2k", Kind.MONEY, 2000), ("20 bucks", Kind.MONEY, 20),
        ("65,000", Kind.NUMBER, 65000), ("1.2k", Kind.NUMBER, 1200), ("0.0000082", Kind.NUMBER, 8.2e-6),
        ("quarter", Kind.SHARE, 25), ("$PEPE", Kind.TAG, 0), ('"Night Owl"', Kind.QUOTED, 0), ("5-10%", Kind.RANGE, 0),
        ("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2-eth", Kind.ADDRESS, 0),
    ],
)  # fmt: skip
def test_an_amount_is_one_token(text: str, kind: Kind, value: float) -> None:
    (token,) = tokens(text)
    assert token.kind is kind
    assert token.value == pytest.approx(value)


def test_the_hour_and_a_half_of_a_sentence_is_one_duration() -> None:
    assert [token.value for token in tokens("in an hour and a half") if token.kind is Kind.DURATION] == [5400]


@pytest.mark.parametrize(
    ("seconds", "text"), [(900, "15m"), (5400, "90m"), (7200, "2h"), (86400, "1d"), (30, None), (31 * 86400, None)]
)
def test_a_duration_is_written_as_the_language_has_it(seconds: float, text: str | None) -> None:
    assert duration_text(seconds) == text


@pytest.mark.parametrize(
    ("typo", "word"),
    [("prcie", "price"), ("stoplos", "stoploss"), ("backtset", "backtest"), ("volumne", "volume"), ("chnage", "change"),
     ("tide", "tide"), ("learn", "learn"), ("feels", "feels"), ("pepe", "pepe")],
)  # fmt: skip
def test_a_typo_is_mended_and_another_word_is_not(typo: str, word: str) -> None:
    assert mended(typo) == word


def test_numbers_go_to_cues_at_the_least_total_cost() -> None:
    assert matched([[1, 2], [1, 9]]) == [1, 0]
    assert matched([[1, IMPOSSIBLE], [2, IMPOSSIBLE]]) == [0, None]
    assert matched([]) == []


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("set the stop to 2%", Mood.ORDER), ("could you please set the stop to 2%?", Mood.ORDER),
        ("would you mind putting the stop at 2%", Mood.ORDER), ("when it drops 5% buy", Mood.ORDER),
        ("buy when it has fallen 5%", Mood.ORDER), ("would you buy when it drops 5%?", Mood.QUESTION),
        ("is 3% a good stop", Mood.QUESTION), ("when will it sell", Mood.QUESTION), ("set the stop to 2%?", Mood.QUESTION),
        ("do i pay fees in the simulation", Mood.QUESTION), ("when do you sell after 2h", Mood.QUESTION),
        ("am i on a 2% stop", Mood.QUESTION), ("will you sell after 2 days", Mood.QUESTION),
        ("did it hold 2 days", Mood.QUESTION), ("do the backtest", Mood.ORDER),
        ("can i use a 2% stop", Mood.QUESTION), ("what if i set the stop to 2%", Mood.MUSING),
        ("maybe set the stop to 2%", Mood.MUSING), ("don't set the stop to 2%", Mood.REFUSAL),
        ("i never said 8% stop", Mood.REFUSAL), ("stop changing my stop to 5%", Mood.REFUSAL),
        ("it fell 5% in an hour", Mood.REPORT), ("PIPO is down 9%", Mood.REPORT),
        ("volume is 3x today", Mood.REPORT), ("most coins lose 90% in a year", Mood.REPORT),
        ("repeat after me: my stop loss is 50%", Mood.MUSING), ("he buys when it drops 10%", Mood.MUSING),
        ("my buddy uses a 2% stop", Mood.MUSING), ("20% of people lose money", Mood.MUSING),
        ("my stop loss is 50%", Mood.MUSING), ("i usually use a 5% stop", Mood.MUSING),
        ("say my stop is 5", Mood.MUSING), ("set the stop to, say, 5%", Mood.ORDER),
        ("i think 3 is too tight for the stop, go 5", Mood.ORDER), ("no wait, make it 4", Mood.ORDER),
        ("can we set the stop to 2%", Mood.ORDER), ("set the stop to 2%, ok?", Mood.ORDER), ("i wish to buy at -5%", Mood.ORDER),
        ("i could set the stop to 5%", Mood.MUSING), ("next week we change the stop to 5%", Mood.MUSING),
        ("with a 5% stop, what is my risk", Mood.QUESTION), ("backtests are boring", Mood.REPORT),
        ("my stop should be 4%", Mood.ORDER), ("buy when everybody buys", Mood.ORDER),
    ],
)  # fmt: skip
def test_only_an_order_is_an_order(text: str, mood: Mood) -> None:
    assert mood_of(line_of(text)) is mood


def after(text: str, current: dict[str, Any] | None) -> Any:
    reading, _ = read_strategy(line_of(text))
    try:
        return edited(reading, normal(current)), reading
    except Unclear as unclear:
        return unclear.question, reading


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("SL 3% TP 12%", "take_profit_percent", 12), ("4% SL 12% TP", "stop_loss_percent", 4),
        ("sell when up 20%", "take_profit_percent", 20), ("sell if it falls 6%", "stop_loss_percent", 6),
        ("sell if it falls 6% from its peak", "trailing_stop_percent", 6), ("raise the stop by 1%", "stop_loss_percent", 4),
        ("tighten the stop by 0.5", "stop_loss_percent", 2.5), ("double the take profit", "take_profit_percent", 20),
        ("halve the stop", "stop_loss_percent", 1.5), ("add 2% to the stop", "stop_loss_percent", 5),
        ("stop from 3 to 5", "stop_loss_percent", 5), ("bring the stop down to 2", "stop_loss_percent", 2),
        ("sell at 12% profit or after 1 day", "max_holding", "1d"), ("leave after 10 hours at most", "max_holding", "10h"),
        ("sell again after 4 hours", "max_holding", "4h"), ("sell at 10%, 3 days at most", "max_holding", "3d"),
        ("sell when it is up 8%, or after 12h, whatever is first", "max_holding", "12h"),
        ("sell after 2 days at the latest", "max_holding", "2d"), ("wait an hour between trades", "cooldown", "1h"),
        ("never hold longer than 3 days", "max_holding", "3d"), ("cut my losers at 2%", "stop_loss_percent", 2),
        ("get rid of the stop", "stop_loss_percent", None), ("take the stop off", "stop_loss_percent", None),
        ("make the stop 1% tighter", "stop_loss_percent", 2), ("make the stop a percent wider", "stop_loss_percent", 4),
        ("both stop and target at 6", "take_profit_percent", 6), ("sl and tp 6% each", "stop_loss_percent", 6),
        ("sl/tp 4/16", "take_profit_percent", 16), ("4/16 sl/tp", "stop_loss_percent", 4),
        ("stop loss/take profit: 4/16", "stop_loss_percent", 4), ("put the stop at minus 4%", "stop_loss_percent", 4),
        ("let profits run with a trailing of three percent", "trailing_stop_percent", 3),
        ("the stop of 3 is too tight, make it 5", "stop_loss_percent", 5), ("no wait, set the stop to 4", "stop_loss_percent", 4),
        ("get out after 8h if nothing happens", "max_holding", "8h"), ("never lose more than 2%", "stop_loss_percent", 2),
        ("give the stop 2% more room", "stop_loss_percent", 5), ("a percent less on the stop", "stop_loss_percent", 2),
        ("stop and target to 4 and 16", "take_profit_percent", 16), ("take profit 12 not 10", "take_profit_percent", 12),
        ("swap the 3% stop for a 4% one", "stop_loss_percent", 4), ("i'm fine losing at most 4% per trade", "stop_loss_percent", 4),
        ("the target goes to 30, the rest dont touch", "take_profit_percent", 30), ("3x the take profit", "take_profit_percent", 30),
        ("don't buy again for 2 hours after selling", "cooldown", "2h"), ("tp: none", "take_profit_percent", None),
        ("i don't want to lose more than 2%", "stop_loss_percent", 2), ("aim for 15%", "take_profit_percent", 15),
    ],
)  # fmt: skip
def test_a_change_of_risk_is_read(text: str, field: str, value: object) -> None:
    strategy, reading = after(text, DIP)
    assert strategy["risk_management"][field] == value
    assert not reading.unknown
    assert not reading.refused


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("buy when it drops 6% in 2h and volume is 3x", [("price_drop", 6, "2h"), ("volume_spike", 3, "1h")]),
        ("volume window 4h", [("price_drop", 8, "4h"), ("volume_spike", 3, "4h")]),
        ("drop 9%", [("price_drop", 9, "4h"), ("volume_spike", 3, "1h")]),
        ("remove the volume condition", [("price_drop", 8, "4h")]),
        ("buy on a 10% crash in 6h instead", [("price_drop", 10, "6h")]),
        ("remove the second condition", [("price_drop", 8, "4h")]),
        ("i don't need the volume filter anymore", [("price_drop", 8, "4h")]),
        ("double the volume filter", [("price_drop", 8, "4h"), ("volume_spike", 6, "1h")]),
        ("instead of the dip, buy when it rises 3% in 1h", [("price_rise", 3, "1h")]),
        ("add: up 1% in 5m", [("price_drop", 8, "4h"), ("volume_spike", 3, "1h"), ("price_rise", 1, "5m")]),
    ],
)
def test_a_change_of_the_entry_is_read(text: str, conditions: list[tuple[str, float, str]]) -> None:
    strategy, _ = after(text, FULL)
    read = [(one["kind"], one.get("percent") or one.get("multiplier"), one["window"]) for one in strategy["conditions"]]
    assert read == conditions


@pytest.mark.parametrize(
    "text",
    ["stop loss 3 or 5", "buy when it drops 5-10%", "sl 3 sl 4", "stop 120%", "tp 0", "raise the stop 1%", "add a trailing stop",
     "buy when it drops 5% and volume 2x or price above 3", "also buy when it pumps 10%", "lookback 5 seconds", "if it drops 7%",
     "if btc drops 10%, set my stop to 2%", "raise the stop to 2% once it is up 5%", "buy if it rises 3% and then falls 2%",
     "remove the third condition", "both stop and target", "take profit at 0.7", "stop somewhere around 4 to 6", "stop 4% or 5%",
     "buy when volume is less than 2x", "set the stop to 4% for the first trade", "after a loss halve the position",
     "move the stop to entry at 5%", "buy if it is down 5% and up 3%", "take profit minus 5%", "tp 3x the stop",
     "buy when it drops 5% after rising 10%", "average down every 3%"],
)  # fmt: skip
def test_what_can_be_read_in_two_ways_is_asked_about(text: str) -> None:
    question, _ = after(text, DIP)
    assert isinstance(question, str)
    assert question.endswith("?")


@pytest.mark.parametrize(
    "text", ["buy the 5% dip if RSI is below 30", "stop loss 4% on fridays", "buy 5% dips with 3x leverage"]
)
def test_what_a_strategy_cannot_say_is_left_unknown(text: str) -> None:
    _, reading = after(text, DIP)
    assert reading.unknown


@pytest.mark.parametrize(
    ("text", "arguments", "token"),
    [
        ("test it on PIPO for the last 2 weeks", {"days": 14}, "PIPO"),
        ("backtest 30 days on 4h candles", {"days": 30, "kline_interval": "4h"}, None),
        ("backtest with $2k and 0.3% fees", {"initial_cash": 2000, "fee_percent": 0.3}, None),
        ("test it on solana PIPO", {"chain": "solana"}, "PIPO"),
    ],
)
def test_a_run_is_read(text: str, arguments: dict[str, object], token: str | None) -> None:
    run, _ = read_run(line_of(text), "run_backtest")
    assert (run.arguments, run.token, run.questions) == (arguments, token, [])


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("no make that 14", "14"), ("i meant 4 not 5", "4"), ("hmm 3 is better", "3"), ("not 5, 6", "6"), ("actually 6%", "6%"),
        ("no, an hour", "1h"), ("4x rather", "4x"), ("don't make it 14", None), ("should it be 14?", None), ("5 or 6", None),
        ("buy 5", None), ("not 7, 6", None), ("was 4 better", None),
    ],
)  # fmt: skip
def test_a_correction_of_a_5_comes_to_one_amount(text: str, amount: str | None) -> None:
    assert corrected(text, [{"part": "stop loss", "was": "3%", "now": "5%", "by": 0}]) == amount


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("explain my strategy", Intent.SHOW), ("summarize", Intent.SHOW), ("read me the rules", Intent.SHOW),
        ("start the bot", Intent.SIMULATE), ("try it with fake money", Intent.SIMULATE), ("turn the sim off", Intent.STOP_SIMULATION),
        ("shut the simulation down", Intent.STOP_SIMULATION), ("give it a spin on historical data", Intent.TEST),
        ("pull up my last backtest", Intent.RESULT), ("was it profitable?", Intent.RESULT), ("reverse my last change", Intent.UNDO),
        ("give me back the old settings", Intent.UNDO), ("no, undo that", Intent.UNDO), ("the previous version was better", Intent.OTHER),
        ("show me the old version", Intent.SHOW), ("can we work on Moonshot now", Intent.SWITCH_BOT),
        ("what tokens are on solana", Intent.SEARCH), ("any red flags with MBTL?", Intent.RISK), ("lower the risk", Intent.OTHER),
        ("set stop to 4 and paper trade it", Intent.SIMULATE), ("remove the stop loss and paper trade it", Intent.SIMULATE),
    ],
)  # fmt: skip
def test_what_a_message_is_about(text: str, intent: Intent) -> None:
    assert intent_of(line_of(text), text, {}) is intent


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("pls create new bot, name is Tiger", "Tiger"), ("new bot: Falcon", "Falcon"), ("make a bot, its name should be Sea Otter", "Sea Otter"),
        ("create a bot called Hydra please", "Hydra"), ('make a bot "The Grinder"', "The Grinder"), ("create a bot", None),
    ],
)  # fmt: skip
def test_a_bot_is_called_what_it_was_named(text: str, name: str | None) -> None:
    assert bot_named(line_of(text))[0] == name


def test_names_are_found_where_they_stand() -> None:
    assert bot_named(line_of("create a bot called Blue Whale that buys dips"))[0] == "Blue Whale"
    assert query_of(line_of("search for moon dust on solana please")) == ("moon dust", "solana")
    assert token_asked_about(line_of("is moon dust a rug?"))[0] == "moon dust"
