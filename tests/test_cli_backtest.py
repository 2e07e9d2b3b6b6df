"""`strategybot backtest`, as a person runs it: market and own candles, tables, curve, chart, JSON and mistakes."""

import json
import os
import pty
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from strategybot.backtests.schemas import TradeView
from strategybot.runs.schemas import SignalView
from strategybot.terminal.own_candles import read_candles
from strategybot.terminal.report import ROWS
from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.metrics import METRICS
from strategybot.trading.engine.preparation import prepare
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.verdicts import METHOD
from tests.commands import Said, Terminal, command, environment, run
from tests.servers import free_port

SOL = "So11111111111111111111111111111111111111112"
DROP = {
    "conditions": [{"kind": "price_drop", "percent": 10, "window": "1m"}],
    "risk_management": {"stop_loss_percent": 10},
}
DIP = {
    "conditions": [{"kind": "price_drop", "percent": 2, "window": "4h"}],
    "risk_management": {"stop_loss_percent": 5, "take_profit_percent": 4},
}
SPAN = ("--start", "2026-01-01", "--end", "2026-02-01")
# The worked example of docs/engine.md.
CANDLES = """time,open,high,low,close,volume
0,100,100,100,100,1
60,100,100,90,90,1
120,90,95,88,92,1
180,92,92,80,85,1
"""


def own(terminal: Terminal, *arguments: str, strategy: Any = DROP, candles: str = CANDLES) -> Said:
    files = ("--strategy", terminal.write("s.json", strategy), "--csv", terminal.write("c.csv", candles))
    return terminal.run("backtest", *files, *arguments)


