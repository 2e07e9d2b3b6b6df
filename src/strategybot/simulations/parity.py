"""Verification of a simulation: the engine runs again over exactly the candles that the simulation has seen.

A backtest gives signals, trades and equity; a new session, candle by candle, gives the log and the portfolio. All must
be equal to the bit. A backtest has no pauses, so a live run that skipped candles is compared with the session alone. If
something is not equal, the cause is reported: candles that are missing or differ from the processed ones, or a record
that was changed later.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from strategybot.simulations.schemas import Difference, ParityView
from strategybot.simulations.storage import Simulation, Step
from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import END_OF_TIME, NO_MINUTES, Candles, concatenate
from strategybot.trading.engine.filled import fill_rows
from strategybot.trading.engine.packing import unpack
from strategybot.trading.engine.paper import Advance, PaperSession
from strategybot.trading.engine.saved_sessions import as_begun, skips_of

MOST_DIFFERENCES = 100
ROUNDING = 1e-9  # of everything bought: what is less than this is nothing
CHANGED = "The saved record is not what the engine makes of the candles: it was changed after it was written."
NOT_STEPPED = "The candle was seen and not processed."
TWICE = "The candle was processed more than once."
NOT_SEEN = "There is a step for a candle that is not among those the simulation has seen."
Row = Mapping[str, Any]


def compare_with_backtest(run: Simulation, steps: Sequence[Step], candles: Candles) -> ParityView:
    end = steps[-1].time + 1 if steps else run.start_time
    seen = candles.between(0, end)
    traded = seen.between(run.start_time, END_OF_TIME)
    minutes = _minutes(steps)
    differences = [*_of_candles(steps, traded, skips_of(run.state))]
    if not skips_of(run.state):
        differences += _of_backtest(run, steps, seen, len(seen) - len(traded), minutes)
    differences += _of_session(run, steps, seen, minutes)
    return parity_view(run, steps, differences, len(seen) - len(traded), _trades(steps))


def parity_view(
    run: Simulation, steps: Sequence[Step], differences: Sequence[Difference], warm_up_candles: int, trades: int
) -> ParityView:
    return ParityView(
        run_id=run.run_id,
        equal=not differences,
        candles_processed=run.candles_processed,
        warm_up_candles=warm_up_candles,
        signals=sum(len(step.signals) for step in steps),
        trades=trades,
        differences=[*differences[:MOST_DIFFERENCES]],
    )


def _minutes(steps: Sequence[Step]) -> Candles:
    """Return all 1-minute candles that the steps used."""
    seconds = NO_MINUTES.interval_seconds
    return concatenate([NO_MINUTES, *(unpack(step.minutes, seconds) for step in steps if step.minutes)])


def _of_candles(steps: Sequence[Step], traded: Candles, skips: Sequence[tuple[int, int]]) -> Iterator[Difference]:
    """Yield a difference unless there is one step per candle that was not skipped, in the order of the candles."""
    stepped = Counter(step.time for step in steps)
    known = [time for time in traded.time.tolist() if not any(first <= time <= last for first, last in skips)]
    for time in sorted(time for time, count in stepped.items() if count > 1):
        yield difference("candles", time, f"{stepped[time]} times", "once", TWICE)
    for time in sorted({*stepped} ^ {*known}):
        was_seen = time in known
        cause = NOT_STEPPED if was_seen else NOT_SEEN
        yield difference("candles", time, None if was_seen else time, time if was_seen else None, cause)


def _of_backtest(
    run: Simulation, steps: Sequence[Step], seen: Candles, start: int, minutes: Candles
) -> Iterator[Difference]:
    strategy = as_begun(run.strategy, run.state)
    result = run_backtest(strategy, seen, run.traded_costs, run.initial_cash, start_index=start, minutes=minutes)
    signals = [signal for step in steps for signal in step.signals]
    decided = [row._asdict() for row in result.signals.page(0, len(result.signals))]
    yield from of_rows("signals", signals, decided, "time")
    rows = fill_rows(run.traded_costs, result.fills.table(0, len(result.fills)))
    computed = [{name: getattr(row, name) for name in _FILL} for row in rows]
    yield from of_rows("fills", _fills(steps), computed, "time")
    held = None if result.open_position is None else result.open_position.quantity
    worth = {"total_value": result.metrics["final_equity"], "position": held}
    saved = {"total_value": run.portfolio.total_value, "position": run.portfolio.position.quantity or None}
    yield from of_fields("portfolio", saved, worth)


def _of_session(run: Simulation, steps: Sequence[Step], seen: Candles, minutes: Candles) -> Iterator[Difference]:
    session = PaperSession(as_begun(run.strategy, run.state), run.traded_costs, run.initial_cash, run.interval_seconds)
    session.warm_up(seen.between(0, run.start_time))
    told, time = Advance([], []), run.start_time
    for first, last in [*skips_of(run.state), (END_OF_TIME, END_OF_TIME)]:
        done = session.advance(seen.between(time, first), minutes)
        told.log.extend(done.log)
        told.signals.extend(done.signals)
        if first < END_OF_TIME:
            told.log.append(session.skip(seen.between(first, last + 1)))
        time = last + 1
    yield from of_rows("trade_log", [entry for step in steps for entry in step.log], told.log, "time")
    if skips_of(run.state):  # else the backtest answers for the signals
        decided = [signal._asdict() for signal in told.signals]
        yield from of_rows("signals", [signal for step in steps for signal in step.signals], decided, "time")
    yield from of_fields("portfolio", asdict(run.portfolio), asdict(session.portfolio()))
    computed = session.state()
    yield from of_fields("book", run.state["book"], computed["book"])
    if "parts" in run.state:  # states of older versions have none
        yield from of_fields("parts", run.state["parts"], computed["parts"])
    yield from of_fields("guards", run.state.get("watch", {}), computed.get("watch", {}))


_FILL = ("time", "action", "price", "quantity")


def _fills(steps: Sequence[Step]) -> list[Row]:
    """Return the buys and sales of the log."""
    log = [entry for step in steps for entry in step.log if entry["action"] != "HOLD"]
    return [{name: entry[name] for name in _FILL} for entry in log]


def _trades(steps: Sequence[Step]) -> int:
    """Return the number of closed round trips of the log."""
    held = bought = 0.0
    closed = 0
    for fill in _fills(steps):
        quantity = fill["quantity"] or 0.0
        if fill["action"] == "BUY":
            held, bought = held + quantity, bought + quantity
            continue
        held -= quantity
        if held <= ROUNDING * bought:
            held, bought, closed = 0.0, 0.0, closed + 1
    return closed


def of_rows(what: str, saved: Sequence[Row], computed: Sequence[Row], time: str) -> Iterator[Difference]:
    """Compare rows by their candle, so that a missing row does not make all later rows different."""
    ours, engine = _by_place(saved, time), _by_place(computed, time)
    for place in sorted({*ours} | {*engine}):
        mine, theirs = ours.get(place), engine.get(place)
        if mine is not None and theirs is not None:
            theirs = {name: value for name, value in theirs.items() if name in mine}  # rows of older versions have less
        if mine != theirs:
            yield difference(what, place[0], mine, theirs)


def _by_place(rows: Sequence[Row], time: str) -> dict[tuple[int, str, int], Row]:
    """Return the rows by candle and action, and by their number among those: a candle may have several fills."""
    seen: Counter[tuple[int, str]] = Counter()
    found = {}
    for row in rows:
        place = row[time], row.get("action", "")
        found[*place, seen[place]] = row
        seen[place] += 1
    return found


def of_fields(what: str, saved: Row, computed: Row) -> Iterator[Difference]:
    for name in sorted({*saved} | {*computed}):
        if saved.get(name) != computed.get(name):
            yield difference(f"{what}.{name}", None, saved.get(name), computed.get(name))


def difference(what: str, time: int | None, ours: object, engine: object, cause: str = CHANGED) -> Difference:
    shown = [None if each is None else str(each) for each in (ours, engine)]
    return Difference(what=what, time=time, simulation=shown[0], engine=shown[1], cause=cause)
