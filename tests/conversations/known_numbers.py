"""Numbers that tools have returned, and which of them a text repeats."""

from typing import Any

PIPO = "EE39wXdYhJ6qwZN9ueLAZoECEC1qt4LktWRRcatZvs8N"


RUN: dict[str, Any] = {
    "run_id": "01900000-0000-7000-8000-000000000042",
    "status": "completed",
    "progress": 100,
    "token": PIPO,
    "chain": "solana",
    "kline_interval": "15m",
    "start_time": "2026-10-16T00:00:00Z",
    "end_time": "2026-11-15T00:00:00Z",
    "initial_cash": 10_000.0,
    "metrics": {
        "total_return": -12.3456,
        "win_rate": 42.857142857,
        "max_drawdown": 18.04,
        "sharpe_ratio": 1.2345,
        "total_trades": 7,
        "final_equity": 8765.44,
        "buy_and_hold_return": 5.987,
        "fees_paid": 140.5,
    },
    "metric_notes": {"cagr": "CAGR needs 90 days, has 30."},
}


BOT: dict[str, Any] = {
    "bot": {"id": "01900000-0000-7000-8000-000000000077", "name": "Dip buyer 66 %", "token": PIPO, "chain": "solana"},
    "revision": 2,
    "strategy": {"risk_management": {"stop_loss_percent": 3, "take_profit_percent": 33}},
    "summary": "Buy when the price falls at least 8 % within 1h. Sell at a 3 % loss (stop loss), or at a 33 % gain "
    "(take profit).",
}


def found(result: Any, **arguments: Any) -> dict[str, Any]:
    return {"name": "some_tool", "arguments": arguments, "result": result}


KNOWN = [found(BOT), found(RUN)]
