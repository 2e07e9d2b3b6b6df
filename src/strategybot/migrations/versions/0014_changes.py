"""What has changed, for the streams of events."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

Id = sa.String(36).with_variant(sa.Uuid(as_uuid=False), "postgresql")


def upgrade() -> None:
    op.create_table(
        "changes",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False, autoincrement=True),
        sa.Column("commit_order", sa.BigInteger(), nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("bot_id", Id, nullable=True),
        sa.Column("run_id", Id, nullable=True),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_changes"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_changes_commit_order_id", "changes", ["commit_order", "id"])
    op.create_index("ix_changes_at", "changes", ["at"])
    op.create_table(
        "changes_watches",
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("owner_id", name="pk_changes_watches"),
    )
