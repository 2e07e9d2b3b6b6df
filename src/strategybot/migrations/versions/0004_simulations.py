"""Simulations: their runs, the candles they began with, their steps, and who works on them."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

Id = sa.String(36).with_variant(sa.Uuid(as_uuid=False), "postgresql")
Moment = sa.DateTime(timezone=True)
RUNNING = sa.text("status = 'running'")


def upgrade() -> None:
    _runs()
    _what_they_saw_and_did()
    op.create_table(
        "simulations_workers",
        sa.Column("id", Id, nullable=False),
        sa.Column("started_at", Moment, nullable=False),
        sa.Column("heartbeat_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_simulations_workers"),
    )


def _runs() -> None:
    op.create_table(
        "simulations",
        sa.Column("run_id", Id, nullable=False),
        sa.Column("bot_id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("stop_reason", sa.String(), nullable=True),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("chain", sa.String(), nullable=False),
        sa.Column("check_interval", sa.Integer(), nullable=False),
        sa.Column("kline_interval", sa.String(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("started_at", Moment, nullable=False),
        sa.Column("stopped_at", Moment, nullable=True),
        sa.Column("initial_cash", sa.Double(), nullable=False),
        sa.Column("fee_percent", sa.Double(), nullable=False),
        sa.Column("slippage_percent", sa.Double(), nullable=False),
        sa.Column("strategy", sa.Text(), nullable=False),
        sa.Column("start_time", sa.BigInteger(), nullable=False),
        sa.Column("chart_time", sa.BigInteger(), nullable=False),
        sa.Column("candles_processed", sa.Integer(), nullable=False),
        sa.Column("candles_total", sa.Integer(), nullable=False),
        sa.Column("portfolio", sa.JSON(), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.Column("waiting", sa.String(), nullable=True),
        sa.Column("due_at", Moment, nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("worker_id", Id, nullable=True),
        sa.PrimaryKeyConstraint("run_id", name="pk_simulations"),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name="fk_simulations_bot_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["accounts_owners.id"], name="fk_simulations_owner_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_simulations_bot_id", "simulations", ["bot_id"])
    op.create_index("ix_simulations_owner_id_status", "simulations", ["owner_id", "status"])
    running: dict[str, Any] = {"sqlite_where": RUNNING, "postgresql_where": RUNNING}
    op.create_index("uq_simulations_running_bot", "simulations", ["bot_id"], unique=True, **running)
    op.create_index("ix_simulations_running", "simulations", ["worker_id"], **running)


def _what_they_saw_and_did() -> None:
    op.create_table(
        "simulations_candles",
        sa.Column("run_id", Id, nullable=False),
        sa.Column("candles", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", name="pk_simulations_candles"),
        sa.ForeignKeyConstraint(
            ["run_id"], ["simulations.run_id"], name="fk_simulations_candles_run_id", ondelete="CASCADE"
        ),
    )
    op.create_table(
        "simulations_steps",
        sa.Column("run_id", Id, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.Column("late", sa.Boolean(), nullable=False),
        sa.Column("log", sa.JSON(), nullable=False),
        sa.Column("signals", sa.JSON(), nullable=False),
        sa.Column("candle", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("run_id", "number", name="pk_simulations_steps"),
        sa.ForeignKeyConstraint(
            ["run_id"], ["simulations.run_id"], name="fk_simulations_steps_run_id", ondelete="CASCADE"
        ),
    )
