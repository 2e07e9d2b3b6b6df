"""Every revision knows to which one an undo goes back. Programs that a user has connected have tokens that are renewed;
they register themselves, and receive a code once the user has agreed.
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

Id = sa.String(36).with_variant(sa.Uuid(as_uuid=False), "postgresql")
Moment = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("bots_revisions", sa.Column("undo_to", sa.Integer(), nullable=True))
    op.execute("UPDATE bots_revisions SET undo_to = revision - 1")
    # A bot that was made with its first strategy never was without one.
    op.execute(
        "UPDATE bots_revisions SET undo_to = NULL WHERE revision = 1 "
        "AND created_at = (SELECT created_at FROM bots WHERE bots.id = bots_revisions.bot_id)"
    )
    op.create_table(
        "accounts_clients",
        sa.Column("id", Id, nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_accounts_clients"),
    )
    op.create_index("ix_accounts_clients_created_at", "accounts_clients", ["created_at"])
    op.create_table(
        "accounts_codes",
        sa.Column("code_hash", sa.String(64), nullable=False),
        sa.Column("client_id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("expires_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("code_hash", name="pk_accounts_codes"),
        sa.ForeignKeyConstraint(
            ["client_id"], ["accounts_clients.id"], name="fk_accounts_codes_client_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["accounts_users.id"], name="fk_accounts_codes_user_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_accounts_codes_client_id", "accounts_codes", ["client_id"])
    op.create_index("ix_accounts_codes_user_id", "accounts_codes", ["user_id"])
    op.create_index("ix_accounts_codes_expires_at", "accounts_codes", ["expires_at"])
    # An access token of a program is renewed with another token until `expires_at`.
    for column in (
        sa.Column("client_id", Id, nullable=True),
        sa.Column("renewal_hash", sa.String(64), nullable=True),
        sa.Column("access_until", Moment, nullable=True),
    ):
        op.add_column("accounts_personal_tokens", column)
    op.create_index(
        "ix_accounts_personal_tokens_renewal_hash", "accounts_personal_tokens", ["renewal_hash"], unique=True
    )
