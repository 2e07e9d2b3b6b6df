"""A simulation that trades the trending list of each day."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.add_column("simulations", sa.Column("listing", sa.JSON(), nullable=True))
