"""Targets of notifications have a kind and fields instead of a URL; the picture of a share is stored; accounts
remember the addresses from which they were opened.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

Id = sa.String(36).with_variant(sa.Uuid(as_uuid=False), "postgresql")


def upgrade() -> None:
    # The URLs are encrypted, and a migration does not have the key: `Notifications.convert_old_targets` reads them.
    op.add_column("notifications_targets", sa.Column("kind", sa.String(), nullable=True))
    op.execute("ALTER TABLE notifications_targets RENAME COLUMN sealed_url TO sealed_fields")
    op.add_column("backtests_shares", sa.Column("picture", sa.LargeBinary(), nullable=True))
    op.create_table(
        "accounts_addresses",
        sa.Column("user_id", Id, nullable=False),
        sa.Column("address_hash", sa.String(64), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "address_hash", name="pk_accounts_addresses"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["accounts_users.id"], name="fk_accounts_addresses_user_id", ondelete="CASCADE"
        ),
    )
