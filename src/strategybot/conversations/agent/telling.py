"""Tool results as sentences, for answers that no language model writes."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from strategybot.conversations.hygiene import clean_text, plain_name
from strategybot.kit.json_object import Json
from strategybot.trading.language.values import plain
from strategybot.trading.words.costs import WHAT_A_RESULT_LACKS, without_pool_words
from strategybot.trading.words.numbers import counted, gain_words, price_words, rounded
from strategybot.trading.words.runs import source_note
from strategybot.trading.words.verdicts import METHOD

HEADLINES = (
    ("total_return", "Return", " %"),
    ("buy_and_hold_return", "Buy and hold", " %"),
    ("max_drawdown", "Deepest drawdown", " %"),
    ("win_rate", "Win rate", " %"),
    ("sharpe_ratio", "Sharpe ratio", ""),
    ("total_trades", "Trades", ""),
)
LONGEST_ADDRESS = 16
MOST_ROWS = 10
UNFINISHED = ("pending", "running")
STILL_RUNNING = "It is still running. Ask me “how did it go?” in a moment."


def strategy_words(facts: Json) -> str:
    name = plain_name(facts["bot"]["name"])
    return f"**{name}**: {facts['summary']}" if facts["summary"] else f"**{name}** has no strategy yet."


def described(facts: Json) -> str:
    """Return the same for the middle of a sentence."""
    name = plain_name(facts["bot"]["name"])
    return strategy_words(facts) if facts["summary"] else f"**{name}**, which has no strategy yet."


def token_words(token: str | None) -> str:
    """Return the address of a token in short."""
    if token is None:
        return "its token"
    address = token.rsplit("-", 1)[0]
    return f"`{address[:6]}…{address[-4:]}`" if len(address) > LONGEST_ADDRESS else f"`{address}`"


def traded_words(run: Json) -> str:
    """Return the symbol of the token that a run trades, or its address where the market knows none."""
    return run.get("symbol") or token_words(run.get("token"))


def run_words(run: Json) -> str:
    where = (
        f"{traded_words(run)} on {run['chain']}, {run['kline_interval']} candles, {_day(run['start_time'])} to "
        + _day(run["end_time"])
    )
    if run["status"] == "completed":
        # Why nothing could be tested is also the headline of the verdict.
        untested = run.get("untested")
        opening, verdict = [untested, ""] if untested else [], "" if untested else verdict_words(run)
        found = [*opening, *_metric_lines(run), *_note_lines(run), *(["", verdict] if verdict else [])]
        return "\n".join([f"Tested on {where}:", "", *found])
    if run["status"] == "failed":
        return f"The backtest on {where} failed: {run['error']}"
    if run["status"] == "stopped":
        return f"The backtest on {where} was stopped."
    return f"The backtest on {where} is at {rounded(run['progress'], 3)} %. {STILL_RUNNING}"


def simulation_words(run: Json) -> str:
    where = f"{traded_words(run)} on {run['chain']}, {run['kline_interval']} candles, {run['mode']}"
    if run["status"] == "running":
        return f"The simulation runs on {where}, one step every {run['check_interval']} seconds. `/stop` ends it."
    if run["status"] == "paused":
        return f"The simulation on {where} is paused. `/stop` ends it."
    value = run["portfolio"]["total_value"]
    worth = "" if value is None else f"It ended with a total value of {value:,.2f}."
    return " ".join(
        filter(None, (f"The simulation on {where} is stopped.", worth, worth and source_note(run.get("data_source"))))
    )


def tokens_words(tokens: list[Json]) -> str:
    return "\n".join(
        f"- **{token['symbol']}** {token['name']} on {token['chain']}{_price_words(token)}: `{token['token_id']}`"
        for token in tokens
    )


def price_line(token: Json, price: Json) -> str:
    change = price["price_change_24h_percent"]
    moved = "" if change is None else f", {gain_words(change)} in 24 hours"
    return f"**{token['symbol']}** on {token['chain']} is at ${price_words(price['price_usd'])}{moved}."


def risk_words(risk: Json) -> str:
    score = "" if risk["risk_score"] is None else f" (score {rounded(risk['risk_score'], 3)} of 100)"
    lines = [f"The risk is **{risk['risk_level']}**{score}."]
    return "\n".join([*lines, *(f"- {warning}" for warning in risk["warnings"])])


def bots_words(facts: Json) -> str:
    lines = [
        f"- **{plain_name(bot['name'])}**{' (linked)' if bot['linked'] else ''}: {bot['summary'] or 'no strategy yet'}"
        for bot in facts["bots"]
    ]
    more = facts["total_bots"] - len(lines)
    return "\n".join([*lines, *([f"- … and {more} more"] if more else [])])


def own_bots(facts: Json) -> str:
    """Return the list of the user's bots; empty if there is none."""
    return f"Your bots:\n{bots_words(facts)}" if facts.get("bots") else ""


