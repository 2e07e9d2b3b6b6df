"""Simulation tables, the single source of truth: what each run has seen and done, and its portfolio.

A step is one row per candle; the primary key makes it impossible to process a candle twice.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    Dialect,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    TypeDecorator,
    bindparam,
    delete,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.kit.changes import note
from strategybot.kit.database import AnyRow, Base, Id, Session
from strategybot.kit.json_object import Json
from strategybot.runs.leases import release
from strategybot.runs.storage import FollowedRun, TokenRun, change_of, detailed_index, lock_unfinished
from strategybot.runs.storage import add as add_run
from strategybot.simulations.notices import Subject, Traded, stop_notice, tell_all
from strategybot.simulations.schemas import KlineInterval, Mode, Status, StopReason
from strategybot.trading.engine.candles import Candles, concatenate, empty_candles
from strategybot.trading.engine.fills import Intrabar
from strategybot.trading.engine.packing import pack, packed_by_token, unpack, unpacked_by_token
from strategybot.trading.engine.paper import Portfolio, Position, PursePortfolio, TokenPosition
from strategybot.trading.engine.portfolio import DEAD_TOKEN_LOSS_PERCENT
from strategybot.trading.engine.positions import DAY
from strategybot.trading.engine.purse_coins import TradedToken
from strategybot.trading.engine.run_costs import RunCosts

_RUNNING = text("status = 'running'")
_UNFINISHED = text("status IN ('running', 'paused')")


class PortfolioJson(TypeDecorator[Portfolio]):
    """A portfolio as a JSON object."""

    impl = JSON
    cache_ok = True

    def process_bind_param(self, value: Portfolio | None, dialect: Dialect) -> Json | None:  # noqa: ARG002
        return None if value is None else asdict(value)

    def process_result_value(self, value: Json | None, dialect: Dialect) -> Portfolio | None:  # noqa: ARG002
        if value is None:
            return None
        position = Position(**value["position"])
        if "positions" not in value:
            return Portfolio(**{**value, "position": position})
        held = [TokenPosition(**each) for each in value["positions"]]
        return PursePortfolio(**{**value, "position": position, "positions": held})


class Simulation(TokenRun, FollowedRun):
    __tablename__ = "simulations"
    __table_args__ = (
        Index(
            "uq_simulations_unfinished_bot",
            "bot_id",
            unique=True,
            sqlite_where=_UNFINISHED,
            postgresql_where=_UNFINISHED,
        ),
        Index("ix_simulations_running", "worker_id", sqlite_where=_RUNNING, postgresql_where=_RUNNING),
        Index("ix_simulations_owner_id_status", "owner_id", "status"),
        detailed_index("simulations"),
    )
    kind, idle_statuses = "simulation", ("paused",)
    long_columns = ("strategy", "state")

    status: Mapped[Status] = mapped_column(String)
    stop_reason: Mapped[StopReason | None] = mapped_column(String)
    mode: Mapped[Mode] = mapped_column(String)
    check_interval: Mapped[int]
    kline_interval: Mapped[KlineInterval] = mapped_column(String)
    started_at: Mapped[datetime]
    paused_at: Mapped[datetime | None]
    resumed_at: Mapped[datetime | None]
    """A live run skips the candles that closed before it."""
    intrabar: Mapped[Intrabar] = mapped_column(String, server_default="off")
    start_time: Mapped[int] = mapped_column(BigInteger)
    """The first traded candle; those before it only warm up the windows."""
    chart_time: Mapped[int] = mapped_column(BigInteger)
    """The first candle in the chart."""
    candles_processed: Mapped[int]
    candles_total: Mapped[int]
    portfolio: Mapped[Portfolio] = mapped_column(PortfolioJson)
    state: Mapped[Json] = mapped_column(JSON)
    waiting: Mapped[str | None]
    pool_notes: Mapped[list[Json] | None] = mapped_column(JSON(none_as_null=True))
    """What a live run noticed about its token's pool: `{"time", "text"}`, oldest first."""
    asked_tokens: Mapped[list[Json] | None] = mapped_column(JSON(none_as_null=True))
    """The tokens of a portfolio in the order of their ids, with their costs; None for a run on one token.

    If it trades the list of each day, `listed` has the spans in which a token was listed, and `joined` of one that came
    later where its warm-up begins and from which place of the grid on it is traded.
    """
    listing: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    """`{"chain", "limit", "until"}` of a run that trades the list of each day: until when its lists are known."""
    dead_token_loss_percent: Mapped[float | None]

    @property
    def progress(self) -> float:
        """Return the percentage of the candles known so far that are processed."""
        return 100 * self.candles_processed / self.candles_total

    @property
    def tokens_total(self) -> int:
        return 1 if self.asked_tokens is None else len(self.asked_tokens)

    @property
    def traded_tokens(self) -> list[TradedToken]:
        """Return the tokens of a portfolio that can be traded."""
        return self.traded_of(self.asked_tokens or [])

    def traded_of(self, rows: Sequence[Json]) -> list[TradedToken]:
        return [
            TradedToken(
                row["token_id"],
                row["symbol"],
                self.traded_costs if row["costs"] is None else RunCosts.model_validate(row["costs"]).traded(),
                row.get("listed"),
            )
            for row in rows
            if row["error"] is None
        ]

    @property
    def joined(self) -> dict[str, tuple[int, int]]:
        """Return where the warm-up of each token begins that came later, and from when on it is traded."""
        return {row["token_id"]: tuple(row["joined"]) for row in self.asked_tokens or [] if "joined" in row}

    @property
    def universe(self) -> Json | None:
        """Return the request for the list of each day; None for other runs."""
        if self.listing is None:
            return None
        return {"trending": self.listing["chain"], "limit": self.listing["limit"], "as_of": "each_day"}

    @property
    def loss_percent(self) -> float:
        return DEAD_TOKEN_LOSS_PERCENT if self.dead_token_loss_percent is None else self.dead_token_loss_percent

    @property
    def steps_kept(self) -> int:
        """Return how many of its last steps hold every candle on which its next decision depends.

        A token of a portfolio may have had no candle for a day, and all are ranked by their last day.
        """
        day = DAY // self.interval_seconds
        return self.lookback + 1 if self.asked_tokens is None else max(self.lookback, day) + day + 2


