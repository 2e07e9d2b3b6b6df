"""Runs may decide candles in doubt on 1-minute candles; those from before this counted the stop as first."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    for table in ("backtests", "simulations"):
        op.add_column(table, sa.Column("intrabar", sa.String(), nullable=False, server_default="off"))
    op.add_column("backtests", sa.Column("most_minutes", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("simulations_steps", sa.Column("minutes", sa.LargeBinary(), nullable=True))
