"""Targets of notifications have a kind and fields instead of a URL; the picture of a share is stored."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0017"


def upgrade() -> None:
    # The URLs are encrypted, and a migration does not have the key: `Notifications.convert_old_targets` reads them.
    op.add_column("notifications_targets", sa.Column("kind", sa.String(), nullable=True))
    op.execute("ALTER TABLE notifications_targets RENAME COLUMN sealed_url TO sealed_fields")
    op.add_column("backtests_shares", sa.Column("picture", sa.LargeBinary(), nullable=True))
