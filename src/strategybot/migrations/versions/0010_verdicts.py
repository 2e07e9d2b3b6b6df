"""Verdicts of backtests, tries of each owner, baskets of other tokens, and sealed holdouts of bots."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

Id = sa.String(36).with_variant(sa.Uuid(as_uuid=False), "postgresql")
Moment = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("backtests", sa.Column("verdict", sa.JSON(), nullable=True))
    op.add_column("backtests", sa.Column("verdict_error", sa.String(), nullable=True))
    op.add_column("backtests", sa.Column("pool", sa.JSON(), nullable=True))
    op.add_column("backtests", sa.Column("holdout", sa.JSON(), nullable=True))
    for column in ("holdout_from", "holdout_sealed_at", "holdout_opened_at"):
        op.add_column("bots", sa.Column(column, Moment, nullable=True))
    op.create_table(
        "research_tries",
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("token_id", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("start_time", sa.BigInteger(), nullable=False),
        sa.Column("end_time", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("owner_id", "token_id", "digest", "start_time", "end_time", name="pk_research_tries"),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["accounts_owners.id"], name="fk_research_tries_owner_id", ondelete="CASCADE"
        ),
    )
    op.create_table(
        "research_baskets",
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("chain", sa.String(), nullable=False),
        sa.Column("tokens", sa.JSON(), nullable=False),
        sa.Column("made_at", Moment, nullable=False),
        sa.PrimaryKeyConstraint("provider", "chain", name="pk_research_baskets"),
    )
