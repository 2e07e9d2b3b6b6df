"""The metrics that a number can be about: their words in an answer, and their keys in tool results."""

import re
from collections.abc import Iterator
from typing import Any, Literal, get_args

from strategybot.conversations.receipts.numbers import WrittenNumber

Metric = Literal["buy_and_hold", "win_rate", "drawdown", "return", "trades", "fees", "slippage", "tax", "impact"]
COSTS: tuple[Metric, ...] = ("fees", "slippage", "tax", "impact")

_WORDS: dict[Metric, str] = {
    "buy_and_hold": "buy(?:ing)? (?:and|&) hold(?:ing)?(?: would have)?(?: (?:returned|made|gained|lost))?",
    "win_rate": "win[ -]rate",
    "drawdown": "drawdown",
    "return": "(?:returns?|profits?) (?:rises?|rose|falls?|fell|drops?|dropped|climbs?)|returns?|returned",
    "trades": "trades",
    "fees": "in fees|fees paid|paid in fees|total fees|fees (?:were|came to|took|cost)",
    "slippage": "in slippage|slippage paid",
    "tax": "in (?:token )?tax|tax paid",
    "impact": "in price impact|impact paid",
}
_KEYS: dict[Metric, re.Pattern[str]] = {
    "buy_and_hold": re.compile("buy_and_hold_return"),
    "win_rate": re.compile("win_rate"),
    "drawdown": re.compile("(?:.*_)?drawdown(?:_percent)?"),
    # Everything that says what was made or lost: of a run, of a trade, of all tokens together.
    "return": re.compile(
        "(?:.*_)?return(?:_.*)?|(?:.*_)?pnl(?:_percent)?|(?:best|worst)_trade_percent|average_(?:win|loss)_percent|"
        "expectancy_percent|cagr"
    ),
    "trades": re.compile("(?:.*_)?trades(?:_needed)?|exit_reasons|tries"),
    "fees": re.compile("fees_paid"),
    "slippage": re.compile("slippage_paid"),
    "tax": re.compile("tax_paid"),
    "impact": re.compile("impact_paid"),
}
_MONEY = re.compile("[$€£¥]")
_HOLDING = re.compile(r"\bhold(?:ing)?\b", re.IGNORECASE)
CUES_OF_METRICS = "|".join(f"(?P<{metric}>{_WORDS[metric]})" for metric in get_args(Metric))


def metric_of_key(key: str) -> Metric | None:
    """Return the metric that a key of a tool's result holds."""
    return next((metric for metric, keys in _KEYS.items() if keys.fullmatch(key)), None)


def speaks_of_holding(sentence: str) -> bool:
    return _HOLDING.search(sentence) is not None


def metrics_for(cue: str | None, number: WrittenNumber, of_holding: bool) -> tuple[Metric, ...]:
    """Return of which metrics a number beside this word must be. None are returned if the word names no metric, or one
    of another unit: “60 % of the trades” are no trades.
    """
    metric = next((each for each in _WORDS if each == cue), None)
    if metric is None or not _fits(metric, number):
        return ()
    if metric == "return" and of_holding:
        return "return", "buy_and_hold"
    if metric == "win_rate" and number.is_plain:
        return "win_rate", "trades"  # “a win rate of 60 % (3 of 5)”
    return (metric,)


def _fits(metric: Metric, number: WrittenNumber) -> bool:
    if metric == "trades":
        return number.is_plain
    return not number.is_percent if metric in COSTS else not _MONEY.search(number.text)


def derived_values(run: dict[str, Any]) -> Iterator[tuple[Metric, float]]:
    """Yield what follows from a run's own numbers: the profit in cash, the trades won and lost, and all costs."""
    try:
        metrics = run["metrics"]
        trades = metrics["total_trades"]
        won = round((metrics["win_rate"] or 0) * trades / 100)
        yield "trades", float(won)
        yield "trades", float(trades - won)
        yield "return", metrics["final_equity"] - run["initial_cash"]
        yield "fees", metrics["fees_paid"] + metrics["slippage_paid"]
        yield "fees", sum(metrics.get(f"{cost}_paid") or 0.0 for cost in COSTS)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return
