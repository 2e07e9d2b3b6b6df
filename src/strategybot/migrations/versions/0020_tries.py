"""A try is rules, interval, span and costs; rows without `rules` are older and count once for each digest."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.add_column("research_tries", sa.Column("rules", sa.String(), nullable=True))
    op.add_column("research_tries", sa.Column("tokens", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("research_tries", sa.Column("length", sa.BigInteger(), nullable=True))
