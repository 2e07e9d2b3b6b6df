"""A backtest of many tokens with one purse, and the tokens of a bot."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.add_column("bots", sa.Column("universe", sa.JSON(), nullable=True))
    op.add_column("backtests", sa.Column("tokens", sa.JSON(), nullable=True))
    op.add_column("backtests", sa.Column("dead_token_loss_percent", sa.Double(), nullable=True))
    op.add_column("backtests", sa.Column("portfolio", sa.JSON(), nullable=True))
