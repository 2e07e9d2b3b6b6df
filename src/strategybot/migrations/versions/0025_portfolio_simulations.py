"""A simulation of many tokens with one purse."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.add_column("simulations", sa.Column("asked_tokens", sa.JSON(), nullable=True))
    op.add_column("simulations", sa.Column("dead_token_loss_percent", sa.Double(), nullable=True))