class TestOwnCandles:
    def test_the_worked_example_to_the_cent(self, terminal: Terminal) -> None:
        said = own(terminal, "--cash", "1000", "--json")
        assert (said.code, said.err) == (0, "")
        document = json.loads(said.out)
        (trade,) = document["trades"]
        assert trade["entry_price"] == pytest.approx(90.045)
        assert trade["exit_price"] == pytest.approx(81.0405 * 0.9995)
        assert trade["quantity"] == pytest.approx(1000 / (90.045 * 1.001))
        assert trade["pnl"] == pytest.approx(-102.25, abs=0.005)
        assert (trade["entry_time"], trade["exit_time"]) == ("1970-01-01T00:02:00Z", "1970-01-01T00:03:00Z")
        assert (document["kline_interval"], document["token"], document["chain"]) == ("1m", None, None)
        assert (document["start_time"], document["end_time"]) == ("1970-01-01T00:00:00Z", "1970-01-01T00:04:00Z")
        assert document["metrics"]["total_return"] == pytest.approx(-10.225, abs=0.0005)

    def test_free_of_costs_the_numbers_are_round(self, terminal: Terminal) -> None:
        said = own(terminal, "--cash", "900", "--fee", "0", "--slippage", "0", "--trades", "5")
        assert said.code == 0
        assert "bought" not in said.err
        assert "Total return        │ -10.00 %" in said.out
        assert "Final equity        │ 810.00" in said.out
        assert "1970-01-01 00:02   90   1970-01-01 00:03   81   -90.00   -10.00" in said.out
        assert "It made 1 trade and ended 10.0 % down; buying and holding would have ended 15.0 % down.\n" in said.out

    def test_a_start_lets_earlier_rows_warm_up(self, terminal: Terminal) -> None:
        said = own(terminal, "--start", "60", "--end", "180", "--json")
        document = json.loads(said.out)
        assert document["candles_processed"] == 2
        assert [signal["time"] for signal in document["signals"]] == [60]
        assert document["open_position"]["entry_time"] == "1970-01-01T00:02:00Z"
        assert "Data: 2 candles after 1 to warm up;" in own(terminal, "--start", "60", "--end", "180").out

    def test_days_are_the_last_ones_of_the_file(self, terminal: Terminal) -> None:
        document = json.loads(own(terminal, "--days", str(2 / 1440), "--json").out)
        assert document["candles_processed"] == 2

    def test_no_database_is_needed(self, terminal: Terminal) -> None:
        terminal.set("STRATEGYBOT_DATABASE_URL", "nonsense")
        assert own(terminal).code == 0
        assert not (terminal.folder / "data").exists()

    def test_a_span_outside_the_file_has_nothing_to_test(self, terminal: Terminal) -> None:
        assert own(terminal, "--start", "2030-01-01") == (1, "", "c.csv has no candles between --start and --end.\n")

    def test_json_is_what_the_engine_says(self, terminal: Terminal) -> None:
        document = json.loads(own(terminal, "--json", "--trades", "1").out)
        strategy = Strategy.model_validate(DROP)
        prepared = prepare(*read_candles(terminal.folder / "c.csv", None), 0)
        result = run_backtest(strategy, prepared.candles, Costs(), 10_000)
        assert document["metrics"] == result.metrics
        assert document["metric_notes"] == result.metric_notes
        assert document["equity_curve"] == [point._asdict() for point in result.equity_curve()]
        assert document["data_report"] == result.reported(prepared.report).model_dump()
        assert document["open_position"] is None
        assert document["strategy"] == strategy.model_dump()
        assert document["strategy_summary"] == strategy.summary
        assert document["trades"] == [
            TradeView.model_validate(row).model_dump(mode="json") for row in result.trades.page(0, 9)
        ]
        assert document["signals"] == [
            SignalView.model_validate(row).model_dump(mode="json") for row in result.signals.page(0, 9)
        ]

    def test_a_market_that_closes_is_traded_as_it_is_if_asked(self, terminal: Terminal) -> None:
        rows = [
            f"{day * 86_400 + 3600 * hour},{p},{p},{p},{p},1"
            for day in range(5)
            for hour, p in enumerate((100, 90, 95))
        ]
        candles = "\n".join(["time,open,high,low,close,volume", *rows]) + "\n"
        drop = {**DROP, "conditions": [{"kind": "price_drop", "percent": 9, "window": "1h"}]}
        filled = own(terminal, strategy=drop, candles=candles)
        assert "85 % of the candles were added where the file has none" in filled.out
        assert "--no-fill trades the file as it is" in filled.out
        plain = own(terminal, "--no-fill", strategy=drop, candles=candles)
        assert "Data: 15 candles" in plain.out
        assert "--no-fill" not in plain.out
        documents = [
            json.loads(own(terminal, *more, "--json", strategy=drop, candles=candles).out)
            for more in ((), ("--no-fill",))
        ]
        assert [each["candles_processed"] for each in documents] == [99, 15]
        assert [each["fill_note"] is None for each in documents] == [False, True]

    def test_a_few_missing_candles_are_filled_without_a_word(self, terminal: Terminal) -> None:
        rows = [f"{60 * i},100,100,100,100,1" for i in range(100) if i % 12]
        said = own(terminal, candles="\n".join(["time,open,high,low,close,volume", *rows]) + "\n")
        assert "empty buckets filled" in said.out
        assert "--no-fill" not in said.out

    def test_to_fill_nothing_is_about_own_candles(self, terminal: Terminal) -> None:
        files = ("--strategy", terminal.write("s.json", DROP), "--token", f"{SOL}-solana")
        said = terminal.run("backtest", *files, "--no-fill")
        assert (said.code, said.err) == (2, "--no-fill is about your own candles: give them with --csv.\n")


class TestVerdict:
    def test_it_is_that_of_the_backtest(self, terminal: Terminal) -> None:
        files = ("--strategy", terminal.write("s.json", DROP), "--csv", terminal.write("c.csv", CANDLES))
        said = terminal.run("verdict", *files, "--json")
        assert (said.code, said.err) == (0, "")
        assert json.loads(said.out) == json.loads(own(terminal, "--json").out)["verdict"]

    def test_it_is_said_in_words(self, terminal: Terminal) -> None:
        files = ("--strategy", terminal.write("s.json", DROP), "--csv", terminal.write("c.csv", CANDLES))
        said = terminal.run("verdict", *files)
        assert (said.code, said.out.splitlines()[0]) == (0, "Verdict: Loses money.")
        assert METHOD in " ".join(said.out.split())
        assert own(terminal).out.endswith(f"\n\n{said.out}")

    def test_a_mistake_is_one_sentence(self, terminal: Terminal) -> None:
        said = terminal.run("verdict", "--strategy", terminal.write("s.json", DROP))
        assert (said.code, said.out, len(said.err.splitlines())) == (2, "", 1)


