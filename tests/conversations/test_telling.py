"""What the assistant says about runs."""

import pytest

from strategybot.conversations.agent.run_reports import explain_last
from strategybot.conversations.agent.telling import error_words, optimisation_words, result_words, run_words
from strategybot.trading.words.verdicts import METHOD

SOL = "So11111111111111111111111111111111111111112"


def test_a_search_in_which_no_variant_traded_enough_says_so() -> None:
    run = {
        "status": "completed",
        "token": SOL,
        "chain": "solana",
        "minimum_trades": 20,
        "variants_done": 9,
        "variants_total": 9,
        "walk_forward": {"total_return": None, "trades": 0},
        "recommended": None,
        "best_in_sample": None,
    }
    said = optimisation_words(run)
    assert said.endswith("on solana closed 20 trades, so none is recommended.")
    assert said.startswith("None of the 9 variants on ")


@pytest.mark.parametrize(
    ("symbol", "called"),
    [("SOL", "SOL"), (None, "`So1111…1112`")],
)
def test_a_token_is_called_by_its_symbol_where_the_market_knows_it(symbol: str | None, called: str) -> None:
    run = {"status": "stopped", "token": SOL, "symbol": symbol, "chain": "solana"}
    assert result_words(run) == f"The backtest of {called} on solana was stopped before it was finished."


def test_who_asks_whether_to_trust_a_result_hears_what_is_tested() -> None:
    timing = {"in_percent": 12.0, "rise_in_percent": 3.0, "rise_out_percent": -1.0}
    verdict = {"headline": "Looks like luck", "sentence": "It is common.", "timing": timing}
    metrics = {"total_return": 1.0, "total_trades": 9}
    span = {"start_time": "2026-03-01T00:00:00Z", "end_time": "2026-03-06T00:00:00Z"}
    run = {"status": "completed", "token": SOL, "chain": "solana", "metrics": metrics, "verdict": verdict, **span}
    said = explain_last(["verdict"], run)
    moved = "The market rose 3.0 % while you were in and fell 1.0 % while you were out."
    assert said == f"Verdict: Looks like luck. It is common. {moved} {METHOD}"


def test_a_ratio_of_few_days_is_told_with_its_error() -> None:
    metrics = {"sharpe_ratio": 2.3, "sharpe_error": 4.3, "total_return": 1.0}
    assert [error_words(metrics, name) for name in metrics] == [" ± 4.30", "", ""]
    where = {
        "token": SOL,
        "chain": "solana",
        "kline_interval": "1h",
        "start_time": "2026-01-01",
        "end_time": "2026-01-31",
    }
    run = {**where, "status": "completed", "metrics": metrics, "metric_notes": None}
    assert "- Sharpe ratio: 2.30 ± 4.30" in run_words(run)


UNTESTED = "Nothing could be tested: EMA(200) needs 200 candles, this token has 120."


def test_that_nothing_could_be_tested_is_said_first_and_once() -> None:
    run = {
        "status": "completed",
        "token": SOL,
        "chain": "solana",
        "kline_interval": "1h",
        "start_time": "2026-03-01T00:00:00Z",
        "end_time": "2026-03-06T00:00:00Z",
        "metrics": {"total_return": 0.0, "total_trades": 0},
        "metric_notes": {},
        "warm_up_summary": "EMA(200) had 0 candles before the start instead of 4,399 and was never known.",
        "untested": UNTESTED,
        "verdict": {"headline": UNTESTED, "sentence": "It closed no trade."},
    }
    assert result_words(run).startswith(f"{UNTESTED} Over 1 Mar 2026 to 6 Mar 2026 on ")
    lines = [line for line in run_words(run).splitlines() if line]
    assert lines[1] == UNTESTED
    assert run["warm_up_summary"] in lines
    assert result_words(run).count(UNTESTED) == run_words(run).count(UNTESTED) == 1
