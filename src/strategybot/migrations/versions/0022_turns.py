"""The turn of a conversation is held by a worker, like a run, instead of until a moment."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"

Id = sa.String(36).with_variant(sa.Uuid(as_uuid=False), "postgresql")


def upgrade() -> None:
    op.add_column("conversations", sa.Column("worker_id", Id, nullable=True))
    op.drop_column("conversations", "answering_until")