class TestMarket:
    def test_a_backtest_runs_on_the_demo_market_end_to_end(self, terminal: Terminal) -> None:
        said = terminal.run("backtest", "--strategy", terminal.write("s.json", DIP), "--token", f"{SOL}-solana", *SPAN)
        assert (said.code, said.err) == (0, "")
        assert said.out.startswith("Buy when the price falls at least 2 % within 4h.")
        assert f"{SOL} on solana, 1h candles, 2026-01-01 00:00 to" in said.out
        assert "Data: 744 candles after 4 to warm up; nothing had to be put right." in said.out
        assert "–  CAGR needs 90 days, has 31." in said.out
        assert "⠒ equity   · buy and hold" in said.out
        assert "buying and holding would have ended" in said.out

    @pytest.mark.parametrize(
        "place",
        [
            ("--token", SOL, "--chain", "solana"),
            ("--token", f"{SOL}-solana", "--chain", "solana"),
            ("--chain", "solana"),
            (),
        ],
    )
    def test_the_token_may_be_named_in_several_ways(self, terminal: Terminal, place: tuple[str, ...]) -> None:
        bot = terminal.write("bot.json", {"name": "Dip", "token": SOL, "chain": "solana", "strategy": DIP})
        document = json.loads(terminal.run("backtest", "--strategy", bot, "--json", *place, *SPAN).out)
        assert (document["token"], document["chain"], document["candles_processed"]) == (SOL, "solana", 744)

    @pytest.mark.parametrize("symbol", ["SOL", "sol"])
    def test_a_token_is_found_by_its_symbol(self, terminal: Terminal, symbol: str) -> None:
        ask = ("--strategy", terminal.write("s.json", DIP), "--token", symbol, "--json", *SPAN)
        assert json.loads(terminal.run("backtest", *ask).out)["token"] == SOL

    def test_a_symbol_of_several_tokens_lists_them_or_takes_the_chain(self, terminal: Terminal) -> None:
        ask = ("--strategy", terminal.write("s.json", DIP), "--token", "WETH", *SPAN)
        said = terminal.run("backtest", *ask)
        assert (said.code, said.out) == (2, "")
        assert "tokens have the symbol WETH. Give --token with one of:" in said.err
        assert "Wrapped Ether on base" in said.err
        assert "0x4200000000000000000000000000000000000006-base" in said.err
        on_base = json.loads(terminal.run("backtest", *ask, "--chain", "base", "--json").out)
        assert on_base["chain"] == "base"

    def test_a_symbol_that_nothing_has(self, terminal: Terminal) -> None:
        said = terminal.run(
            "backtest", "--strategy", terminal.write("s.json", DIP), "--token", "NOPE", "--chain", "base"
        )
        sentence = "No token on base has the symbol NOPE. Give its address and --chain, or its token id.\n"
        assert said == (2, "", sentence)

    def test_days_count_back_from_the_end(self, terminal: Terminal) -> None:
        ask = ("--strategy", terminal.write("s.json", DIP), "--token", f"{SOL}-solana", "--json", "--days")
        assert json.loads(terminal.run("backtest", *ask, "60").out)["candles_processed"] == 1440
        ended = json.loads(terminal.run("backtest", *ask, "0.5", "--end", "2026-02-01").out)
        assert (ended["start_time"], ended["end_time"]) == ("2026-01-31T12:00:00Z", "2026-02-01T00:00:00Z")

    @pytest.mark.parametrize(("interval", "candles"), [("1h", 720), ("4h", 180)])
    def test_the_default_is_the_last_thirty_days_of_closed_candles(
        self, terminal: Terminal, interval: str, candles: int
    ) -> None:
        ask = ("--strategy", terminal.write("s.json", DIP), "--token", f"{SOL}-solana", "--interval", interval)
        assert json.loads(terminal.run("backtest", *ask, "--json").out)["candles_processed"] == candles

    def test_a_strategy_is_read_from_standard_input(self, terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(json.dumps(DROP).encode())))
        assert terminal.run("backtest", "--strategy", "-", "--csv", terminal.write("c.csv", CANDLES)).code == 0

    def test_stored_candles_give_the_same_result(self, terminal: Terminal) -> None:
        ask = ("--strategy", terminal.write("s.json", DIP), "--token", f"{SOL}-solana", "--interval", "1m", "--json")
        span = ("--start", "2026-01-01", "--end", "2026-01-12")
        first, again = (json.loads(terminal.run("backtest", *ask, *span).out) for _ in range(2))
        assert first["candles_processed"] == 11 * 1440
        del again["costs"]["liquidity_read_at"], first["costs"]["liquidity_read_at"]
        assert again == first

    def test_a_token_without_klines_is_reported(self, terminal: Terminal) -> None:
        said = terminal.run("backtest", "--strategy", terminal.write("s.json", DIP), "--token", "nothing-solana", *SPAN)
        assert said == (1, "", "The provider has no klines for nothing on solana.\n")

    def test_an_unreachable_provider_is_reported(self, terminal: Terminal) -> None:
        terminal.set("STRATEGYBOT_PROVIDER", "geckoterminal")
        terminal.set("STRATEGYBOT_GECKOTERMINAL_URL", f"http://127.0.0.1:{free_port()}")
        said = terminal.run("backtest", "--strategy", terminal.write("s.json", DIP), "--token", f"{SOL}-solana", *SPAN)
        assert (said.code, said.out) == (1, "")
        assert said.err.startswith("Failed to fetch klines: ")
        assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--cash", "0"), "--cash must be above 0."),
        (("--cash", "much"), "--cash must be a number."),
        (("--cash", "nan"), "--cash must be a finite number."),
        (("--fee", "-1"), "--fee must be at least 0."),
        (("--fee", "100", "--slippage", "x"), "--fee must be below 100; --slippage must be a number."),
        (("--interval", "2h"), "--interval must be '1m', '5m', '15m', '1h', '4h' or '1d'."),
        (("--start", "soon"), "--start must be ISO 8601 such as 2026-01-31 or 2026-01-31T12:00Z, or unix seconds."),
        (("--end", "-1"), "--end must be ISO 8601 such as 2026-01-31 or 2026-01-31T12:00Z, or unix seconds."),
        (("--start", "2026-02-01", "--end", "2026-02-01"), "--start must be before --end."),
        (("--start", "2999-01-01"), "--start must be in the past."),
        (("--start", "0", "--interval", "1m"), "candles; at most 10000000 can be tested at once."),
        (("--token", "../etc"), "--token has a form that is not allowed."),
        (("--token", "EQ-Ab_C"), "Say which chain EQ-Ab_C is on: --chain, or a token id such as ADDRESS-solana."),
        (("--token", "0xabc"), "Say which chain 0xabc is on: --chain, or a token id such as ADDRESS-solana."),
        (("--days", "0"), "--days must be above 0."),
        (("--days", "5", "--start", "2026-01-01"), "--start and --days both say where it begins; give one of them."),
        (("--chain", "Sol ana"), "--chain has a form that is not allowed."),
        (("--trades", "-1"), "--trades must be at least 0."),
        (("--trades", "all"), "--trades must be a whole number."),
        (("--csv", "none.csv"), "none.csv cannot be read: No such file or directory."),
        (("--strategy", "none.json"), "none.json cannot be read: No such file or directory."),
    ],
)  # fmt: skip
def test_a_mistake_is_one_clear_sentence(terminal: Terminal, options: tuple[str, ...], sentence: str) -> None:
    strategy = terminal.write("s.json", DIP)
    token = () if "--token" in options else ("--token", f"{SOL}-solana")
    said = terminal.run("backtest", "--strategy", strategy, *token, *options)
    assert (said.code, said.out) == (2, "")
    assert said.err.endswith(sentence + "\n")
    assert said.err.count("\n") == 1


