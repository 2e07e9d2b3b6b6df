"""Verification of a simulation of many tokens: the portfolio engine and a new session over the candles it has seen."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import numpy as np

from strategybot.simulations.parity import of_fields, of_rows, parity_view
from strategybot.simulations.schemas import Difference, ParityView
from strategybot.simulations.storage import Simulation, Step
from strategybot.trading.engine.candles import NO_MINUTES, Candles, DataReport, concatenate, densify
from strategybot.trading.engine.filled import fill_rows
from strategybot.trading.engine.packing import unpacked_by_token
from strategybot.trading.engine.paper_portfolio import PaperPortfolio
from strategybot.trading.engine.portfolio import PortfolioResult, run_portfolio
from strategybot.trading.engine.positions import DAY
from strategybot.trading.engine.purse_coins import PurseAdvance
from strategybot.trading.engine.saved_sessions import as_begun, skips_of
from strategybot.trading.engine.universe import Token, listed_candles, real_candles, together

_FILL = ("action", "price", "quantity")


def compared_portfolio(run: Simulation, steps: Sequence[Step], candles: dict[str, Candles]) -> ParityView:
    """Return the run beside a backtest of the portfolio and a new session. A backtest has no pauses."""
    end = steps[-1].time + 1 if steps else run.start_time
    seen = {token_id: own.between(0, end) for token_id, own in candles.items()}
    differences = [*_of_session(run, steps, seen)]
    if not skips_of(run.state):
        differences += _of_backtest(run, steps, seen)
    warm_up = sum(len(own.between(0, run.start_time)) for own in seen.values())
    return parity_view(run, steps, differences, warm_up, sum(each["trades"] for each in run.state["tokens"]))


def _minutes(run: Simulation, steps: Sequence[Step]) -> dict[str, Candles]:
    """Return all 1-minute candles that the steps used, by token id."""
    found = {token.token_id: [NO_MINUTES] for token in run.traded_tokens}
    for step in steps:
        for token_id, own in unpacked_by_token(step.minutes or b"", NO_MINUTES.interval_seconds).items():
            found[token_id].append(own)
    return {token_id: concatenate(parts) for token_id, parts in found.items()}


def _of_backtest(run: Simulation, steps: Sequence[Step], seen: dict[str, Candles]) -> Iterator[Difference]:
    result = _over_history(run, seen, _minutes(run, steps))
    log = [entry for step in steps for entry in step.log if entry["action"] != "HOLD"]
    for each in result.tokens:
        name = each.token.token_id
        ours = [{field: entry[field] for field in _FILL} | {"time": 0} for entry in log if entry["token_id"] == name]
        rows = fill_rows(each.token.costs, each.fills.table(0, len(each.fills)))
        computed = [{field: getattr(row, field) for field in _FILL} | {"time": 0} for row in rows]
        yield from of_rows(f"fills of {name}", ours, computed, "time")
        signals = [signal for step in steps for signal in step.signals if signal["token_id"] == name]
        decided = [row._asdict() | {"token_id": name} for row in each.signals.page(0, len(each.signals))]
        yield from of_rows(f"signals of {name}", signals, decided, "time")
    worth = {"total_value": result.metrics["final_equity"], "turned_away": result.turned_away}
    own = asdict(run.portfolio)
    yield from of_fields("portfolio", {name: own[name] for name in worth}, worth)


def _over_history(run: Simulation, seen: dict[str, Candles], minutes: dict[str, Candles]) -> PortfolioResult:
    tokens = []
    for token in run.traded_tokens:
        given = seen[token.token_id]
        dense = densify(given, DataReport())[0]
        real = None if len(seen) == 1 and token.listed is None else real_candles(dense, given)
        listed = None if token.listed is None else listed_candles(dense, token.listed)
        _, begun = run.joined.get(token.token_id, (0, run.start_time))
        start = int(np.searchsorted(dense.time, begun))
        if start < len(dense):
            tokens.append(Token(token.token_id, dense, start, token.costs, minutes[token.token_id], real, listed))
    strategy = as_begun(run.strategy, run.state)
    return run_portfolio(strategy, together(tokens), run.initial_cash, dead_token_loss_percent=run.loss_percent)


def _of_session(run: Simulation, steps: Sequence[Step], seen: dict[str, Candles]) -> Iterator[Difference]:
    joined = {token_id: place for token_id, (_, place) in run.joined.items()}
    tokens = run.traded_tokens
    session = PaperPortfolio(
        as_begun(run.strategy, run.state),
        [token for token in tokens if token.token_id not in joined],
        run.initial_cash,
        run.interval_seconds,
        run.loss_percent,
    )
    session.warm_up({token_id: own.between(0, run.start_time) for token_id, own in seen.items()})
    told, last = PurseAdvance([], []), run.start_time - run.interval_seconds
    until = DAY + min((token.listed[0][0] for token in tokens if token.listed), default=0)
    for step in steps:
        if run.listing is not None and step.time + run.interval_seconds >= until:
            until = (step.time + run.interval_seconds) // DAY * DAY + DAY
            known = [token for token in tokens if joined.get(token.token_id, 0) <= step.time]
            entry = session.take_in(step.time, known, {name: own.between(0, step.time) for name, own in seen.items()})
            told.log.extend([] if entry is None else [entry])
        if step.time > last + run.interval_seconds:
            skipped = {
                token_id: own.between(max(last + 1, joined.get(token_id, 0)), step.time)
                for token_id, own in seen.items()
            }
            told.log.append(session.skip(step.time - run.interval_seconds, skipped))
        here = {token_id: own.between(step.time, step.time + 1) for token_id, own in seen.items()}
        minutes = unpacked_by_token(step.minutes or b"", NO_MINUTES.interval_seconds)
        done = session.advance(step.time, {token_id: own for token_id, own in here.items() if len(own)}, minutes)
        told.log.extend(done.log)
        told.signals.extend(done.signals)
        last = step.time
    yield from of_rows("trade_log", [entry for step in steps for entry in step.log], told.log, "time")
    signals = [signal for step in steps for signal in step.signals]
    yield from of_rows("signals", signals, [signal._asdict() for signal in told.signals], "time")
    yield from of_fields("portfolio", asdict(run.portfolio), asdict(session.portfolio()))
    yield from of_fields("book", run.state, session.state())