class Fetched(Base):
    """The candles with which a run began, separate from the row that every step updates.

    The row holds the candles of the chart. The earlier ones, which only warm up the windows, can be tens of thousands:
    they stay in the candle store, which all runs share. A stored closed candle never changes.
    """

    __tablename__ = "simulations_candles"

    run_id: Mapped[str] = mapped_column(Id, ForeignKey(Simulation.run_id, ondelete="CASCADE"), primary_key=True)
    candles: Mapped[bytes] = mapped_column(LargeBinary)
    source: Mapped[str | None]
    """The provider in the candle store; None in rows of older versions, which hold all candles themselves."""
    lookback_time: Mapped[int | None] = mapped_column(BigInteger)
    """The start of the span in the candle store; it ends at the first candle of this row."""


class Step(Base):
    """The result of one candle."""

    __tablename__ = "simulations_steps"

    run_id: Mapped[str] = mapped_column(Id, ForeignKey(Simulation.run_id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    time: Mapped[int] = mapped_column(BigInteger)
    late: Mapped[bool]
    log: Mapped[list[Json]] = mapped_column(JSON)
    signals: Mapped[list[Json]] = mapped_column(JSON)
    candle: Mapped[bytes | None] = mapped_column(LargeBinary)
    """The candle itself, if it is later than the candles with which the run began."""
    minutes: Mapped[bytes | None] = mapped_column(LargeBinary)
    """The 1-minute candles that resolved the candle, if it was in doubt."""


@dataclass(frozen=True, slots=True)
class History:
    """The candles in the run's own rows, and where the earlier ones are stored."""

    candles: Candles  # of a portfolio, those of its first token
    source: str | None
    lookback_time: int | None
    by_token: dict[str, Candles] | None = None  # of a portfolio

    def of(self, token_id: str | None) -> Candles:
        return self.candles if token_id is None or self.by_token is None else self.by_token[token_id]


def add(session: Session, run: Simulation, history: History, steps: Sequence[Json]) -> bool:
    """Add the run and return True; return False if its bot has just been deleted."""
    if not add_run(session, run):
        return False
    began = pack(history.candles) if history.by_token is None else packed_by_token(history.by_token)
    session.add(Fetched(run_id=run.run_id, candles=began, source=history.source, lookback_time=history.lookback_time))
    session.execute(insert(Step), steps)
    return True


_AT_A_GLANCE = (
    select(
        Simulation.bot_id,
        Simulation.run_id,
        Simulation.status,
        Simulation.mode,
        Simulation.token,
        Simulation.chain,
        Simulation.token_symbol,
        Simulation.kline_interval,
        Simulation.started_at,
        Simulation.portfolio,
        Simulation.due_at,
        Step.log,
    )
    .outerjoin(Step, (Step.run_id == Simulation.run_id) & (Step.number == Simulation.candles_processed))
    .where(Simulation.owner_id == bindparam("owner_id"), _UNFINISHED)
)


def at_a_glance(session: Session, owner_id: str) -> Sequence[AnyRow]:
    """Return the owner's unfinished runs, each with the log of its last step."""
    return session.connection().execute(_AT_A_GLANCE, {"owner_id": owner_id}).all()


def steps_of(session: Session, run: Simulation, since: int | None = None, most: int | None = None) -> list[Step]:
    """Return the first steps from `since`, or the last ones, in order.

    Steps later than the run's row was read are left out: in PostgreSQL each statement sees newer commits, and a log
    must not be longer than its run says.
    """
    query = select(Step).where(Step.run_id == run.run_id, Step.number <= run.candles_processed)
    if since is not None:
        query = query.where(Step.time >= since)
    newest_first = since is None and most is not None
    query = query.order_by(Step.number.desc() if newest_first else Step.number)
    found = list(session.scalars(query if most is None else query.limit(most)))
    return found[::-1] if newest_first else found


def history_of(session: Session, run: Simulation, steps: Sequence[Step]) -> History:
    """Return the candles with which the run began, and the later ones of these steps."""
    began = session.scalars(select(Fetched).where(Fetched.run_id == run.run_id)).one_or_none()
    if began is None:  # deleted because of the run's age
        return History(empty_candles(run.interval_seconds), None, None)
    return join(run, began, [step.candle for step in steps if step.candle is not None])


def stop(session: Session, run: Simulation, reason: StopReason, now: datetime) -> None:
    run.status, run.stop_reason, run.stopped_at = "stopped", reason, now
    release(run)
    note(session, change_of(run, "status"))
    subject, traded = Subject(run.owner_id, run.bot_id, run.run_id), Traded(run.mode, run.token_symbol)
    tell_all(session, now, [(subject, stop_notice(traded, reason))])


def pause(session: Session, run: Simulation, now: datetime) -> None:
    """Pause the run and end its lease, so that its worker cannot write until it is resumed."""
    run.status, run.paused_at = "paused", now
    release(run)
    note(session, change_of(run, "status"))


def resume(session: Session, run: Simulation, now: datetime) -> None:
    """Make the run live again, for a worker to claim."""
    run.status, run.resumed_at, run.due_at = "running", now, now + timedelta(seconds=run.check_interval)
    note(session, change_of(run, "status"))


def stop_each(session: Session, whose: ColumnElement[bool], reason: StopReason, now: datetime) -> None:
    for run in lock_unfinished(session, Simulation, whose):
        stop(session, run, reason, now)


def trim(session: Session, run_ids: list[str]) -> None:
    """Delete the candles, signals and logs of these runs; their portfolios stay."""
    for table in (Step, Fetched):
        session.execute(delete(table).where(table.run_id.in_(run_ids)))
    session.execute(update(Simulation).where(Simulation.run_id.in_(run_ids)).values(details_kept=False))


def join(run: Simulation, began: Fetched, later: Sequence[bytes]) -> History:
    seconds, own = run.interval_seconds, (began.candles, *later)
    if run.asked_tokens is None:
        return History(concatenate([unpack(part, seconds) for part in own]), began.source, began.lookback_time)
    found: dict[str, list[Candles]] = {token.token_id: [empty_candles(seconds)] for token in run.traded_tokens}
    for part in own:
        for token_id, candles in unpacked_by_token(part, seconds).items():
            found[token_id].append(candles)
    by_token = {token_id: concatenate(parts) for token_id, parts in found.items()}
    return History(next(iter(by_token.values())), began.source, began.lookback_time, by_token)