def verdict_words(run: Json) -> str:
    """Return the verdict of a run; an empty text if there is none yet."""
    verdict = run.get("verdict")
    return f"Verdict: {verdict['headline'].rstrip('.')}. {verdict['sentence']}" if verdict else ""


def method_words(run: Json) -> str:
    """Return how the verdict is found; an empty text without one."""
    return METHOD if (run.get("verdict") or {}).get("timing") else ""


def _note_lines(run: Json) -> list[str]:
    """Return what a reader must know about the result: its costs and prices, late series, exits and guards."""
    names = ("warm_up_summary", "fills_summary", "guards_summary")
    costs = " ".join(_sentence(note) for note in run.get("cost_notes") or [])
    notes = (costs, source_note(run.get("data_source")), *(run.get(name) for name in names))
    return [line for note in notes if note for line in ("", note)]


def _sentence(note: str) -> str:
    return note if note.endswith(".") else f"{note}."


def _metric_lines(run: Json) -> list[str]:
    metrics, notes = run["metrics"], run["metric_notes"] or {}
    return [
        _metric_line(label, metrics.get(name), f"{error_words(metrics, name)}{unit}", notes.get(name))
        for name, label, unit in HEADLINES
    ]


def _metric_line(label: str, value: float | None, rest: str, note: str | None) -> str:
    if value is None:
        return f"- {label}: unknown{f' ({note})' if note else ''}"
    return f"- {label}: {value if isinstance(value, int) else f'{value:.2f}'}{rest}"


def error_words(metrics: Json, name: str) -> str:
    """Return " ± 4.3" for a ratio of few days; an empty text for any other metric."""
    error = metrics.get(f"{name.removesuffix('_ratio')}_error")
    return "" if error is None else f" ± {error:.2f}"


def _price_words(token: Json) -> str:
    return "" if token.get("price_usd") is None else f", ${price_words(token['price_usd'])}"


def _day(moment: str) -> str:
    return f"{datetime.fromisoformat(moment):%-d %b %Y}"


def reported(tool: str, result: Any, failure: str | None = None) -> str:
    """Return what a tool did, in one line."""
    facts = result if isinstance(result, dict) else {}
    name = tool.replace("_", " ")
    if failure is not None:
        return f"{name}: {failure}"
    if tool in RUNS_TOLD:
        return RUNS_TOLD[tool](facts)
    return f"{name}: {facts['summary']}" if facts.get("summary") else f"{name}: done."


LONGEST_LINE = 400
MOST_NAMED = 4


def in_one_line(tool: str, result: Any) -> str:
    """Return the result of a tool as the line that stands for it once a conversation has gone on."""
    if isinstance(result, str) and len(result) <= LONGEST_LINE:
        return result
    if isinstance(result, list):  # tokens
        named = [f"{row.get('symbol')} {row.get('token_id')}" for row in result[:MOST_NAMED] if isinstance(row, dict)]
        line = f"{len(result)} found: {', '.join(named)}"
    elif isinstance(result, dict) and isinstance(result.get("bots"), list):
        names = [str(bot.get("name")) for bot in result["bots"]]
        line = f"{counted(len(names), 'bot')}: {', '.join(names)}"
    elif isinstance(result, dict):
        line = reported(tool, result)
    else:
        line = str(result)
    return f"(shortened) {clean_text(line, LONGEST_LINE)}"


