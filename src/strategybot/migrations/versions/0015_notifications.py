"""Notifications: what happened, whom to tell, and what is still to be delivered."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

Id = sa.String(36).with_variant(sa.Uuid(as_uuid=False), "postgresql")


def upgrade() -> None:
    op.create_table(
        "notifications",
        sa.Column("id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("bot_id", Id, nullable=True),
        sa.Column("run_id", Id, nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("read", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_notifications"),
    )
    op.create_index("ix_notifications_owner_id_id", "notifications", ["owner_id", "id"])
    op.create_table(
        "notifications_targets",
        sa.Column("id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("masked_url", sa.String(), nullable=False),
        sa.Column("sealed_url", sa.LargeBinary(), nullable=False),
        sa.Column("events", sa.JSON(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_notifications_targets"),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["accounts_owners.id"], name="fk_notifications_targets_owner_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_notifications_targets_owner_id", "notifications_targets", ["owner_id"])
    op.create_table(
        "notifications_deliveries",
        sa.Column("id", Id, nullable=False),
        sa.Column("target_id", Id, nullable=False),
        sa.Column("message", sa.JSON(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("admitted", sa.Boolean(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_notifications_deliveries"),
    )
    op.create_index("ix_notifications_deliveries_target_id", "notifications_deliveries", ["target_id"])
    op.create_index("ix_notifications_deliveries_due_at", "notifications_deliveries", ["due_at"])
