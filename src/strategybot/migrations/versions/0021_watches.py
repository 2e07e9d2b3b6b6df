"""Watches, and each time that the entry conditions of one of their tokens became true."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

Id = sa.String(36).with_variant(sa.Uuid(as_uuid=False), "postgresql")
Moment = sa.DateTime(timezone=True)
LIVE = sa.text("status IN ('running')")
DETAILED = sa.text("details_kept")


def upgrade() -> None:
    op.create_table(
        "watches",
        sa.Column("run_id", Id, nullable=False),
        sa.Column("bot_id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("worker_id", Id, nullable=True),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("due_at", Moment, nullable=False),
        sa.Column("stopped_at", Moment, nullable=True),
        sa.Column("stop_reason", sa.String(), nullable=True),
        sa.Column("kline_interval", sa.String(), nullable=False),
        sa.Column("strategy", sa.Text(), nullable=False),
        sa.Column("strategy_revision", sa.Integer(), nullable=True),
        sa.Column("data_source", sa.String(), nullable=True),
        sa.Column("details_kept", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("tokens", sa.JSON(), nullable=False),
        sa.Column("total_signals", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", name="pk_watches"),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name="fk_watches_bot_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["owner_id"], ["accounts_owners.id"], name="fk_watches_owner_id", ondelete="CASCADE"),
    )
    op.create_index("ix_watches_bot_id", "watches", ["bot_id"])
    op.create_index("ix_watches_owner_id_status", "watches", ["owner_id", "status"])
    op.create_index("ix_watches_live", "watches", ["worker_id"], sqlite_where=LIVE, postgresql_where=LIVE)
    op.create_index("ix_watches_detailed", "watches", ["bot_id"], sqlite_where=DETAILED, postgresql_where=DETAILED)
    op.create_table(
        "watches_signals",
        sa.Column("run_id", Id, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("chain", sa.String(), nullable=False),
        sa.Column("symbol", sa.String(), nullable=True),
        sa.Column("price", sa.Double(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "number", name="pk_watches_signals"),
        sa.ForeignKeyConstraint(["run_id"], ["watches.run_id"], name="fk_watches_signals_run_id", ondelete="CASCADE"),
    )
