"""Conversations, their messages, visitors' allowances and the journal of tool calls."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

Id = sa.String(36).with_variant(sa.Uuid(as_uuid=False), "postgresql")
Moment = sa.DateTime(timezone=True)


def upgrade() -> None:
    _conversations()
    _messages()
    _allowances()
    _tool_calls()


def _conversations() -> None:
    op.create_table(
        "conversations",
        sa.Column("id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("bot_id", Id, nullable=True),
        sa.Column("title", sa.String(), nullable=True),
        sa.Column("turn_id", Id, nullable=True),
        sa.Column("answering_until", Moment, nullable=True),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_conversations"),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["accounts_owners.id"], name="fk_conversations_owner_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name="fk_conversations_bot_id", ondelete="SET NULL"),
    )
    op.create_index("ix_conversations_owner_id", "conversations", ["owner_id"])
    op.create_index("ix_conversations_bot_id_updated_at", "conversations", ["bot_id", "updated_at"])


def _messages() -> None:
    op.create_table(
        "conversations_messages",
        sa.Column("id", Id, nullable=False),
        sa.Column("conversation_id", Id, nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("tool_calls", sa.JSON(), nullable=False),
        sa.Column("receipts", sa.JSON(), nullable=True),
        sa.Column("history", sa.Text(), nullable=True),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_conversations_messages"),
        sa.ForeignKeyConstraint(
            ["conversation_id"],
            ["conversations.id"],
            name="fk_conversations_messages_conversation_id",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_conversations_messages_conversation_id_id", "conversations_messages", ["conversation_id", "id"])


def _allowances() -> None:
    op.create_table(
        "conversations_allowances",
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("chats", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("owner_id", name="pk_conversations_allowances"),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["accounts_owners.id"], name="fk_conversations_allowances_owner_id", ondelete="CASCADE"
        ),
    )


def _tool_calls() -> None:
    op.create_table(
        "conversations_tool_calls",
        sa.Column("id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("conversation_id", Id, nullable=False),
        sa.Column("turn_id", Id, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("arguments", sa.JSON(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("created_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_conversations_tool_calls"),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["accounts_owners.id"], name="fk_conversations_tool_calls_owner_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_conversations_tool_calls_owner_id", "conversations_tool_calls", ["owner_id"])
