"""The row of each token of a survey and the combined result, as they are stored."""

from collections.abc import Sequence

from strategybot.kit.csv_text import csv_text
from strategybot.kit.json_object import Json
from strategybot.market.schemas import Token
from strategybot.trading.engine.backtest import BacktestResult
from strategybot.trading.engine.run_costs import RunCosts
from strategybot.trading.evidence.strength import Sample
from strategybot.trading.search.survey import Curve, equal_weight, pool, thin, told
from strategybot.trading.words.costs import Traded, cost_notes
from strategybot.trading.words.numbers import finite
from strategybot.trading.words.runs import source_words

SPARKLINE_POINTS, CURVE_POINTS = 60, 200
CSV_METRICS = ("total_return", "win_rate", "max_drawdown", "total_trades", "expectancy_percent", "buy_and_hold_return")
CSV_OTHERS = ("average_entry_percent", "t", "p", "good", "risk_level", "error")


def combine(rows: Sequence[Json], samples: Sequence[Sample], curves: Sequence[Curve], initial_cash: float) -> Json:
    tested = [row for row in rows if row["metrics"] is not None]
    returns = [(row["metrics"]["total_return"], row["token_id"]) for row in tested]
    known = sorted((total, token_id) for total, token_id in returns if total is not None)
    best, worst = (known[-1], known[0]) if known else (None, None)
    together = pool(samples)
    curve = equal_weight(curves, initial_cash, CURVE_POINTS)
    mean = 100 * (float(curve[1][-1]) / initial_cash - 1) if len(curve[1]) else None
    return {
        "tokens": len(rows),
        "failed": len(rows) - len(tested),
        "profitable_percent": 100 * sum(total > 0 for total, _ in known) / len(known) if known else None,
        "trades": together.trades,
        "pooled_t": together.t,
        "pooled_p": together.p,
        "best": best and {"total_return": best[0], "token_id": best[1]},
        "worst": worst and {"total_return": worst[0], "token_id": worst[1]},
        "mean_return": None if mean is None else finite(mean),
        "equity_curve": _points(curve),
    }


def asked_token(token: Token) -> Json:
    """Return a token of the market as a survey stores the tokens it is to test."""
    return {"token": token.address, "chain": token.chain, "symbol": token.symbol}


def empty_row(token: Json) -> Json:
    return {
        "token_id": f"{token['token']}-{token['chain']}",
        "token": token["token"],
        "chain": token["chain"],
        "symbol": token.get("symbol"),
        "error": None,
        "metrics": None,
        "trades": None,
        "average_entry_percent": None,
        "t": None,
        "p": None,
        "good": None,
        "risk_level": None,
        "costs": None,
        "cost_notes": [],
        "sparkline": [],
    }


def tested_row(result: BacktestResult, sample: Sample, costs: RunCosts | None) -> Json:
    t, p = told(sample.strength)
    return {
        "metrics": result.metrics,
        "trades": len(sample),
        "t": t,
        "p": p,
        "good": sample.good,
        "risk_level": None if costs is None else costs.risk_level,
        "costs": None if costs is None else costs.model_dump(mode="json"),
        "cost_notes": cost_notes(costs, result.metrics, traded=Traded(result.trades.strategy, result.initial_cash)),
        "sparkline": _points(thin((result.equity_times, result.equity_values), SPARKLINE_POINTS)),
    }


def return_of(row: Json) -> float:
    """Return the total return of the row, by which rows are sorted; minus infinity if it is unknown."""
    total = row["metrics"] and row["metrics"]["total_return"]
    return float("-inf") if total is None else float(total)


def survey_csv(rows: Sequence[Json], data_source: str | None) -> str:
    """Return a line for each token, without its symbol: anyone can choose one, and a spreadsheet may run it."""
    lines: list[list[object]] = [["token_id", *CSV_METRICS, *CSV_OTHERS, "data_source"]]
    for row in rows:
        metrics = row["metrics"] or {}
        numbers = [*(metrics.get(name) for name in CSV_METRICS), *(row[name] for name in CSV_OTHERS)]
        lines.append([row["token_id"], *numbers, source_words(data_source)])
    return csv_text(lines)


def _points(curve: Curve) -> list[Json]:
    pairs = zip(curve[0].tolist(), curve[1].tolist(), strict=True)
    return [{"time": time, "equity": finite(equity)} for time, equity in pairs]
