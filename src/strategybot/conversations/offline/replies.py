"""The sentences the offline model says."""

from collections.abc import Mapping
from typing import Any

from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline.history import Outcome
from strategybot.conversations.telling import (
    bots_words,
    risk_words,
    simulation_words,
    token_words,
    tokens_words,
    verdict_words,
)
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import plain
from strategybot.trading.words import rounded

Json = dict[str, Any]

HELP = (
    "I turn plain words into a trading strategy, test it on market history and trade it on paper. You can say:\n"
    "- “buy when it drops 5% in an hour, stop loss 3%, take profit 10%”\n"
    "- “set the stop loss to 4%”, “add a volume filter of 3x”, “remove the take profit”, “undo”\n"
    "- “backtest it over the last 2 weeks”, “how did it go?”\n"
    "- “paper trade it”, “stop the simulation”\n"
    "- “search for SOL”, “is PIPO safe?”, “list my bots”, “switch to Alpha”"
)
GREETING = "Hello! Tell me when your bot should buy and sell, and I will set it up and test it. What should it do?"
THANKS = "You are welcome. What next?"
CANCELLED = "All right, I left everything as it is."
TOO_LONG = "That is more than I can read at once. Could you say it in fewer words, one or two changes at a time?"
REFUSED = "I have changed nothing. What would you like me to do instead?"
REPORTED = (
    "I have changed nothing. If you want a rule made of that, say it as one, such as “buy when it drops 5% in an hour”."
)
LOST = "I did not understand that, so I have changed nothing. What should I do? Say “help” for examples."
OTHER_RULE = (
    "I know four things to buy or sell on: a price drop, a price rise, a volume spike and a price level. "
    "When should it buy? For example: “buy when it drops 5% in an hour and volume is 3x”."
)
NOTHING_PENDING = "There is nothing waiting for an answer. What should I do?"
NO_BOT = "There is no bot here yet. When should it buy? For example: “buy when it drops 5% in an hour, stop loss 3%”."
NO_STRATEGY = "This bot has no strategy yet. When should it buy? For example: “buy when it drops 5% in an hour”."
NO_REAL_TRADES = (
    "I only test strategies on history and trade them on paper: no real money, no leverage, no short selling. "
    "What should the strategy be?"
)
TESTS_USED_UP = (
    "The one backtest without an account is used. With a free account you can run more, and your bot comes along. "
    "Until then I can change the strategy, or tell you the result again: “how did it go?”"
)
NO_DELETING = (
    "A bot is deleted on the Bots page, with all it has run; I cannot do it from here. "
    "Is there something about its strategy I can change?"
)
CANNOT_CALL = "I cannot do that here. Is there something else I can do?"
WHICH_TOKEN = "On which token? Give me a symbol, a name or an address"
GLOSSARY = {
    "TRAIL": "A trailing stop sells when the price falls the given percent under its highest point since the buy.",
    "STOP": "A stop loss sells when the price falls the given percent under what was paid.",
    "TARGET": "A take profit sells when the price has risen the given percent above what was paid.",
    "COOLDOWN": "A cooldown is how long the bot waits after a sale before it may buy again.",
    "HOLDMAX": "The longest holding time sells a position after that time, whatever the price is.",
    "WINDOW": "A window is how far back a condition looks: 1h compares the price with the one an hour ago.",
    "VOLUME": "A volume spike is a candle whose volume is a multiple of the window's average.",
    "SIZE": "The position size is the share of the cash that each buy uses.",
    "TEST": "A backtest runs the strategy over past candles, with fees and slippage, and tells what it had made.",
    "SIMULATION": "A simulation trades the strategy on paper, candle by candle, with no real money.",
    "FEE": "Every test and simulation pays fees and slippage on each trade.",
    "DROP": "A price drop is how far the price has fallen over its window, from the earlier close or from the high.",
    "RISE": "A price rise is how far the price has risen over its window, from the earlier close or from the low.",
}


def changed(facts: Json, fresh: bool) -> str:
    bot = facts.get("bot") or {}
    summary = facts.get("summary")
    begun = f"I made the bot **{plain_name(bot.get('name'))}**." if fresh else "Done."
    if not summary:
        return f"{begun} It has no strategy now. When should it buy?"
    return f"{begun} {summary} {offer(facts, fresh)}"


def offer(facts: Json, fresh: bool) -> str:
    """What can be done after a change; nobody is offered a backtest that they do not have, or to undo a beginning."""
    left = facts.get("backtests_left")
    if left == 0:
        undo = "" if fresh else ", or say “undo”"
        return f"You can change it further{undo}. To test it again, sign up: it is free."
    undo = "" if fresh else ", or “undo” to take this back"
    if left is not None:
        return f"You have one backtest without an account: say “backtest it” for it{undo}."
    return f"Shall I test it? Say “backtest it”{undo}."


def created(facts: Json) -> str:
    bot = facts.get("bot") or {}
    return f"I made the bot **{plain_name(bot.get('name'))}**. When should it buy, and when should it sell?"


