"""A simulation can be paused; it then still is the one unfinished simulation of its bot."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

UNFINISHED = sa.text("status IN ('running', 'paused')")


def upgrade() -> None:
    for name in ("paused_at", "resumed_at"):
        op.add_column("simulations", sa.Column(name, sa.DateTime(timezone=True), nullable=True))
    op.drop_index("uq_simulations_running_bot", "simulations")
    op.create_index(
        "uq_simulations_unfinished_bot",
        "simulations",
        ["bot_id"],
        unique=True,
        sqlite_where=UNFINISHED,
        postgresql_where=UNFINISHED,
    )
