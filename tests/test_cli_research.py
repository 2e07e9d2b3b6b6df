"""`strategybot optimise` and `strategybot survey`, as a person runs them."""

import csv
import io
import json
from typing import Any

import numpy as np
import pytest

from tests.commands import Said, Terminal
from tests.registering import register

SOL = "So11111111111111111111111111111111111111112-solana"
STRATEGY = {
    "conditions": [{"kind": "price_drop", "percent": 1, "window": "5m"}],
    "risk_management": {"stop_loss_percent": 3, "max_holding": "1h"},
}
SWEEPS = ("--sweep", "conditions.0.percent=0.5:1.5:0.5", "--sweep", "stop_loss_percent=1,2")


def candles(count: int = 3000) -> str:
    close = 100 * np.exp(np.cumsum(np.random.default_rng(5).normal(0, 0.004, count)))
    rows = (f"{60 * i},{c},{c},{c},{c},1" for i, c in enumerate(close.tolist()))
    return "\n".join(["time,open,high,low,close,volume", *rows]) + "\n"


def searched(terminal: Terminal, *arguments: str, strategy: Any = STRATEGY) -> Said:
    files = ("--strategy", terminal.write("s.json", strategy), "--csv", terminal.write("c.csv", candles()))
    return terminal.run("optimise", *files, *arguments)


def test_a_search_of_own_candles_as_json_and_as_a_table_agrees_with_single_backtests(terminal: Terminal) -> None:
    said = searched(terminal, *SWEEPS, "--json", "--variants", "v.csv")
    assert (said.code, said.err) == (0, "")
    document = json.loads(said.out)
    assert len(document["variants"]) == 6
    assert document["walk_forward"]["trades"] > 0
    assert document["verdict"]["tries"] == 6
    variant = document["variants"][3]
    assert variant["parameters"] == {"conditions.0.percent": 1.0, "stop_loss_percent": 2.0}
    changed = {**STRATEGY, "risk_management": {**STRATEGY["risk_management"], "stop_loss_percent": 2}}  # type: ignore[dict-item]
    files = ("--strategy", terminal.write("s2.json", changed), "--csv", "c.csv", "--intrabar", "off", "--json")
    single = json.loads(terminal.run("backtest", *files).out)["metrics"]
    assert variant["total_trades"] == single["total_trades"] > 20
    assert variant["total_return"] == pytest.approx(single["total_return"], rel=1e-5)
    table = list(csv.DictReader(io.StringIO((terminal.folder / "v.csv").read_text())))
    assert [float(row["stop_loss_percent"]) for row in table] == [1, 2] * 3


def test_two_parameters_are_a_map_and_one_is_a_line_of_bars(terminal: Terminal) -> None:
    said = searched(terminal, *SWEEPS)
    assert said.code == 0
    assert "conditions.0.percent down, stop_loss_percent across" in said.out
    assert "On time it had not seen (walk-forward):" in said.out
    assert said.out.index("walk-forward") < said.out.index("chosen after the fact")
    assert said.out.count("[") == 1  # the recommended cell
    bars = searched(terminal, "--sweep", "stop_loss_percent=1:5:1")
    assert "█" in bars.out


@pytest.mark.parametrize(
    ("sweep", "words"),
    [
        ("conditions.0.percent", "must be PATH=FROM:TO:STEP"),
        ("conditions.0.percent=1:2", "must be PATH=FROM:TO:STEP"),
        ("conditions.0.percent=a b", "takes a number"),
        ("conditions.9.percent=1,2", "has 1 conditions"),
        ("conditions.0.kind=1,2", "neither a number nor a duration"),
        ("conditions.0.percent=1:100:0.01", "can have 1000"),
        ("max_holding=1,2", "takes a duration"),
        ("conditions.0.window=30m,90m,7m", ""),
    ],
)
def test_a_sweep_that_makes_no_sense_ends_in_a_sentence(terminal: Terminal, sweep: str, words: str) -> None:
    said = searched(terminal, "--sweep", sweep)
    assert said.code == (2 if words else 0)
    assert words in said.err


def test_a_survey_of_the_market_is_a_table_json_or_csv(terminal: Terminal) -> None:
    strategy = terminal.write(
        "s.json", {**STRATEGY, "conditions": [{"kind": "price_drop", "percent": 1, "window": "1h"}]}
    )
    asked = ("survey", "--strategy", strategy, "--interval", "15m", "--days", "10")
    shown = terminal.run(*asked, "--trending", "solana", "--limit", "2")
    assert shown.code == 0, shown.err
    assert "of the tokens made money" in shown.out
    document = json.loads(
        terminal.run(*asked, "--token", SOL, "--token", "nosuchtoken1111111111111111111111-solana", "--json").out
    )
    assert [row["error"] is None for row in document["rows"]] == [True, False]
    assert document["combined"]["failed"] == 1
    rows = terminal.folder / "rows.csv"
    assert terminal.run(*asked, "--token", SOL, "--rows", "rows.csv").code == 0
    table = list(csv.DictReader(io.StringIO(rows.read_text())))
    assert [row["token_id"] for row in table] == [SOL]


