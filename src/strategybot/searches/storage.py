"""The tables of searches: a run with what it found, and the metrics of all its variants, packed."""

import numpy as np
from sqlalchemy import JSON, ForeignKey, LargeBinary, String, delete, select, update
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.kit.changes import note
from strategybot.kit.database import Base, Id, Session
from strategybot.kit.json_object import Json
from strategybot.runs.storage import QueuedTokenRun, change_of
from strategybot.trading.engine.packing import compress, decompress
from strategybot.trading.evidence.strength import SEARCH_BLOCKS
from strategybot.trading.search.results import COLUMNS, Objective, Singles

FORMAT = b"\x01"  # the first byte of packed variants
NUMBERS_A_VARIANT = len(COLUMNS) + SEARCH_BLOCKS


class Optimisation(QueuedTokenRun):
    __tablename__ = "research_optimisations"
    kind = "optimisation"
    long_columns = ("strategy", "found", "verdict")

    parameters: Mapped[list[Json]] = mapped_column(JSON)
    objective: Mapped[Objective] = mapped_column(String)
    minimum_trades: Mapped[int]
    variants_total: Mapped[int]
    variants_done: Mapped[int]
    found: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    """The best and the recommended point, the walk-forward and `p_loss`."""
    verdict: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    data_report: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))


class PackedVariants(Base):
    """The metrics of every variant of an optimisation, packed."""

    __tablename__ = "research_variants"

    run_id: Mapped[str] = mapped_column(Id, ForeignKey(Optimisation.run_id, ondelete="CASCADE"), primary_key=True)
    rows: Mapped[bytes] = mapped_column(LargeBinary)


def save_verdict(session: Session, run_id: str, verdict: Json) -> None:
    run = session.get(Optimisation, run_id)
    if run is not None:
        run.verdict = verdict
        note(session, change_of(run, "verdict"))


def trim(session: Session, run_ids: list[str]) -> None:
    """Delete the variants of these searches; their summaries stay."""
    session.execute(delete(PackedVariants).where(PackedVariants.run_id.in_(run_ids)))
    session.execute(update(Optimisation).where(Optimisation.run_id.in_(run_ids)).values(details_kept=False))


def pack(rows: Singles) -> bytes:
    return FORMAT + compress(rows)


def keep_variants(session: Session, run_id: str, chunk: bytes) -> None:
    session.add(PackedVariants(run_id=run_id, rows=chunk))


def variants_of(session: Session, run_id: str) -> Singles:
    chunk = session.scalar(select(PackedVariants.rows).where(PackedVariants.run_id == run_id))
    if chunk is None:
        return np.empty((0, NUMBERS_A_VARIANT), np.float32)
    return decompress(chunk[len(FORMAT) :], np.dtype(np.float32)).reshape(-1, NUMBERS_A_VARIANT)
