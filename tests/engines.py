"""For tests of rules in which the database plays no part: one engine shows them as well as both."""

import pytest

on_sqlite_alone = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
"""What is decided before any row is read or written."""
on_postgresql_alone = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
"""What only PostgreSQL could get wrong, which has a type for ids; on SQLite they are text."""