def test_without_a_token_and_without_candles_it_says_what_is_missing(terminal: Terminal) -> None:
    said = terminal.run("backtest", "--strategy", terminal.write("s.json", DIP))
    assert said == (
        2,
        "",
        "Say what to test on: --token with an address or a token id, or --csv with your own candles.\n",
    )


@pytest.mark.parametrize(
    ("strategy", "sentence"),
    [
        ({"conditions": [{"kind": "price_drop", "percent": 0}]}, "conditions.0.percent must be above 0."),
        ({"conditions": []}, "conditions must have at least 1 item."),
        ({}, "conditions is required."),
        ({"conditions": [{"kind": "moon"}]}, "conditions.0.kind must be one of"),
        ({"conditions": [{"kind": "price_rise", "percent": 1, "window": "1y"}], "mood": "good"},
         "conditions.0.window must be a duration such as 15m, 1h or 2d, from 1m to 30d; mood is not a known field."),
        ({"name": "Bot", "strategy": {"conditions": [{"kind": "price_drop", "percent": 0}]}},
         "strategy.conditions.0.percent must be above 0."),
        ({"name": "Bot", "strategy": None}, "The bot has no strategy yet."),
        ([], "The strategy must be a JSON object."),
        ({"strategy": "buy low"}, "The strategy must be a JSON object."),
        ("{", "s.json is not valid JSON."),
        ("[" * 100_000, "s.json is not valid JSON."),
        ('{"conditions": [{"kind": "price_drop", "percent": NaN}]}', "conditions.0.percent must be"),
    ],
)  # fmt: skip
def test_an_invalid_strategy_is_reported_by_its_field(terminal: Terminal, strategy: Any, sentence: str) -> None:
    said = own(terminal, strategy=strategy)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(sentence)
    assert said.err.count("\n") == 1


