"""The sentences the offline model says."""

from collections.abc import Mapping

from strategybot.conversations.agent import telling
from strategybot.conversations.agent.telling import figure, gained, money
from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline.history import Outcome
from strategybot.kit.json_object import Json
from strategybot.trading.language.values import plain
from strategybot.trading.words import price_words

HELP = (
    "I turn plain words into a trading strategy, test it on market history and trade it on paper. You can say:\n"
    "- “buy when it drops 5% in an hour, stop loss 3%, take profit 10%”\n"
    "- “set the stop loss to 4%”, “add a volume filter of 3x”, “remove the take profit”, “undo”\n"
    "- “backtest it over the last 2 weeks”, “how did it go?”\n"
    "- “paper trade it”, “stop the simulation”\n"
    "- “search for SOL”, “is PIPO safe?”, “list my bots”, “switch to Alpha”"
)
CANCELLED = "All right, I left everything as it is."
SMALL_TALK = {
    "help": HELP,
    "yes": "There is nothing waiting for an answer. What should I do?",
    "no": CANCELLED,
    "thanks": "You are welcome. What next?",
    "hello": "Hello! Tell me when your bot should buy and sell, and I will set it up and test it. What should it do?",
}
TOO_LONG = "That is more than I can read at once. Could you say it in fewer words, one or two changes at a time?"
LOST = "I did not understand that, so I have changed nothing. What should I do? Say “help” for examples."
OTHER_RULE = (
    "I could not make a rule of that. A strategy can use a price drop or rise, a volume spike, a price level, and "
    "indicators such as RSI, EMA, MACD or Bollinger bands. When should it buy? "
    "For example: “buy when it drops 5% in an hour and volume is 3x”."
)
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
NO_RENAMING = "A bot is renamed on its own page. Is there something about its strategy I can change?"
CANNOT_CALL = "I cannot do that here. Is there something else I can do?"
MOST_TRADES = 10
NO_SIMULATION = "No simulation of this bot is running. Shall I start one? Say “simulate it”."
COMPARED = (
    ("Return", "total_return", " %"),
    ("Deepest drawdown", "max_drawdown", " %"),
    ("Win rate", "win_rate", " %"),
    ("Trades", "total_trades", ""),
)
SETUP = ("token", "chain", "kline_interval", "start_time", "end_time", "initial_cash")


def changed(facts: Json, fresh: bool) -> str:
    begun = f"I made the bot **{plain_name((facts.get('bot') or {}).get('name'))}**." if fresh else "Done."
    if not facts.get("summary"):
        return f"{begun} It has no strategy now. When should it buy, and when should it sell?"
    return f"{begun} {facts['summary']} {offer(facts, fresh)}"


def offer(facts: Json, fresh: bool) -> str:
    """What can be done after a change; nobody is offered a backtest that they do not have, or to undo a beginning.

    The web app tests a bot's first strategy by itself, so no backtest is offered for it.
    """
    left, undo = facts.get("backtests_left"), "" if fresh else ", or “undo” to take this back"
    if left == 0:
        return f"You can change it further{undo}. To test it again, sign up: it is free."
    if fresh or ("before" in facts and facts["before"] is None):
        return (
            "A backtest shows what it would have done." if left is None else "You have one backtest without an account."
        )
    if left is not None:
        return f"You have one backtest without an account: say “backtest it” for it{undo}."
    return f"Shall I test it? Say “backtest it”{undo}."


def nothing_yet(current: Outcome) -> str:
    return NO_STRATEGY if current.bot else NO_BOT


def doubt(words: list[str]) -> str:
    quoted = ", ".join(f"“{plain_name(word)}”" for word in words[:4])
    return f"I did not understand {quoted}, so I have changed nothing yet."


def shown(facts: Json) -> str:
    return f"**{plain_name((facts.get('bot') or {}).get('name'))}**: {facts.get('summary') or NO_STRATEGY}"


def beyond(what: str, instead: str) -> str:
    return f"I cannot use {what}, so I have changed nothing; {instead}. What should I do instead?"


def explained(topic: str, run: Json, symbols: Mapping[str, str]) -> str:
    """One question about a completed run, answered from its metrics."""
    metrics = run["metrics"]
    if topic in ("best", "worst") and metrics.get("total_trades"):
        return f"The {topic} trade {gained(metrics.get(f'{topic}_trade_percent'))}."
    if topic == "costs":
        fees, slippage = money(metrics.get("fees_paid")), money(metrics.get("slippage_paid"))
        return f"It paid {fees} in fees and {slippage} in slippage."
    if topic == "verdict":
        return telling.verdict_words(run) or "There is no verdict on this run yet. A good past result is no promise."
    return _why(run, symbols) if topic == "why" else telling.trades_words(metrics)


def _why(run: Json, symbols: Mapping[str, str]) -> str:
    """What made or lost the money: the result, what a win and a loss brought, how it sold, and the costs."""
    metrics = run["metrics"]
    win, loss = metrics.get("average_win_percent"), metrics.get("average_loss_percent")
    reasons = metrics.get("exit_reasons") or {"": 0}
    name, count = max(reasons.items(), key=lambda item: item[1])
    sentences = (
        telling.result_words(run, symbols),
        "" if win is None else f"An average win made {figure(win)} %.",
        "" if loss is None else f"An average loss lost {figure(abs(loss))} %.",
        f"Most exits ({count}) were by {str(name).replace('_', ' ')}." if count else "",
        *(explained(topic, run, symbols) for topic in ("best", "worst", "costs") if metrics.get("total_trades")),
    )
    return " ".join(filter(None, sentences))


