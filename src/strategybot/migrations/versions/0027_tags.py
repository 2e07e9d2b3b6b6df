"""Bots have tags."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.add_column("bots", sa.Column("tags", sa.JSON(), nullable=False, server_default="[]"))
