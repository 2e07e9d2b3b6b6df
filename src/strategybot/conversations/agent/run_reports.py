"""What a run did, as text: why it won or lost, its trades, how two runs differ, and what a simulation waits for."""

from collections.abc import Iterator, Sequence

from strategybot.conversations.agent import telling
from strategybot.conversations.agent.telling import figure, gained, money
from strategybot.kit.json_object import Json
from strategybot.trading.words.numbers import price_words
from strategybot.trading.words.runs import source_note
from strategybot.trading.words.verdicts import timing

MOST_TRADES = 10
SETUP = ("token", "chain", "kline_interval", "start_time", "end_time", "initial_cash", "pool_costs")
ONE_RUN = "There are no two completed backtests to compare yet. Shall I run one? Say “backtest it”."
NO_VERDICT = "There is no verdict on this run yet. A good past result is no promise."


def explain_last(topics: Sequence[str], run: Json) -> str:
    """Return what the last backtest says about the topics; without a topic of its own, its result."""
    result, metrics = telling.result_words(run), run.get("metrics") or {}
    trades = metrics.get("total_trades")
    words = dict.fromkeys(("best", "worst", "how_many"), telling.trades_words(metrics))
    for each in ("best", "worst") if trades else ():
        words[each] = f"The {each} trade {gained(metrics.get(f'{each}_trade_percent'))}."
    *costs, last = _costs_paid(metrics)
    words["costs"] = f"It paid {', '.join(costs)} and {last}."
    graded = " ".join(filter(None, (telling.verdict_words(run), _timing_words(run), telling.method_words(run))))
    words["verdict"] = graded or NO_VERDICT
    words["why"] = " ".join(
        [result, *_reasons(metrics), *(words[each] for each in ("best", "worst", "costs") if trades)]
    )
    return " ".join(words[topic] for topic in topics if topic in words and metrics) or result


def _costs_paid(metrics: Json) -> Iterator[str]:
    """Yield what a run paid; tax and price impact only if there were any."""
    for name, label in (("fees_paid", "fees"), ("slippage_paid", "slippage")):
        yield f"{money(metrics.get(name))} in {label}"
    for name, label in (("tax_paid", "token tax"), ("impact_paid", "price impact")):
        if metrics.get(name):
            yield f"{money(metrics[name])} in {label}"


def _timing_words(run: Json) -> str:
    found = (run.get("verdict") or {}).get("timing") or {}
    if not found or not (run.get("metrics") or {}).get("total_trades"):
        return ""
    return timing(found.get("rise_in_percent"), found.get("rise_out_percent"), found.get("in_percent", 50))


def _reasons(metrics: Json) -> Iterator[str]:
    """Yield what an average win and loss brought, and how most trades were closed."""
    for name, did in (("average_win_percent", "win made"), ("average_loss_percent", "loss lost")):
        if metrics.get(name) is not None:
            yield f"An average {did} {figure(abs(metrics[name]))} %."
    if reasons := metrics.get("exit_reasons"):
        most = max(reasons, key=lambda name: int(reasons[name]))
        yield f"Most exits ({reasons[most]}) were by {most.replace('_', ' ')}."


def compare_last(backtests: Sequence[Json]) -> str:
    """Return the last two completed backtests side by side, and in which settings they differ."""
    runs = [run for run in backtests if run.get("metrics")]
    if len(runs) < 2:
        return ONE_RUN
    older, newer = runs[-2:]
    lines = ["The last two backtests:"]
    for name, label, unit in telling.HEADLINES:
        now, then = (run["metrics"].get(name) for run in (newer, older))
        if now is not None and then is not None:
            errors = (telling.error_words(run["metrics"], name) for run in (newer, older))
            new, old = (f"{figure(value)}{error}{unit}" for value, error in zip((now, then), errors, strict=True))
            lines.append(f"- {label}: {new} now, {old} before")
            if name == "total_return" and now != then:
                lines.append(f"- The {'newer' if now > then else 'older'} run did better.")
    differs = [name.replace("_", " ") for name in SETUP if newer.get(name) != older.get(name)]
    note = f"The runs also differ in {', '.join(differs)}, so they are not the same test."
    return "\n".join([*lines, *([note] if differs else [])])


def describe_trades(page: Json) -> str:
    lines = [
        f"- {trade['number']}: {trade['entry_time'][:16]} to {trade['exit_time'][:16]}, "
        f"{gained(trade['pnl_percent'])} ({str(trade['exit_reason']).replace('_', ' ')})".replace("T", " ")
        for trade in (page.get("trades") or [])[-MOST_TRADES:]
    ]
    opening = f"The last {len(lines)} of {page['total_trades']} trades:"
    return "\n".join([opening, *lines]) if lines else "The last backtest closed no trade."


def status(run: Json) -> str:
    portfolio, last = run["portfolio"], (run.get("trade_log") or [{}])[-1]
    value, percent, held = (portfolio.get(name) for name in ("total_value", "pnl_percent", "entry_price"))
    where = f"{telling.traded_words(run)} on {run['chain']}, {run['kline_interval']} candles"
    done = f"{run['candles_processed']} of {run['candles_total']} candles are done."
    sentences = (
        f"The simulation runs on {where}, {run['mode']}; {done}",
        "" if value is None else f"It is worth {money(value)}.",
        "" if percent is None else f"It {gained(percent)} so far.",
        "It holds no position." if held is None else f"It holds a position bought at {price_words(held)}.",
        f"At the last candle: {last['reason'].rstrip('.')}." if last.get("reason") else "",
        source_note(run.get("data_source")),
    )
    return " ".join(filter(None, sentences))


def explain_hold(run: Json) -> str:
    """Return why the simulation did what it did at its last candle, and what its next trade waits for."""
    if not run.get("trade_log"):
        return "The simulation has processed no candle yet. Ask me again in a moment."
    last = run["trade_log"][-1]
    did = {"BUY": "bought", "SELL": "sold"}.get(str(last["action"]), "did nothing")
    rules = run.get("next_entry") or run.get("next_exit") or []
    opening = "What the next purchase waits for" if run.get("next_entry") else "What could end the position"
    lines = [f"- {rule['condition']}: {rule['sentence']}" for rule in rules]
    told = f"At the last candle it {did}: {str(last['reason']).rstrip('.')}."
    return "\n".join([f"{told} {opening}:", "", *lines]) if rules else told
