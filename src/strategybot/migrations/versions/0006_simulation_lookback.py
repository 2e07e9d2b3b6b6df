"""The look-back of a simulation becomes a reference into the candle store."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("simulations_candles", sa.Column("source", sa.String(), nullable=True))
    op.add_column("simulations_candles", sa.Column("lookback_time", sa.BigInteger(), nullable=True))
