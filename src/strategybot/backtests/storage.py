"""The tables of backtests: a run with its result, its trades and signals in packed chunks, and its share."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from sqlalchemy import (
    JSON,
    BigInteger,
    ForeignKey,
    LargeBinary,
    Row,
    String,
    bindparam,
    case,
    delete,
    false,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Mapped, defer, load_only, mapped_column

from strategybot.backtests.chunks import NO_ROWS, ROWS_A_CHUNK, Packed, unpack
from strategybot.bots.service import name_of
from strategybot.kit.changes import Change, note
from strategybot.kit.database import Base, Id, Session
from strategybot.kit.json_object import Json
from strategybot.notifications.service import Occurrence, tell
from strategybot.runs.leases import Lease
from strategybot.runs.schemas import Status
from strategybot.runs.storage import QueuedTokenRun, change_of, end, run_to_write, token_id_of
from strategybot.trading.engine.filled import FILL_FIELDS, Table, fills_of_whole_trades
from strategybot.trading.engine.fills import Intrabar
from strategybot.trading.engine.instruments import Interval
from strategybot.trading.engine.merged import with_token
from strategybot.trading.engine.resolution import without_textbook
from strategybot.trading.engine.tables import signal_fields, trade_fields
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.costs import WITHOUT_POOL_COSTS, Traded, cost_notes, lacks_pool_costs
from strategybot.trading.words.numbers import counted, gain_words
from strategybot.trading.words.runs import no_trade_words

ALL_ROWS = 10**9  # more than any table of a run has
PENDING_FOR_TOO_LONG = timedelta(minutes=10)
DAY_SECONDS = 86_400  # a list is that of a whole day


class Backtest(QueuedTokenRun):
    __tablename__ = "backtests"
    kind = "backtest"
    long_columns = ("strategy", "equity_curve", "verdict", "portfolio")

    intrabar: Mapped[Intrabar] = mapped_column(String, server_default="off")
    most_minutes: Mapped[int] = mapped_column(BigInteger, server_default="0")
    """How many 1-minute candles may be fetched for candles in doubt, by the owner's tier."""
    name: Mapped[str | None]
    note: Mapped[str] = mapped_column(server_default="")
    starred: Mapped[bool] = mapped_column(server_default=false())
    metrics: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    metric_notes: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    data_report: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    open_position: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    equity_curve: Mapped[list[Json] | None] = mapped_column(JSON(none_as_null=True))
    trade_count: Mapped[int]
    signal_count: Mapped[int]
    verdict: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    verdict_error: Mapped[str | None]
    pool: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))

    asked_tokens: Mapped[list[Json] | None] = mapped_column("tokens", JSON(none_as_null=True))
    """The tokens of a portfolio in the order of their ids; None for a run on one token."""
    dead_token_loss_percent: Mapped[float | None]
    portfolio: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    """What a completed portfolio has beside the result of its purse, as `PortfolioView`."""

    @property
    def tokens_total(self) -> int:
        return 1 if self.asked_tokens is None else len(self.asked_tokens)

    @property
    def tokens(self) -> list[Json] | None:
        """Return a row for each token of a portfolio; until it is completed, only what they are."""
        if self.asked_tokens is None:
            return None
        empty = [{"token_id": token_id_of(each), "symbol": None, **each} for each in self.asked_tokens]
        rows: list[Json] = (self.portfolio or {}).get("tokens", empty)
        return rows

    @property
    def universe(self) -> Json | None:
        """Return the request for the lists of each day, as far as they show it; None for other runs."""
        listed = [span for each in self.asked_tokens or [] for span in each.get("listed", [])]
        if self.asked_tokens is None or not listed:
            return None
        on_a_day = Counter(day for first, end in listed for day in range(first, end, DAY_SECONDS))
        return {"trending": self.asked_tokens[0]["chain"], "limit": max(on_a_day.values()), "as_of": "each_day"}

    @property
    def turned_away(self) -> int | None:
        return (self.portfolio or {}).get("turned_away")

    @property
    def places_used(self) -> list[Json] | None:
        return (self.portfolio or {}).get("places_used")

    @property
    def correlation(self) -> Json | None:
        return (self.portfolio or {}).get("correlation")

    @property
    def benchmarks(self) -> Json | None:
        return (self.portfolio or {}).get("benchmarks")

    @property
    def portfolio_notes(self) -> list[str]:
        notes: list[str] = (self.portfolio or {}).get("notes", [])
        return notes

    @property
    def traded_tokens(self) -> list[Json]:
        """Return the rows of a portfolio's tokens in the order in which its trades number them."""
        return [row for row in (self.portfolio or {}).get("tokens", []) if row["error"] is None]

    @property
    def token_ids(self) -> list[str]:
        return [row["token_id"] for row in self.traded_tokens]

    @property
    def strategy_summary(self) -> str:
        return self.strategy.summary

    @property
    def no_trade_reason(self) -> str | None:
        if self.status != "completed":
            return None
        rows = (self.portfolio or {}).get("tokens", [{"open_position": self.open_position}])
        held = [row["open_position"] for row in rows if row["open_position"] is not None]
        percent = held[0]["unrealized_pnl_percent"] if len(held) == 1 else None
        never_known = (self.data_report or {}).get("untested") is not None
        fills = [each.get("fills", []) for each in held]
        return no_trade_words(self.trade_count, self.signal_count, percent, fills, never_known=never_known)

    @property
    def cost_notes(self) -> list[str]:
        tokens = (self.portfolio or {}).get("tokens", [])
        return cost_notes(self.costs, self.metrics, traded=Traded(self.strategy, self.initial_cash), tokens=tokens)

    @property
    def strategy_as_run(self) -> Strategy:
        """Return the strategy; if an older version has run it, with the warm-up of that version."""
        older = self.data_report is not None and self.data_report.get("warm_up") is None
        return without_textbook(self.strategy) if older else self.strategy

    def needs_verdict(self, now: datetime) -> bool:
        """Return whether it has no verdict, or one that waits for other tokens longer than any grader takes."""
        if self.status != "completed" or self.verdict_error is not None:
            return False
        if self.verdict is None:
            return True
        graded_at = datetime.fromisoformat(self.verdict["graded_at"])
        return bool(self.verdict["other_tokens_pending"]) and now - graded_at > PENDING_FOR_TOO_LONG

    @property
    def first_candle(self) -> int | None:
        """Return where the candles of a finished run begin, with those of its warm-up; None for older versions."""
        warm_up = (self.data_report or {}).get("warm_up_candles")
        seconds = self.interval_seconds
        return None if warm_up is None else -(-self.start_time // seconds) * seconds - warm_up * seconds


class Chunk(Base):
    """Some hundreds of trades or signals of a run, packed."""

    __tablename__ = "backtests_chunks"

    run_id: Mapped[str] = mapped_column(Id, ForeignKey(Backtest.run_id, ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    rows: Mapped[bytes] = mapped_column(LargeBinary)


class Share(Base):
    """A completed run that everyone who knows the id may read."""

    __tablename__ = "backtests_shares"

    id: Mapped[str] = mapped_column(String(43), primary_key=True)
    run_id: Mapped[str] = mapped_column(Id, ForeignKey(Backtest.run_id, ondelete="CASCADE"), unique=True)
    created_at: Mapped[datetime]
    token_symbol: Mapped[str | None]
    token_name: Mapped[str | None]
    picture: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    """The PNG for link previews; None until it is drawn, and after a new verdict."""


@dataclass(frozen=True, slots=True)
class BacktestOutcome:
    """The results of a run, complete or up to its stop."""

    status: Status
    metrics: Json | None = None
    metric_notes: Json | None = None
    data_report: Json | None = None
    open_position: Json | None = None
    equity_curve: list[Json] | None = None
    trades: Packed = NO_ROWS
    signals: Packed = NO_ROWS
    fills: Packed = NO_ROWS  # of runs that trade in parts
    portfolio: Json | None = None
    error: str | None = None


def finish(session: Session, lease: Lease, outcome: BacktestOutcome, now: datetime) -> bool:
    """Write the outcome if the lease is still held, or the run was stopped under it. Return whether it was written."""
    run = run_to_write(session, Backtest, lease)
    if run is None or run.data_report is not None:
        return False
    if run.is_held_under(lease):
        _tell(session, run, outcome, now)
        run.metrics, run.metric_notes, run.error = outcome.metrics, outcome.metric_notes, outcome.error
        end(session, run, outcome.status, now)
    else:
        note(session, change_of(run, "status"))
    run.data_report, run.open_position = outcome.data_report, outcome.open_position
    run.equity_curve, run.portfolio = outcome.equity_curve, outcome.portfolio
    run.trade_count, run.signal_count = outcome.trades.count, outcome.signals.count
    _keep(session, run.run_id, "trades", outcome.trades)
    _keep(session, run.run_id, "signals", outcome.signals)
    _keep(session, run.run_id, "fills", outcome.fills)
    return True


def _tell(session: Session, run: Backtest, outcome: BacktestOutcome, now: datetime) -> None:
    name = name_of(session, run.bot_id)
    if outcome.status == "completed":
        title, text = f"{name}: backtest finished", _result_words(run, outcome)
    else:
        title, text = f"{name}: backtest {outcome.status}", outcome.error or "It was stopped."
    tell(session, now, Occurrence(run.owner_id, "backtest.finished", title, text, run.bot_id, run.run_id))


def _result_words(run: Backtest, outcome: BacktestOutcome) -> str:
    metrics, untested = outcome.metrics or {}, (outcome.data_report or {}).get("untested")
    if untested:
        return str(untested)
    count, gain = outcome.trades.count, metrics.get("total_return")
    trades = counted(count, "trade")
    where = "" if run.token_symbol is None else f" on {run.token_symbol}"
    told = f"{trades}{where}." if gain is None else f"Total return {gain_words(gain)}{where}, {trades}."
    return f"{told} {WITHOUT_POOL_COSTS}" if lacks_pool_costs(run.costs) else told


def _keep(session: Session, run_id: str, kind: str, rows: Packed) -> None:
    chunks = [
        {"run_id": run_id, "kind": kind, "number": number, "rows": chunk} for number, chunk in enumerate(rows.chunks)
    ]
    if chunks:
        session.connection().execute(insert(Chunk), chunks)


def fills_of(session: Session, run: Backtest, trades: Table) -> Table:
    """Return the fills of these trades, which are in a row."""
    if not run.strategy.trades_in_parts:
        return fills_of_whole_trades(trades)
    first, end = (int(trades["first_fill"][0]), int(trades["last_fill"][-1]) + 1) if len(trades) else (0, 0)
    return fill_table(session, run, first, end - first)


def fill_table(session: Session, run: Backtest, offset: int, limit: int) -> Table:
    """Return the stored fills of a run that trades in parts."""
    return _table_of(session, run.run_id, "fills", _fields(run, FILL_FIELDS), offset, limit)


def trade_table(session: Session, run: Backtest, offset: int, limit: int) -> Table:
    """Return the trades as numbers, without their reasons in words."""
    return _table_of(session, run.run_id, "trades", _fields(run, trade_fields(run.strategy)), offset, limit)


def signal_table(session: Session, run: Backtest, offset: int, limit: int) -> Table:
    return _table_of(session, run.run_id, "signals", _fields(run, signal_fields(run.strategy)), offset, limit)


def _fields(run: Backtest, fields: np.dtype[np.void]) -> np.dtype[np.void]:
    return fields if run.asked_tokens is None else with_token(fields)


def _table_of(session: Session, run_id: str, kind: str, fields: np.dtype[np.void], offset: int, limit: int) -> Table:
    first, last = offset // ROWS_A_CHUNK, (offset + limit - 1) // ROWS_A_CHUNK
    chunks = session.scalars(
        select(Chunk.rows)
        .where(Chunk.run_id == run_id, Chunk.kind == kind, Chunk.number.between(first, last))
        .order_by(Chunk.number)
    )
    table = np.concatenate([np.empty(0, fields), *(unpack(chunk, fields) for chunk in chunks)])
    skipped = offset - first * ROWS_A_CHUNK
    return table[skipped : skipped + limit]


def completed_run(session: Session, run_id: str) -> Backtest | None:
    return session.scalar(
        select(Backtest)
        .options(defer(Backtest.equity_curve))
        .where(Backtest.run_id == run_id, Backtest.status == "completed")
    )


def finished_runs(
    session: Session, bot_id: str, instrument: tuple[str, str] | None, interval: Interval, most: int
) -> Sequence[Backtest]:
    """Return the newest finished runs on these candles, or those on many tokens, that still have their trades."""
    needed = load_only(Backtest.run_id, Backtest.strategy, Backtest.asked_tokens)
    query = (
        select(Backtest)
        .options(needed)
        .where(
            Backtest.bot_id == bot_id,
            Backtest.status == "completed",
            Backtest.details_kept,
            Backtest.kline_interval == interval,
        )
    )
    if instrument is None:
        query = query.where(Backtest.asked_tokens.is_not(None))
    else:
        token, chain = instrument
        query = query.where(Backtest.asked_tokens.is_(None), Backtest.token == token, Backtest.chain == chain)
    return session.scalars(query.order_by(Backtest.run_id.desc()).limit(most)).all()


def pnl_of(session: Session, run: Backtest) -> list[float]:
    """Return the result of every closed trade of the run, in order."""
    table = trade_table(session, run, 0, max(1, run.trade_count))
    pnl: list[float] = table["pnl"].tolist()
    return pnl


def save_verdict(session: Session, run_id: str, verdict: Json | None, error: str | None) -> bool:
    """Save the verdict of a completed run, or the reason for having none. Return False if the run was deleted."""
    graded = update(Backtest).where(Backtest.run_id == run_id, Backtest.status == "completed")
    changed = graded.values(verdict=verdict, verdict_error=error).returning(Backtest.owner_id, Backtest.bot_id)
    session.execute(update(Share).where(Share.run_id == run_id).values(picture=None))
    row = session.execute(changed).first()
    if row is not None:
        note(session, Change(row.owner_id, Backtest.kind, "verdict", row.bot_id, run_id))
    return row is not None


def trim(session: Session, run_ids: list[str]) -> None:
    """Delete the trades, signals and equity curves of these runs; their metrics stay."""
    session.execute(delete(Chunk).where(Chunk.run_id.in_(run_ids)))
    runs = update(Backtest).where(Backtest.run_id.in_(run_ids))
    session.execute(runs.values(details_kept=False, equity_curve=None))


SPECIAL_FIRST = case((or_(Backtest.starred, Backtest.run_id.in_(select(Share.run_id))), 0), else_=1)
"""Orders runs so that those which are starred or shared come first."""


def share_of(session: Session, run_id: str) -> Share | None:
    return session.scalar(select(Share).where(Share.run_id == run_id))


def kept_share(session: Session, share: Share) -> Share:
    """Return the existing share of the run, or add this one."""
    known = share_of(session, share.run_id)
    if known is None:
        session.add(share)
    return known or share


def shared_run(session: Session, share_id: str, *, lock: bool = False) -> Row[Share, Backtest] | None:
    query = select(Share, Backtest).join(Backtest, Backtest.run_id == Share.run_id).where(Share.id == share_id)
    return session.execute(query.with_for_update() if lock else query).first()


_SHARE_STATE = (
    select(Backtest.owner_id, Backtest.details_kept, Backtest.verdict, Backtest.verdict_error, Backtest.pool)
    .join(Share, Share.run_id == Backtest.run_id)
    .where(Share.id == bindparam("share_id"))
)


def share_state(session: Session, share_id: str) -> Row[str, bool, Json | None, str | None, Json | None] | None:
    """Return the owner of the shared run, and the public columns of it that may change after its end."""
    return session.execute(_SHARE_STATE, {"share_id": share_id}).first()


def picture_of(session: Session, share_id: str) -> bytes | None:
    return session.scalar(select(Share.picture).where(Share.id == share_id))


def end_share(session: Session, run_id: str) -> bool:
    """Delete the share of this run; return whether there was one."""
    return session.execute(delete(Share).where(Share.run_id == run_id).returning(Share.id)).first() is not None
