"""On which databases a test runs that takes `database_url`: on both, unless a mark of it or of its file says otherwise."""

import pytest

ENGINES = ("sqlite", "postgresql")
on_sqlite_alone = pytest.mark.engines("sqlite")
"""Rules in which the database plays no part, or which others test on both with the same statements."""
on_postgresql_alone = pytest.mark.engines("postgresql")
"""What only PostgreSQL could get wrong: it has a type for ids, which are text on SQLite, and refuses more values."""
on_both = pytest.mark.engines(*ENGINES)
"""In a file that is marked otherwise: concurrent calls, and statements that no other file runs on PostgreSQL."""