def test_a_survey_needs_tokens_or_a_chain(terminal: Terminal) -> None:
    strategy = terminal.write("s.json", STRATEGY)
    for extra in ((), ("--token", SOL, "--trending", "solana")):
        said = terminal.run("survey", "--strategy", strategy, *extra)
        assert said.code == 2
        assert "and not both" in said.err


SPAN = ("--start", "2026-01-01", "--end", "2026-01-20", "--interval", "1h")
ADA = ("--email", "ada@example.com")


def test_what_is_tried_with_an_email_is_counted_for_the_account(terminal: Terminal) -> None:
    register(terminal.data, "ada@example.com")
    dips = {
        "conditions": [{"kind": "price_drop", "percent": 1, "window": "4h"}],
        "risk_management": {"max_holding": "1d"},
    }
    file = ("--strategy", terminal.write("s.json", dips))

    def tries(command: str, *arguments: str) -> Any:
        said = terminal.run(command, *file, "--token", SOL, *SPAN, *arguments, "--json")
        assert (said.code, said.err) == (0, "")
        document = json.loads(said.out)
        return document["verdict"]["tries"], document["tries_counted"]

    assert tries("backtest", *ADA) == (1, True)
    assert tries("backtest", *ADA) == (1, True)
    assert tries("backtest", *ADA, "--fee", "0.2") == (2, True)
    assert tries("optimise", *ADA, "--sweep", "conditions.0.percent=1,2,3", "--minimum-trades", "1") == (5, True)
    assert tries("backtest", *ADA) == (5, True)
    assert tries("backtest") == (1, False)
    assert terminal.run("survey", *file, "--token", SOL, "--token", "PIPO", *SPAN, *ADA).code == 0
    assert tries("backtest", *ADA) == (6, True)


def test_without_an_email_it_says_that_nothing_is_counted(terminal: Terminal) -> None:
    file = ("--strategy", terminal.write("s.json", STRATEGY))
    survey = terminal.run("survey", *file, "--token", SOL, "--start", "2026-01-01", "--end", "2026-01-03")
    for said in (searched(terminal, *SWEEPS), survey, terminal.run("verdict", *file, "--csv", "c.csv")):
        assert "not counted" in said.out
    assert terminal.run("verdict", *file, "--token", SOL, *SPAN, "--email", "nobody@example.com").code == 2


PURSE: dict[str, Any] = {
    "conditions": [{"kind": "price_drop", "percent": 2, "window": "4h"}],
    "risk_management": {"stop_loss_percent": 5, "take_profit_percent": 4},
    "portfolio": {"max_open": 2},
}


def test_a_portfolio_of_the_market_is_a_table_or_json(terminal: Terminal) -> None:
    strategy = terminal.write("s.json", PURSE)
    asked = ("backtest", "--strategy", strategy, "--interval", "1h", "--days", "20")
    # --limit is about trending tokens alone.
    said = terminal.run(*asked, "--tokens", "SOL,PIPO,MOOG", "--limit", "2", "--chain", "solana")
    assert said.code == 0, said.err
    assert "The purse:" in said.out
    assert "These 3 tokens were chosen today." in " ".join(said.out.split())
    document = json.loads(terminal.run(*asked, "--trending", "solana", "--limit", "3", "--json").out)
    assert len(document["tokens"]) == 3
    total = sum(row["contribution_percent"] for row in document["tokens"])
    assert total == pytest.approx(document["metrics"]["total_return"], abs=1e-6)
    assert len(document["trades"]) == document["metrics"]["total_trades"]


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        (("--tokens", "SOL,SOL", "--chain", "solana"), "names a token twice"),
        (("--tokens", "SOL", "--trending", "solana"), "only one of them"),
        (("--tokens", "SOL", "--token", "PIPO"), "only one of them"),
        (("--tokens", "SOL", "--email", "a@example.com"), "counted by the server"),
        (("--trending", "solana", "--limit", "51"), "50 tokens"),
        (("--tokens", "SOL", "--png", "x.png"), "about one token"),
    ],
)
def test_what_a_portfolio_refuses(terminal: Terminal, extra: tuple[str, ...], words: str) -> None:
    said = terminal.run("backtest", "--strategy", terminal.write("s.json", PURSE), *extra)
    assert said.code == 2
    assert words in said.err