def undone(facts: Json) -> str:
    summary = facts.get("summary")
    return f"Undone. {summary}" if summary else "Undone: the bot has no strategy now."


def preview(strategy: Json, why: str) -> str:
    return f"{why} It would read: {Strategy.model_validate(strategy).summary} Apply it? (yes/no)"


def doubt(words: list[str], done: str = "changed nothing") -> str:
    quoted = ", ".join(f"“{plain_name(word)}”" for word in words[:4])
    return f"I did not understand {quoted}, so I have {done} yet."


def shown(facts: Json) -> str:
    bot = facts.get("bot") or {}
    summary = facts.get("summary")
    return (
        f"**{plain_name(bot.get('name'))}**: {summary}"
        if summary
        else f"**{plain_name(bot.get('name'))}**: {NO_STRATEGY}"
    )


def tested(run: Json, symbols: Mapping[str, str]) -> str:
    where = f"{token_words(run.get('token'), symbols)} on {run.get('chain')}"
    status = run.get("status")
    if status == "failed":
        return f"The backtest of {where} failed: {run.get('error')}"
    if status == "stopped":
        return f"The backtest of {where} was stopped before it was finished."
    metrics = run.get("metrics")
    if status != "completed" or not metrics:
        return f"The backtest of {where} is still running. Ask me “how did it go?” in a moment."
    span = f"{str(run.get('start_time'))[:10]} to {str(run.get('end_time'))[:10]}"
    opening = f"Over {span} on {where} ({run.get('kline_interval')} candles) the strategy "
    return " ".join(filter(None, (opening + " ".join(_sentences(metrics)), verdict_words(run))))


def _sentences(metrics: Json) -> list[str]:
    total, hold = metrics.get("total_return"), metrics.get("buy_and_hold_return")
    sentences = [f"{_gained(total)}."]
    trades = metrics.get("total_trades") or 0
    won = metrics.get("win_rate")
    if not trades:
        sentences.append("It closed no trade: its conditions were never met, or the position is still open.")
    else:
        rate = "" if won is None else f" and won {_figure(won)} % of them"
        sentences.append(f"It closed {trades} trade{'' if trades == 1 else 's'}{rate}.")
    if metrics.get("max_drawdown") is not None:
        sentences.append(f"The deepest drawdown was {_figure(metrics['max_drawdown'])} %.")
    if hold is not None:
        sentences.append(f"Buying and holding would have {_gained(hold)}.")
    return sentences


def _gained(percent: float | None) -> str:
    if percent is None:
        return "made an unknown return"
    return f"{'lost' if percent < 0 else 'made'} {_figure(abs(percent))} %"


def _figure(number: float) -> str:
    return rounded(number, 4)


def simulated(run: Json, symbols: Mapping[str, str]) -> str:
    return simulation_words(run, symbols)


def listed(facts: Json) -> str:
    if not facts.get("bots"):
        return "You have no bot yet. When should your first one buy?"
    return f"Your bots:\n{bots_words(facts)}"


def found(tokens: list[Json], query: str) -> str:
    if not tokens:
        return f"I found no token for “{plain_name(query)}”. Is there another name or an address for it?"
    opening = f"This is what I found for “{plain_name(query)}”" if query else "This is what trends now"
    return f"{opening}:\n{tokens_words(tokens[:5])}"


def risk(symbol: str, facts: Json) -> str:
    return f"{symbol}: {risk_words(facts)}"


def which_token(tokens: list[Json], why: str = "") -> str:
    offered = "".join(f"\n- {token['symbol']} ({token['name']}) on {token['chain']}" for token in tokens[:4])
    return f"{why}{WHICH_TOKEN}{', for example:' + offered if offered else ', please?'}" + (
        "\nWhich one?" if offered else ""
    )


def report(done: list[Outcome]) -> str:
    """After another model broke off: what its tools did, and nothing more."""
    if not done:
        return "The other model broke off before it did anything. What should I do?"
    lines = [reported(outcome) for outcome in done]
    return "\n".join(["The other model broke off. This is what was done:", *(f"- {line}" for line in lines)])


def reported(outcome: Outcome) -> str:
    name, facts = outcome.call.name.replace("_", " "), outcome.facts
    if outcome.failure is not None:
        return f"{name}: {outcome.failure}"
    if outcome.call.name in ("run_backtest", "get_backtest"):
        return tested(facts, {})
    return f"{name}: {facts['summary']}" if facts.get("summary") else f"{name}: done."


def bot_name(strategy: Json) -> str:
    """A short name that says what the strategy does: Dip buyer 5 %."""
    first = strategy["conditions"][0]
    amount = plain(first.get("percent") or first.get("multiplier") or first.get("level") or 0)
    if first["kind"] == "price_drop":
        return f"Dip buyer {amount} %"
    if first["kind"] == "price_rise":
        return f"Momentum buyer {amount} %"
    if first["kind"] == "volume_spike":
        return f"Volume buyer {amount}x"
    return f"Level buyer {first['direction']} {amount}"
