"""Runs store the costs they trade with, token tax and price impact included, and the symbol of their token.

Runs from before this have neither. A live simulation also stores what it noticed about its token's pool.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    for table in ("backtests", "simulations", "research_optimisations", "research_surveys"):
        op.add_column(table, sa.Column("costs", sa.Text(), nullable=True))
    for table in ("backtests", "simulations", "research_optimisations"):
        op.add_column(table, sa.Column("token_symbol", sa.String(), nullable=True))
    op.add_column("simulations", sa.Column("pool_notes", sa.JSON(), nullable=True))
