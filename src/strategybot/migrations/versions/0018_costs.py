"""Runs store the costs they trade with, token tax and price impact included; runs from before have neither."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    for table in ("backtests", "simulations", "research_optimisations", "research_surveys"):
        op.add_column(table, sa.Column("costs", sa.Text(), nullable=True))