class TestChart:
    def test_the_chart_is_a_png_of_a_sane_size(self, terminal: Terminal) -> None:
        said = own(terminal, "--png", "chart.png", "--json")
        assert (said.code, said.err) == (0, "")
        assert json.loads(said.out)["trades"]
        picture = (terminal.folder / "chart.png").read_bytes()
        width, height = (int.from_bytes(picture[place : place + 4], "big") for place in (16, 20))
        assert picture.startswith(b"\x89PNG\r\n\x1a\n")
        assert picture.endswith(b"IEND\xaeB`\x82")
        assert (width, height) == (1540, 990)
        assert 20_000 < len(picture) < 1_000_000

    def test_many_candles_and_an_open_position(self, terminal: Terminal) -> None:
        rows = "".join(f"{60 * i},{100 + i % 37 * (-1) ** i}\n" for i in range(9000))
        strategy = {"conditions": [{"kind": "price_level", "level": 1, "direction": "above", "trigger": "is"}]}
        said = own(terminal, "--png", "chart.png", strategy=strategy, candles="time,close\n" + rows)
        assert said.code == 0
        assert "It bought once and still holds: " in said.out
        assert (terminal.folder / "chart.png").stat().st_size > 20_000

    def test_a_file_that_cannot_be_written_is_reported(self, terminal: Terminal) -> None:
        said = own(terminal, "--png", "nowhere/chart.png")
        assert (said.code, said.err) == (2, "nowhere/chart.png cannot be written: No such file or directory.\n")

    def test_without_matplotlib_it_says_how_to_get_it(
        self, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("strategybot.terminal.chart.find_spec", lambda _: None)
        said = own(terminal, "--png", "chart.png")
        assert said == (2, "", "--png needs matplotlib; install it with: pip install 'strategybot[charts]'.\n")

    def test_matplotlib_is_not_loaded_unless_asked_for(self) -> None:
        look = "import sys, strategybot.cli; print('matplotlib' in sys.modules)"
        result = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True, timeout=60)
        assert result.stdout.strip() == "False"