def compared(older: Json, newer: Json) -> str:
    """Two completed backtests side by side, and in which settings they differ."""

    def told(run: Json, name: str) -> str:
        value = run["metrics"].get(name)
        return "unknown" if value is None else figure(value)

    lines = [
        f"- {label}: {told(newer, name)}{unit} now, {told(older, name)}{unit} before" for label, name, unit in COMPARED
    ]
    now, then = (run["metrics"].get("total_return") for run in (newer, older))
    better = "" if None in (now, then) or now == then else f"\nThe {'newer' if now > then else 'older'} run did better."
    differs = [name.replace("_", " ") for name in SETUP if newer.get(name) != older.get(name)]
    note = f"\nThe runs also differ in {', '.join(differs)}, so they are not the same test." if differs else ""
    return "\n".join(["The last two backtests:", *lines]) + better + note


def traded(page: Json) -> str:
    trades = page.get("trades") or []
    if not trades:
        return "The last backtest closed no trade."
    lines = [
        f"- {trade['number']}: {_minute(trade['entry_time'])} to {_minute(trade['exit_time'])}, "
        f"{gained(trade['pnl_percent'])} ({str(trade['exit_reason']).replace('_', ' ')})"
        for trade in trades[-MOST_TRADES:]
    ]
    return "\n".join([f"The last {len(lines)} of {page['total_trades']} trades:", *lines])


def _minute(moment: object) -> str:
    return str(moment)[:16].replace("T", " ")


def simulation_status(run: Json, symbols: Mapping[str, str]) -> str:
    portfolio, last = run["portfolio"], (run.get("trade_log") or [{}])[-1]
    value, percent, held = (portfolio.get(name) for name in ("total_value", "pnl_percent", "entry_price"))
    token, candles = telling.token_words(run["token"], symbols), f"{run['kline_interval']} candles"
    where = f"{token} on {run['chain']}, {candles}, {run['mode']}"
    sentences = (
        f"The simulation runs on {where}; {run['candles_processed']} of {run['candles_total']} candles are done.",
        "" if value is None else f"It is worth {money(value)}.",
        "" if percent is None else f"It {gained(percent)} so far.",
        "It holds no position." if held is None else f"It holds a position bought at {price_words(held)}.",
        f"At the last candle: {last['reason']}" if last.get("reason") else "",
    )
    return " ".join(filter(None, sentences))


def held(run: Json) -> str:
    """Why the simulation did what it did at its last candle, and what its next trade waits for."""
    if not run.get("trade_log"):
        return "The simulation has processed no candle yet. Ask me again in a moment."
    last = run["trade_log"][-1]
    did = {"BUY": "bought", "SELL": "sold"}.get(str(last["action"]), "did nothing")
    rules = run.get("next_entry") or run.get("next_exit") or []
    opening = "What the next purchase waits for" if run.get("next_entry") else "What could end the position"
    lines = [f"- {rule['condition']}: {rule['sentence']}" for rule in rules]
    told = f"At the last candle it {did}: {str(last['reason']).rstrip('.')}."
    return "\n".join([f"{told} {opening}:", "", *lines]) if rules else told


def listed(facts: Json) -> str:
    return (
        f"Your bots:\n{telling.bots_words(facts)}"
        if facts.get("bots")
        else "You have no bot yet. When should the first one buy?"
    )


def found(tokens: list[Json], query: str) -> str:
    if not tokens:
        return f"I found no token for “{plain_name(query)}”. Is there another name or an address for it?"
    opening = f"This is what I found for “{plain_name(query)}”" if query else "This is what trends now"
    return f"{opening}:\n{telling.tokens_words(tokens[:5])}"


def which_token(tokens: list[Json]) -> str:
    lines = [f"- {token['symbol']} ({token['name']}) on {token['chain']}" for token in tokens[:4]]
    examples = ["For example:", *lines, "Which one?"] if lines else []
    return "\n".join(["On which token? Give me a symbol, a name or an address.", *examples])


def report(done: list[Outcome]) -> str:
    """After another model broke off: what its tools did, and nothing more."""
    if not done:
        return "The other model broke off before it did anything. What should I do?"
    lines = [
        telling.reported(outcome.call.name, outcome.content)
        if outcome.failure is None
        else f"{outcome.call.name.replace('_', ' ')}: {outcome.failure}"
        for outcome in done
    ]
    return "\n".join(["The other model broke off. This is what was done:", *(f"- {line}" for line in lines)])


def bot_name(strategy: Json) -> str:
    """A short name that says what the strategy does: Dip buyer 5 %."""
    first = strategy["conditions"][0]
    if first["kind"] == "compare":
        return f"{str(first['left']['series']).replace('_', ' ').upper()} buyer"
    amount = plain(first.get("percent") or first.get("multiplier") or first.get("level") or 0)
    names = {
        "price_drop": f"Dip buyer {amount} %",
        "price_rise": f"Momentum buyer {amount} %",
        "volume_spike": f"Volume buyer {amount}x",
    }
    return names.get(first["kind"]) or f"Level buyer {first['direction']} {amount}"
