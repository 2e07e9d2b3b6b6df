"""The market: candles in blocks, the provider's pace and its meters."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

Id = sa.String(36).with_variant(sa.Uuid(as_uuid=False), "postgresql")


def upgrade() -> None:
    op.create_table(
        "market_series",
        sa.Column("id", Id, nullable=False),
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("token_id", sa.String(), nullable=False),
        sa.Column("interval", sa.String(), nullable=False),
        sa.Column("answered", sa.JSON(), nullable=False),
        sa.Column("remarks", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_market_series"),
        sa.UniqueConstraint("provider", "token_id", "interval", name="uq_market_series_provider_token_id_interval"),
    )
    op.create_table(
        "market_blocks",
        sa.Column("series_id", Id, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("candles", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("series_id", "number", name="pk_market_blocks"),
        sa.ForeignKeyConstraint(
            ["series_id"], ["market_series.id"], name="fk_market_blocks_series_id", ondelete="CASCADE"
        ),
    )
    op.create_table(
        "market_paces",
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("provider", name="pk_market_paces"),
    )
    op.create_table(
        "market_meters",
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("operation", sa.String(), nullable=False),
        sa.Column("calls", sa.BigInteger(), nullable=False),
        sa.Column("cost_units", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("provider", "operation", name="pk_market_meters"),
    )
