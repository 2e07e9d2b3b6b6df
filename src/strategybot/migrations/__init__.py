"""The database schema, step by step. `migrate` updates a database, once even if several processes start together."""

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError

from strategybot.kit.database import Database


class DatabaseTooNew(Exception):
    """The database was made by a newer version of this program."""

    def __init__(self) -> None:
        super().__init__("The database belongs to a newer version of Strategy Bot; please update this one.")


def migrate(database: Database) -> None:
    """Update the database under one lock and in one transaction. A second process waits and then finds nothing to do.

    A database that is up to date is only looked at.
    """
    database.create_file()
    if current_revision(database) == newest_revision():
        return
    with database.write() as session:
        database.exclusive(session, "migrations")
        config = migration_config()
        config.attributes["connection"] = session.connection()
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise DatabaseTooNew from error


def current_revision(database: Database) -> str | None:
    """Return the revision of the database; None if it is empty."""
    with database.read() as session:
        return MigrationContext.configure(session.connection()).get_current_revision()


@cache
def newest_revision() -> str | None:
    return ScriptDirectory.from_config(migration_config()).get_current_head()


def migration_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    return config