def result_words(run: Json) -> str:
    """Return a backtest as a few sentences."""
    where = f"{traded_words(run)} on {run.get('chain')}"
    status, metrics = run.get("status"), run.get("metrics")
    if status == "failed":
        return f"The backtest of {where} failed: {run.get('error')}"
    if status == "stopped":
        return f"The backtest of {where} was stopped before it was finished."
    if status != "completed" or not metrics:
        return f"The backtest of {where} is still running. Ask me “how did it go?” in a moment."
    span = f"{_day(run['start_time'])} to {_day(run['end_time'])}"
    opening = f"Over {span} on {where} ({run.get('kline_interval')} candles) the strategy "
    words, untested = opening + " ".join(_metric_sentences(run, metrics)), run.get("untested")
    if untested:
        return f"{untested} {words}"
    costs = [each for each in run.get("cost_notes") or [] if each in WHAT_A_RESULT_LACKS]
    plain = map(_sentence, without_pool_words(metrics))
    return " ".join(filter(None, (words, *costs, *plain, source_note(run.get("data_source")), verdict_words(run))))


def _metric_sentences(run: Json, metrics: Json) -> list[str]:
    hold = metrics.get("buy_and_hold_return")
    closed = run.get("no_trade_reason") or trades_words(metrics)
    sentences = [f"{gained(metrics.get('total_return'))}.", closed]
    if metrics.get("max_drawdown") is not None:
        sentences.append(f"The deepest drawdown was {figure(metrics['max_drawdown'])} %.")
    if hold is not None:
        sentences.append(f"Buying and holding would have {gained(hold)}.")
    return sentences


def trades_words(metrics: Json) -> str:
    """Return how many trades a run closed, and how many of them it won."""
    trades, won = metrics.get("total_trades"), metrics.get("win_rate")
    if not trades:
        return "It closed no trade."
    rate = "" if won is None else f" and won {figure(won)} % of them"
    return f"It closed {counted(trades, 'trade')}{rate}."


def gained(percent: float | None) -> str:
    if percent is None:
        return "made an unknown return"
    return f"{'lost' if percent < 0 else 'made'} {figure(abs(percent))} %"


def figure(number: float) -> str:
    """Return a count as it is, and any other number with two decimals, as everywhere in the app."""
    return str(number) if isinstance(number, int) else f"{number:,.2f}"


def money(amount: float | None) -> str:
    return "an unknown amount" if amount is None else f"${amount:,.2f}"


def optimisation_words(run: Json) -> str:
    """Return a search as a few sentences: first the walk-forward return, last the best in hindsight."""
    where = f"{traded_words(run)} on {run.get('chain')}"
    done = f"{run.get('variants_done')} of {run.get('variants_total')} variants"
    if run.get("status") in UNFINISHED:
        return f"The search on {where} is still running: {done} are done. The page of the bot shows the result."
    walk, chosen, best = run.get("walk_forward"), run.get("recommended"), run.get("best_in_sample")
    if run.get("status") == "completed" and not chosen:
        closed = f"closed {run.get('minimum_trades')} trades"
        return f"None of the {run.get('variants_total')} variants on {where} {closed}, so none is recommended."
    if not walk or not chosen or not best:
        reason = f": {run['error']}" if run.get("error") else " before a choice could be made."
        return f"The search on {where} ended{reason} {done.capitalize()} were run."
    seen = "has too few trades to be tested on time it had not seen"
    if walk["total_return"] is not None:
        seen = f"{gained(walk['total_return'])} on time it had not seen (walk-forward, {walk['trades']} trades)"
    sentences = [f"Choosing among {run.get('variants_total')} variants on {where} {seen}."]
    sentences.append(run.get("not_recommended") or f"Its choice is {_point_words(chosen)}.")
    if best["parameters"] != chosen["parameters"]:
        sentences.append(f"The best in hindsight, from which less can be expected, is {_point_words(best)}.")
    return " ".join(filter(None, (*sentences, verdict_words(run))))


def _point_words(point: Json) -> str:
    values = " and ".join(_value_words(path, value) for path, value in point["parameters"].items())
    metrics = point["metrics"]
    return f"{values}: it {gained(metrics['total_return'])} in {metrics['total_trades']} trades of the searched time"