class TestReport:
    def test_every_metric_has_a_row(self) -> None:
        errors = {"sharpe_error", "sortino_error"}  # in the rows of their ratios
        assert sorted(row.metric for row in ROWS) == sorted(METRICS.keys() - errors)

    def test_a_run_that_never_bought_says_so(self, terminal: Terminal) -> None:
        said = own(terminal, "--trades", "3", candles="time,close\n0,1\n60,1\n120,1\n", strategy=DROP)
        assert "Win rate            │ –  No trade was closed." in said.out
        assert "3 completed, 3 without a volume." in said.out
        assert (
            "It never bought: its conditions were never true. Buying and holding would have ended 0.1 % down."
            in said.out
        )

    def test_only_the_last_trades_are_listed(self, terminal: Terminal) -> None:
        rows = "".join(f"{60 * i},{close}\n" for i, close in enumerate([100, 80, 100, 60] * 5))
        quick = {**DROP, "risk_management": {"take_profit_percent": 5}}
        out = own(terminal, "--trades", "2", strategy=quick, candles="time,close\n" + rows).out
        listed = [line.split()[0] for line in out.splitlines() if " 1970-01-01 " in line and line.startswith("  ")]
        total = int(next(line for line in out.splitlines() if "│ Trades " in line).split("│")[2])
        assert total > 2
        assert listed == [str(total - 1), str(total)]

    def test_no_digit_of_a_small_price_is_cut_off(self, terminal: Terminal) -> None:
        terminal.set("COLUMNS", "60")
        rows = CANDLES.replace("100,", "0.0000000123456,").replace("90,", "0.0000000102345,")
        assert "…" not in own(terminal, "--trades", "3", candles=rows).out

    @pytest.mark.parametrize("columns", [1, 10, 25, 40, 60, 80, 120, 300])
    def test_it_fits_any_terminal(self, terminal: Terminal, columns: int) -> None:
        terminal.set("COLUMNS", str(columns))
        said = own(terminal, "--trades", "3")
        assert (said.code, said.err) == (0, "")
        if columns >= 40:
            assert max(map(len, said.out.splitlines())) <= columns
            assert len([line for line in said.out.splitlines() if " ┤" in line]) == 12

    def test_a_result_beyond_any_number_is_still_reported(self, terminal: Terminal) -> None:
        candles = "time,close\n0,1\n60,1e-300\n120,1e-300\n180,1e300\n240,1e300\n"
        said = own(terminal, "--trades", "3", candles=candles)
        assert said.code == 0
        assert "beyond any number" in said.out
        json.loads(own(terminal, "--json", candles=candles).out)


class TestProgress:
    def test_a_progress_bar_is_written_only_to_standard_error(self, terminal: Terminal) -> None:
        ask = ("--strategy", terminal.write("s.json", DIP), "--token", f"{SOL}-solana", "--json", *SPAN)
        screen, tty = pty.openpty()
        told = Path(terminal.folder) / "told.json"  # more than a pipe holds while the screen is read
        with (
            told.open("wb") as out,
            subprocess.Popen(
                command("backtest", *ask), env=environment(terminal.folder), cwd=terminal.folder, stdout=out, stderr=tty
            ) as process,
        ):
            os.close(tty)
            seen = _all_of(screen)
            process.wait(timeout=60)
        assert "Fetching candles" in seen
        assert "Testing" in seen
        assert json.loads(told.read_bytes())["candles_processed"] == 744

    def test_an_ascii_output_has_no_progress_bar_and_no_other_characters(self, terminal: Terminal) -> None:
        ask = ("--strategy", terminal.write("s.json", DIP), "--token", f"{SOL}-solana", *SPAN)
        result = run(terminal.folder, "backtest", *ask, PYTHONIOENCODING="ascii", FORCE_COLOR="1")
        assert (result.returncode, result.stderr) == (0, "")
        assert "Fetching" not in result.stdout
        assert "Total return" in result.stdout


def _all_of(screen: int) -> str:
    """Return everything that was written to the terminal until it was closed."""
    seen = b""
    try:
        while chunk := os.read(screen, 65_536):
            seen += chunk
    except OSError:  # Linux reports a closed terminal this way
        pass
    finally:
        os.close(screen)
    return seen.decode()


def test_help_tells_the_exit_codes(terminal: Terminal) -> None:
    said = terminal.run("backtest", "--help")
    for words in ("--strategy", "--token", "--csv", "--png", "--json", "Exit codes: 0", "or the whole file."):
        assert words in said.out
