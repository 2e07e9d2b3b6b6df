"""Run by alembic: applies the steps on the connection that `migrate` hands over."""

from alembic import context

from strategybot.kit.database import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
context.run_migrations()
