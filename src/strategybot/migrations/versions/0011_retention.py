"""Old runs lose their details, accounts can be disabled, and visitors expire."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

Moment = sa.DateTime(timezone=True)
DETAILED = sa.text("details_kept")


def upgrade() -> None:
    for table in ("backtests", "simulations"):
        op.add_column(table, sa.Column("details_kept", sa.Boolean(), nullable=False, server_default=sa.true()))
        op.create_index(f"ix_{table}_detailed", table, ["bot_id"], sqlite_where=DETAILED, postgresql_where=DETAILED)
    op.add_column("accounts_users", sa.Column("disabled_at", Moment, nullable=True))
    op.add_column("accounts_visitors", sa.Column("used_at", Moment, nullable=True))
