"""One table of workers for all kinds of runs; a backtest names its worker instead of having a heartbeat of its own."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

Id = sa.String(36).with_variant(sa.Uuid(as_uuid=False), "postgresql")
Moment = sa.DateTime(timezone=True)
LIVE = sa.text("status IN ('pending', 'running')")


def upgrade() -> None:
    op.drop_table("simulations_workers")  # every run is unheld until the workers of this version claim it
    op.create_table(
        "workers",
        sa.Column("id", Id, nullable=False),
        sa.Column("started_at", Moment, nullable=False),
        sa.Column("heartbeat_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_workers"),
    )
    op.drop_index("ix_backtests_status_heartbeat_at", "backtests")
    op.drop_column("backtests", "heartbeat_at")
    op.add_column("backtests", sa.Column("worker_id", Id, nullable=True))
    live: dict[str, Any] = {"sqlite_where": LIVE, "postgresql_where": LIVE}
    op.create_index("ix_backtests_live", "backtests", ["worker_id"], **live)
