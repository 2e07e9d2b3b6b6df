"""Notices to the owner of a simulation: it bought or sold, lost much, waits for the market, or was stopped."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from strategybot.bots.service import names_by_id
from strategybot.kit.database import Session
from strategybot.notifications.schemas import EventName
from strategybot.notifications.service import Occurrence, tell
from strategybot.simulations.schemas import Mode, StopReason
from strategybot.trading.engine.log_entries import LogEntry
from strategybot.trading.words.numbers import money_words, price_words, quantity_words

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


class Traded(NamedTuple):
    """What a run trades, as its messages name it."""

    mode: Mode
    symbol: str | None

    @property
    def kind(self) -> str:
        return "Paper" if self.mode == "live" else "Replay"

    @property
    def token(self) -> str:
        return self.symbol or "the token"


def notices_of(traded: Traded, log: Iterable[LogEntry]) -> list[Notice]:
    """Return what was bought and sold. An entry of a portfolio names its token."""
    return [
        _trade(traded._replace(symbol=entry.get("symbol", traded.symbol)), entry)
        for entry in log
        if entry["action"] != "HOLD"
    ]


def _trade(traded: Traded, entry: LogEntry) -> Notice:
    quantity = "" if entry["quantity"] is None else f" {quantity_words(entry['quantity'])}"
    price = "" if entry["price"] is None else f" at ${price_words(entry['price'])}"
    what = f"{quantity} {traded.symbol or 'tokens'}{price}"
    text = f"{entry['reason']}.{_paid_words(entry)}"
    if entry["action"] == "BUY":
        return Notice("simulation.bought", f"{traded.kind}: bought{what}", text)
    pnl = "" if entry["pnl"] is None else f", {money_words(entry['pnl'])}"
    why = (entry["exit_reason"] or "sold").replace("_", " ")
    return Notice("simulation.sold", f"{traded.kind}: sold{what}{pnl} ({why})", text)


def _paid_words(entry: LogEntry) -> str:
    """Return what the fill paid, without costs that were nothing."""
    named = {"fee": entry["fees"], "slippage": entry["slippage"], "tax": entry["tax"], "impact": entry["impact"]}
    paid = [f"{name} ${amount:,.2f}" for name, amount in named.items() if amount is not None and amount >= 0.005]
    return f" It paid {', '.join(paid)}." if paid else ""


def stop_notice(traded: Traded, reason: StopReason) -> Notice:
    words = STOPPED.get(reason, "was stopped")
    title = f"{traded.kind}: simulation of {traded.token} stopped"
    return Notice("simulation.stopped", title, f"The simulation {words}.")


def waiting(traded: Traded, words: str) -> Notice:
    return Notice("simulation.waiting", f"{traded.kind}: waits for the market of {traded.token}", words)


def pool_changed(traded: Traded, words: str) -> Notice:
    return Notice("simulation.pool", f"{traded.kind}: the pool of {traded.token} has changed", words)


class Drawdown:
    """Notices each further loss of ten percent from the highest value so far."""

    def __init__(self, traded: Traded, highest_value: float, value: float | None = None) -> None:
        """`value` is that of a restored run, whose losses so far were notified before."""
        self._traded, self._peak, self._told = traded, highest_value, 0
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
        text = f"The paper portfolio is worth ${value:,.2f}. Its highest value was ${self._peak:,.2f}."
        title = f"{self._traded.kind}: {self._traded.token} down {lost:.1f} % from its peak"
        return [Notice("simulation.drawdown", title, text)]


def tell_all(session: Session, now: datetime, notices: Sequence[tuple[Subject, Notice]]) -> None:
    """Tell the owners, each notice with the name of its bot."""
    if not notices:
        return
    names = names_by_id(session, {subject.bot_id for subject, _ in notices})
    tell(session, now, *(_occurrence(subject, notice, names) for subject, notice in notices))


def _occurrence(subject: Subject, notice: Notice, names: dict[str, str]) -> Occurrence:
    title = f"{names.get(subject.bot_id, 'A bot')}: {notice.title}"
    return Occurrence(subject.owner_id, notice.event, title, notice.text, subject.bot_id, subject.run_id)
