"""The saved state of a paper session: how its numbers are written, and what can be read of it without the session."""

from collections.abc import Mapping, Sequence
from typing import Any

from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.fills import FillCounts
from strategybot.trading.engine.guards import Watch
from strategybot.trading.engine.positions import CEILING, FLOOR, REFUSED_TIME, SURE, TURN, TURNED_AWAY
from strategybot.trading.engine.resolution import without_textbook
from strategybot.trading.engine.risk import NO_PARTS, Parts, State
from strategybot.trading.evidence.expectation import Tally
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.guards import skipped_summary
from strategybot.trading.words.outlook import Outlook, outlook
from strategybot.trading.words.reason_data import Why

# what a portfolio saves of each token beside its state
EXTRA_ROWS = {
    "floor": FLOOR,
    "ceiling": CEILING,
    "sure": SURE,
    "turn": TURN,
    "refused_time": REFUSED_TIME,
    "turned_away": TURNED_AWAY,
}
TEXTBOOK = "textbook"  # the warm-up of the series; states of older versions do not name theirs


def fills_of(state: Mapping[str, Any]) -> FillCounts:
    """Return how sure the exits of a saved session are; states of older versions count none."""
    return fill_counts(state.get("fills", (0, 0, 0)))


def guards_summary_of(strategy: Strategy, state: Mapping[str, Any]) -> str | None:
    """Return which entries the guards refused in a saved session; None if none."""
    return skipped_summary(strategy.guards, Watch(**exact_numbers(state["watch"]))) if "watch" in state else None


def as_begun(strategy: Strategy, state: Mapping[str, Any]) -> Strategy:
    """Return the strategy with the warm-up of the version that began the saved session: it keeps it to its end."""
    return strategy if state.get("warm_up") == TEXTBOOK else without_textbook(strategy)


def outlook_of(strategy: Strategy, costs: Costs, state: Mapping[str, Any], candles: Candles) -> Outlook:
    """Return how far each rule of a saved session is from acting; `candles` are the last ones that it has seen."""
    seen = candles.between(0, 0 if state["last_time"] is None else state["last_time"] + 1)
    watch = Watch(**exact_numbers(state["watch"])) if "watch" in state else None
    return outlook(as_begun(strategy, state), costs, seen, book_of(state), watch)


def purse_outlook_of(
    strategy: Strategy, costs: Costs, state: Mapping[str, Any], token: Mapping[str, Any], candles: Candles
) -> Outlook:
    """Return how far each rule is from acting on one token of a saved purse, whose own state is `token`."""
    return outlook_of(strategy, costs, {**state, "last_time": None, **token}, candles)


def saved_book(book: State) -> dict[str, Any]:
    """Return the state of the engine for a saved session."""
    numbers = book._asdict()
    return {"parts": exact_texts(numbers.pop("parts")._asdict()), "book": exact_texts(numbers)}


def book_of(state: Mapping[str, Any]) -> State:
    """Return the state of the engine. Older versions saved no parts: a position of theirs was bought at once."""
    book = State(**exact_numbers(state["book"]), parts=NO_PARTS)
    if "parts" in state:
        parts = exact_numbers(state["parts"])
        return book._replace(parts=Parts(**{**parts, "is_armed": bool(parts["is_armed"])}))
    if book.quantity == 0:
        return book
    whole = Parts(
        bought=book.quantity,
        spent=book.budget,
        received=0.0,
        first_price=book.entry_price,
        first_cash=book.cash + book.budget,
        entries=1,
        last_entry=book.entry_time,
        step=0,
        target=0,
        is_armed=False,
        stop_distance=0.0,
        trailing_distance=0.0,
    )
    return book._replace(parts=whole)


def saved_decision(decision: Why) -> dict[str, Any]:
    """Return why the last close decided to trade, for a saved session."""
    reasons = {"pending_reasons": decision.reasons} if decision.reasons else {}
    return {"pending_reason": decision.words, **reasons}


def decision_of(state: Mapping[str, Any]) -> Why:
    return Why(state["pending_reason"], state.get("pending_reasons", []))


def tally_of(state: Mapping[str, Any]) -> Tally | None:
    """Return what a saved session has done; None for states of older versions, which did not count it."""
    return Tally(**exact_numbers(state["tally"])) if "tally" in state else None


def skips_of(state: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Return the first and last times of the candles that a saved session skipped, one pair per pause."""
    return [(first, last) for first, last in state.get("skips", [])]


def fill_counts(fills: Sequence[int]) -> FillCounts:
    exact, resolved, assumed = fills
    return FillCounts(exact=exact, resolved=resolved, assumed=assumed)


def exact_texts(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the numbers for a saved state: JSON would round some."""
    return {name: value.hex() if isinstance(value, float) else int(value) for name, value in numbers.items()}


def exact_numbers(exact: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `exact_texts` was given."""
    return {name: float.fromhex(value) if isinstance(value, str) else value for name, value in exact.items()}
