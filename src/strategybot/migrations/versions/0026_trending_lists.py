"""The trending lists that the service has seen."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    op.create_table(
        "market_lists",
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("chain", sa.String(), nullable=False),
        sa.Column("hour", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("tokens", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("provider", "chain", "hour", name="pk_market_lists"),
    )
