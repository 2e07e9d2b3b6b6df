"""Backtests that everybody who knows the address may read."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

Id = sa.String(36).with_variant(sa.Uuid(as_uuid=False), "postgresql")


def upgrade() -> None:
    op.create_table(
        "backtests_shares",
        sa.Column("id", sa.String(43), nullable=False),
        sa.Column("run_id", Id, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("token_symbol", sa.String(), nullable=True),
        sa.Column("token_name", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_backtests_shares"),
        sa.ForeignKeyConstraint(
            ["run_id"], ["backtests.run_id"], name="fk_backtests_shares_run_id", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("run_id", name="uq_backtests_shares_run_id"),
    )
