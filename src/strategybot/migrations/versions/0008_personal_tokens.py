"""Personal tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

Id = sa.String(36).with_variant(sa.Uuid(as_uuid=False), "postgresql")
Moment = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "accounts_personal_tokens",
        sa.Column("id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("may_write", sa.Boolean(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("expires_at", Moment, nullable=False),
        sa.Column("last_used_at", Moment, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_accounts_personal_tokens"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["accounts_users.id"], name="fk_accounts_personal_tokens_user_id", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("token_hash", name="uq_accounts_personal_tokens_token_hash"),
    )
    op.create_index("ix_accounts_personal_tokens_user_id", "accounts_personal_tokens", ["user_id"])
    op.create_index("ix_accounts_personal_tokens_expires_at", "accounts_personal_tokens", ["expires_at"])
