"""Notices to the owner of a simulation: it bought or sold, lost much, waits for the market, or was stopped."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from strategybot.bots.service import names_by_id
from strategybot.kit.database import Session
from strategybot.notifications.schemas import EventName
from strategybot.notifications.service import Occurrence, tell
from strategybot.simulations.schemas import StopReason
from strategybot.trading.paper import LogEntry

DRAWDOWN_STEP_PERCENT = 10
STOPPED: dict[StopReason, str] = {
    "user": "was stopped",
    "replaced": "was replaced by a new simulation",
    "completed": "has reached its last candle",
    "stale": "could not go on and was stopped",
    "failed": "was stopped by an error inside the service",
}


class Notice(NamedTuple):
    """An event of one run. The bot's name goes before the title."""

    event: EventName
    title: str
    text: str


class Subject(NamedTuple):
    """The run that notices are about."""

    owner_id: str
    bot_id: str
    run_id: str


def notices_of(log: Iterable[LogEntry]) -> list[Notice]:
    """Return what was bought and sold."""
    return [notice for entry in log if (notice := _trade(entry)) is not None]


def _trade(entry: LogEntry) -> Notice | None:
    if entry["action"] == "HOLD":
        return None
    price = "" if entry["price"] is None else f" at {entry['price']:.6g}"
    if entry["action"] == "BUY":
        return Notice("simulation.bought", f"bought{price}", entry["reason"])
    pnl = "" if entry["pnl"] is None else f", {entry['pnl']:+.2f}"
    return Notice("simulation.sold", f"sold{price}{pnl}", entry["reason"])


def stopped(reason: StopReason) -> Notice:
    words = STOPPED.get(reason, "was stopped")
    return Notice("simulation.stopped", "simulation stopped", f"The simulation {words}.")


def waiting(words: str) -> Notice:
    return Notice("simulation.waiting", "waits for the market", words)


class Drawdown:
    """Notices each further loss of ten percent from the highest value so far."""

    def __init__(self, highest_value: float, value: float | None = None) -> None:
        """`value` is that of a restored run, whose losses so far were notified before."""
        self._peak, self._told = highest_value, 0
        self.notices(value)

    def notices(self, value: float | None) -> list[Notice]:
        """Return a notice if the portfolio has lost a further step. None is a value beyond any float."""
        if value is None:
            return []
        if value > self._peak:
            self._peak, self._told = value, 0
        lost = 0.0 if self._peak <= 0 else 100 * (self._peak - value) / self._peak
        steps = int(lost // DRAWDOWN_STEP_PERCENT)
        if steps <= self._told:
            return []
        self._told = steps
        text = f"The paper portfolio is worth {value:.2f}. Its highest value was {self._peak:.2f}."
        return [Notice("simulation.drawdown", f"down {lost:.1f} % from its peak", text)]


def tell_all(session: Session, now: datetime, notices: Sequence[tuple[Subject, Notice]]) -> None:
    """Tell the owners, each notice with the name of its bot."""
    if not notices:
        return
    names = names_by_id(session, {subject.bot_id for subject, _ in notices})
    tell(session, now, *(_occurrence(subject, notice, names) for subject, notice in notices))


def _occurrence(subject: Subject, notice: Notice, names: dict[str, str]) -> Occurrence:
    title = f"{names.get(subject.bot_id, 'A bot')}: {notice.title}"
    return Occurrence(subject.owner_id, notice.event, title, notice.text, subject.bot_id, subject.run_id)
