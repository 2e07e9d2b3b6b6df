"""Which revision a run tested and whose prices it used; the name, the note and the star that its owner gives it."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    for table in ("backtests", "simulations"):
        op.add_column(table, sa.Column("strategy_revision", sa.Integer(), nullable=True))
        op.add_column(table, sa.Column("data_source", sa.String(), nullable=True))
    op.add_column("backtests", sa.Column("name", sa.String(), nullable=True))
    op.add_column("backtests", sa.Column("note", sa.String(), nullable=False, server_default=""))
    op.add_column("backtests", sa.Column("starred", sa.Boolean(), nullable=False, server_default=sa.false()))
