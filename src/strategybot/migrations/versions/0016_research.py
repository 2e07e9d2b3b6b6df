"""Optimisations with their variants, surveys of many tokens, and how many strategies a try stands for."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

Id = sa.String(36).with_variant(sa.Uuid(as_uuid=False), "postgresql")
Moment = sa.DateTime(timezone=True)
LIVE = sa.text("status IN ('pending', 'running')")
DETAILED = sa.text("details_kept")


def upgrade() -> None:
    op.add_column("research_tries", sa.Column("strategies", sa.Integer(), nullable=False, server_default="1"))
    _create_runs(
        "research_optimisations",
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("chain", sa.String(), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("objective", sa.String(), nullable=False),
        sa.Column("minimum_trades", sa.Integer(), nullable=False),
        sa.Column("variants_total", sa.Integer(), nullable=False),
        sa.Column("variants_done", sa.Integer(), nullable=False),
        sa.Column("found", sa.JSON(), nullable=True),
        sa.Column("verdict", sa.JSON(), nullable=True),
        sa.Column("data_report", sa.JSON(), nullable=True),
    )
    op.create_table(
        "research_variants",
        sa.Column("run_id", Id, nullable=False),
        sa.Column("rows", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", name="pk_research_variants"),
        sa.ForeignKeyConstraint(
            ["run_id"], ["research_optimisations.run_id"], name="fk_research_variants_run_id", ondelete="CASCADE"
        ),
    )
    _create_runs(
        "research_surveys",
        sa.Column("tokens", sa.JSON(), nullable=False),
        sa.Column("trending", sa.String(), nullable=True),
        sa.Column("tokens_total", sa.Integer(), nullable=False),
        sa.Column("tokens_done", sa.Integer(), nullable=False),
        sa.Column("rows", sa.JSON(), nullable=False),
        sa.Column("combined", sa.JSON(), nullable=True),
    )


def _create_runs(name: str, *columns: sa.Column[Any]) -> None:
    op.create_table(
        name,
        sa.Column("run_id", Id, nullable=False),
        sa.Column("bot_id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("worker_id", Id, nullable=True),
        sa.Column("progress", sa.Double(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("started_at", Moment, nullable=True),
        sa.Column("finished_at", Moment, nullable=True),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("kline_interval", sa.String(), nullable=False),
        sa.Column("start_time", sa.BigInteger(), nullable=False),
        sa.Column("end_time", sa.BigInteger(), nullable=False),
        sa.Column("initial_cash", sa.Double(), nullable=False),
        sa.Column("fee_percent", sa.Double(), nullable=False),
        sa.Column("slippage_percent", sa.Double(), nullable=False),
        sa.Column("strategy", sa.Text(), nullable=False),
        sa.Column("strategy_revision", sa.Integer(), nullable=True),
        sa.Column("data_source", sa.String(), nullable=True),
        sa.Column("holdout", sa.JSON(), nullable=True),
        sa.Column("details_kept", sa.Boolean(), nullable=False, server_default=sa.true()),
        *columns,
        sa.PrimaryKeyConstraint("run_id", name=f"pk_{name}"),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=f"fk_{name}_bot_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["owner_id"], ["accounts_owners.id"], name=f"fk_{name}_owner_id", ondelete="CASCADE"),
    )
    op.create_index(f"ix_{name}_bot_id", name, ["bot_id"])
    op.create_index(f"ix_{name}_owner_id_status", name, ["owner_id", "status"])
    live: dict[str, Any] = {"sqlite_where": LIVE, "postgresql_where": LIVE}
    op.create_index(f"ix_{name}_live", name, ["worker_id"], **live)
    detailed: dict[str, Any] = {"sqlite_where": DETAILED, "postgresql_where": DETAILED}
    op.create_index(f"ix_{name}_detailed", name, ["bot_id"], **detailed)
