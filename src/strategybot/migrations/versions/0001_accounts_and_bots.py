"""Accounts, their tokens and visitors; rolling limits; bots and the revisions of their strategies."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

Id = sa.String(36).with_variant(sa.Uuid(as_uuid=False), "postgresql")
Moment = sa.DateTime(timezone=True)


def upgrade() -> None:
    _accounts()
    _limits()
    _bots()


def _accounts() -> None:
    op.create_table(
        "accounts_owners",
        sa.Column("id", Id, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_accounts_owners"),
    )
    op.create_table(
        "accounts_users",
        sa.Column("id", Id, nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("email_key", sa.String(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=False),
        sa.Column("tier", sa.String(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_accounts_users"),
        sa.ForeignKeyConstraint(["id"], ["accounts_owners.id"], name="fk_accounts_users_id", ondelete="CASCADE"),
        sa.UniqueConstraint("email_key", name="uq_accounts_users_email_key"),
    )
    op.create_table(
        "accounts_tokens",
        sa.Column("jti", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("expires_at", Moment, nullable=False),
        sa.Column("revoked_at", Moment, nullable=True),
        sa.PrimaryKeyConstraint("jti", name="pk_accounts_tokens"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["accounts_users.id"], name="fk_accounts_tokens_user_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_accounts_tokens_user_id", "accounts_tokens", ["user_id"])
    op.create_index("ix_accounts_tokens_expires_at", "accounts_tokens", ["expires_at"])
    op.create_table(
        "accounts_visitors",
        sa.Column("id", Id, nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_accounts_visitors"),
        sa.ForeignKeyConstraint(["id"], ["accounts_owners.id"], name="fk_accounts_visitors_id", ondelete="CASCADE"),
        sa.UniqueConstraint("token_hash", name="uq_accounts_visitors_token_hash"),
    )


def _limits() -> None:
    op.create_table(
        "limits_admissions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("expires_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_limits_admissions"),
    )
    op.create_index("ix_limits_admissions_key_expires_at", "limits_admissions", ["key", "expires_at"])
    op.create_index("ix_limits_admissions_expires_at", "limits_admissions", ["expires_at"])


def _bots() -> None:
    op.create_table(
        "bots",
        sa.Column("id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("token", sa.String(), nullable=True),
        sa.Column("chain", sa.String(), nullable=True),
        sa.Column("strategy", sa.Text(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_bots"),
        sa.ForeignKeyConstraint(["owner_id"], ["accounts_owners.id"], name="fk_bots_owner_id", ondelete="CASCADE"),
        sa.UniqueConstraint("owner_id", "name", name="uq_bots_owner_id_name"),
    )
    op.create_table(
        "bots_revisions",
        sa.Column("bot_id", Id, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("strategy", sa.Text(), nullable=True),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("bot_id", "revision", name="pk_bots_revisions"),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name="fk_bots_revisions_bot_id", ondelete="CASCADE"),
    )
