"""Backtests: their runs, and their trades and signals in chunks."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

Id = sa.String(36).with_variant(sa.Uuid(as_uuid=False), "postgresql")
Moment = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "backtests",
        sa.Column("run_id", Id, nullable=False),
        sa.Column("bot_id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("progress", sa.Double(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("heartbeat_at", Moment, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("started_at", Moment, nullable=True),
        sa.Column("finished_at", Moment, nullable=True),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("chain", sa.String(), nullable=False),
        sa.Column("kline_interval", sa.String(), nullable=False),
        sa.Column("start_time", sa.BigInteger(), nullable=False),
        sa.Column("end_time", sa.BigInteger(), nullable=False),
        sa.Column("initial_cash", sa.Double(), nullable=False),
        sa.Column("fee_percent", sa.Double(), nullable=False),
        sa.Column("slippage_percent", sa.Double(), nullable=False),
        sa.Column("strategy", sa.Text(), nullable=False),
        sa.Column("metrics", sa.JSON(), nullable=True),
        sa.Column("metric_notes", sa.JSON(), nullable=True),
        sa.Column("data_report", sa.JSON(), nullable=True),
        sa.Column("open_position", sa.JSON(), nullable=True),
        sa.Column("equity_curve", sa.JSON(), nullable=True),
        sa.Column("trade_count", sa.Integer(), nullable=False),
        sa.Column("signal_count", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("run_id", name="pk_backtests"),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name="fk_backtests_bot_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["owner_id"], ["accounts_owners.id"], name="fk_backtests_owner_id", ondelete="CASCADE"),
    )
    op.create_index("ix_backtests_bot_id", "backtests", ["bot_id"])
    op.create_index("ix_backtests_status_heartbeat_at", "backtests", ["status", "heartbeat_at"])
    op.create_index("ix_backtests_owner_id_status", "backtests", ["owner_id", "status"])
    op.create_table(
        "backtests_chunks",
        sa.Column("run_id", Id, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("rows", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "kind", "number", name="pk_backtests_chunks"),
        sa.ForeignKeyConstraint(
            ["run_id"], ["backtests.run_id"], name="fk_backtests_chunks_run_id", ondelete="CASCADE"
        ),
    )