def _value_words(path: str, value: float | str) -> str:
    """Return a value with the name of its path: 7 in `conditions.0.left.period` is "period of condition 1 = 7"."""
    steps = path.split(".")
    number = next((int(step) for step in steps if step.isdigit()), None)
    name = {"right": "value", "percent": "move"}.get(steps[-1], steps[-1].removesuffix("_percent").replace("_", " "))
    side = "exit condition" if steps[0].startswith("exit") else "condition"
    where = "" if number is None else f" of {side} {number + 1}"
    return (
        f"{name}{where} = {value if isinstance(value, str) else plain(value)}{' %' if 'percent' in steps[-1] else ''}"
    )


def survey_words(run: Json) -> str:
    """Return a survey as text: all tokens together, then a line for each of the first ones."""
    combined, rows = run.get("combined"), run.get("rows") or []
    if run.get("status") in UNFINISHED:
        done = f"{run.get('tokens_done')} of {run.get('tokens_total')} tokens are done"
        return f"The survey is still running: {done}. The page of the bot shows the result."
    if not combined or combined["profitable_percent"] is None:
        return f"The survey ended without a result. {run.get('error') or ''}".strip()
    share, mean = f"{combined['profitable_percent']:.0f}", combined["mean_return"]
    opening = f"It made money on {share} % of {combined['tokens']} tokens, with {combined['trades']} trades in all."
    together = "" if mean is None else f" The same cash in each of them {gained(mean)}."
    lines = [_survey_line(row) for row in rows[:MOST_ROWS]]
    return "\n".join([opening + together, *lines])


def _survey_line(row: Json) -> str:
    name = row.get("symbol") or token_words(row.get("token_id"))
    metrics = row.get("metrics")
    if not metrics:
        return f"- {name}: {row.get('error') or 'no result'}"
    return f"- {name}: {gained(metrics['total_return'])} in {metrics['total_trades']} trades"


def watch_words(run: Json) -> str:
    """Return a watch as text: what it follows, and what it waits for."""
    names = ", ".join(traded_words(each) for each in run["tokens"])
    told = f"I watch {names} on {run['kline_interval']} candles and tell you by the bell each time that it would buy."
    entry = str(run["strategy_summary"]).partition(". ")[0].rstrip(".")  # how it would sell does not matter to a watch
    return f"{told} Nothing is traded. {entry}."


RUNS_TOLD: dict[str, Callable[[Json], str]] = {
    "run_backtest": result_words,
    "get_backtest": result_words,
    "optimise": optimisation_words,
    "survey": survey_words,
    "start_watch": watch_words,
}


def changed_words(facts: Json, fresh: bool, notes: Sequence[str] = ()) -> str:
    """Return what was changed and what can be done next. The web app tests or shows a first strategy itself."""
    begun = f"I made the bot **{plain_name((facts.get('bot') or {}).get('name'))}**." if fresh else "Done."
    left, undo = facts.get("backtests_left"), "" if fresh else ", or “undo” to take this back"
    if not facts.get("summary"):
        return f"{begun} It has no strategy now. When should it buy, and when should it sell?"
    if left == 0:
        offer = f"You can change it further{undo}. To test it again, sign up: it is free."
    elif left is not None:
        offer = "The chart shows where it would have bought lately."
    elif fresh or facts.get("before", True) is None:
        offer = "A backtest shows what it would have done."
    else:
        offer = f"Shall I test it? Say “backtest it”{undo}."
    return " ".join((begun, facts["summary"], *notes, offer))


def found_words(tokens: list[Json], query: str) -> str:
    """Return what a search found, or that it found nothing."""
    if not tokens:
        return f"I found no token for “{plain_name(query)}”. Is there another name or an address for it?"
    opening = f"This is what I found for “{plain_name(query)}”" if query else "This is what trends now"
    return f"{opening}:\n{tokens_words(tokens[:5])}"


def which_token_words(tokens: list[Json]) -> str:
    """Ask for a token, with some as examples."""
    lines = [f"- {token['symbol']} ({token['name']}) on {token['chain']}" for token in tokens[:4]]
    examples = ["For example:", *lines, "Which one?"] if lines else []
    return "\n".join(["On which token? Give me a symbol, a name or an address.", *examples])


def risk_line(token: Json, risk: Json) -> str:
    return f"{token['symbol']} on {token['chain']}: {risk_words(risk)}"
