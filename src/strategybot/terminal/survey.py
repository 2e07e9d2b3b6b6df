"""`strategybot survey`: a strategy on many tokens of the market."""

import sys
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from strategybot.kit.clock import iso_text, system_clock
from strategybot.kit.errors import AppError
from strategybot.kit.json_object import Json
from strategybot.market.service import Market, NoKlines
from strategybot.surveys.rows import asked_token, combine, empty_row, return_of, survey_csv, tested_row
from strategybot.surveys.schemas import MOST_TOKENS
from strategybot.terminal.counting import count_survey
from strategybot.terminal.market_material import market_span, trending_tokens, with_market
from strategybot.terminal.output import (
    Tell,
    change_words,
    one_line,
    replace_encoding_errors,
    show_document,
    show_progress,
    write_table,
)
from strategybot.terminal.report import show_count
from strategybot.terminal.request import Instrument, Request
from strategybot.terminal.stop import NOTHING_TO_WORK_WITH, Stop
from strategybot.terminal.token_choice import chosen_instrument
from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import TooManyCandles
from strategybot.trading.engine.instruments import INTERVAL_SECONDS
from strategybot.trading.engine.preparation import prepare, warm_up_start
from strategybot.trading.evidence.strength import Sample
from strategybot.trading.evidence.verdict import sample_of
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.search.survey import Curve
from strategybot.trading.words.runs import source_note


class TokenTests:
    """The tokens that were tested so far."""

    def __init__(self, market: Market, strategy: Strategy, request: Request) -> None:
        self._market, self._strategy, self._request = market, strategy, request
        self.source = market.source
        self.interval, start, end = market_span(strategy, request)
        self.span = start, end
        self.rows: list[Json] = []
        self.tested: list[Instrument] = []
        self._samples: list[Sample] = []
        self._curves: list[Curve] = []

    async def test(self, tokens: list[Json], tell: Tell) -> None:
        for number, token in enumerate(tokens):
            row = empty_row(token)
            try:
                self.rows.append({**row, **await self._test(token)})
            except (AppError, TooManyCandles) as error:
                self.rows.append({**row, "error": str(error)})
            tell((number + 1) / len(tokens))

    async def _test(self, token: Json) -> Json:
        start, end = self.span
        token_id = f"{token['token']}-{token['chain']}"
        first = warm_up_start(start, self._strategy, INTERVAL_SECONDS[self.interval])
        found = await self._market.candles(token_id, self.interval, first, end, traded_from=start)
        ready = prepare(*found, start)
        if not ready.candles_to_trade:
            raise NoKlines(token["token"], token["chain"])
        asked_at, start = iso_text(system_clock()), ready.start_index
        costs = self._request.costs().read(await self._market.pool(token_id), asked_at)
        result = run_backtest(self._strategy, ready.candles, costs.traded(), self._request.cash, start_index=start)
        sample = sample_of(ready.candles, start, result)
        self.tested.append(Instrument(token["token"], token["chain"]))
        self._samples.append(sample)
        self._curves.append((result.equity_times, result.equity_values))
        return tested_row(result, sample, costs)

    def combine(self) -> Json:
        return combine(self.rows, self._samples, self._curves, self._request.cash)


def survey(
    strategy: Strategy,
    request: Request,
    tokens: list[str],
    trending: str | None,
    limit: int,
    table: Path | None,
    as_json: bool,
) -> None:
    """Test the strategy on each token, and print the table."""
    if bool(tokens) == (trending is not None):
        raise Stop("Say what to test on: --token once for each token, or --trending with a chain, and not both.")
    if max(len(tokens), limit) > MOST_TOKENS:
        raise Stop(f"A survey can have {MOST_TOKENS} tokens.")

    async def test(market: Market) -> TokenTests:
        done = TokenTests(market, strategy, request)
        found = await _tokens(market, request.chain, tokens, trending, limit)
        with show_progress(f"Testing {len(found)} tokens") as tell:
            await done.test(found, tell)
        return done

    done = with_market(test)
    count_survey(request, strategy, done.tested, done.interval, done.span)
    if all(row["metrics"] is None for row in done.rows):
        raise Stop(f"None of {len(done.rows)} tokens could be tested. {done.rows[0]['error']}", NOTHING_TO_WORK_WITH)
    done.rows.sort(key=return_of, reverse=True)
    if table is not None:
        write_table(table, survey_csv(done.rows, done.source))
    if as_json:
        show_document({"data_source": done.source, "rows": done.rows, "combined": done.combine()})
    else:
        replace_encoding_errors(sys.stdout)
        _show(strategy, done, Console())
        show_count(request.email is not None, Console())


async def _tokens(market: Market, chain: str | None, tokens: list[str], trending: str | None, limit: int) -> list[Json]:
    if trending is not None:
        return [asked_token(each) for each in await trending_tokens(market, trending, limit)]
    instruments: list[Instrument] = [await chosen_instrument(market.search, token, chain) for token in tokens]
    return [{"token": each.address, "chain": each.chain} for each in dict.fromkeys(instruments)]


def _show(strategy: Strategy, done: TokenTests, console: Console) -> None:
    console.print(Text(strategy.summary, style="bold"))
    if note := source_note(done.source):
        console.print(Text(note, style="yellow"))
    table = Table(box=SIMPLE_HEAD)
    for name in ("token", "return", "trades", "win rate", "drawdown", "p", "risk"):
        table.add_column(name, justify="left" if name in ("token", "risk") else "right")
    for row in done.rows:
        table.add_row(*_cells(row))
    console.print(table)
    together = done.combine()
    share, t = together["profitable_percent"], together["pooled_t"]
    console.print(Text(f"{share:.0f} % of the tokens made money, in {together['trades']} trades.", style="bold"))
    console.print(Text(f"The same cash in every token: {change_words(together['mean_return'])}"))
    if t is not None:
        console.print(Text(f"All trades together: t = {t:.2f}, p = {together['pooled_p']:.2f}."))


def _cells(row: Json) -> list[Text]:
    name = one_line(row["symbol"] or row["token"], 20)
    metrics = row["metrics"]
    if metrics is None:
        return [Text(name), Text(row["error"], style="dim")]
    win, fall = metrics["win_rate"], metrics["max_drawdown"]
    total = metrics["total_return"]
    return [
        Text(name),
        Text(change_words(total), style="green" if total is not None and total > 0 else "red"),
        Text(str(metrics["total_trades"])),
        Text("" if win is None else f"{win:.0f} %"),
        Text("" if fall is None else f"{fall:.1f} %"),
        Text("" if row["p"] is None else f"{row['p']:.2f}"),
        Text(row["risk_level"] or "unknown"),
    ]
