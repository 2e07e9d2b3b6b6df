"""For tests of rules in which the database plays no part: one engine shows them as well as both."""

import pytest

on_sqlite_alone = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
"""What is decided before any row is read or written, or by services whose own tests run on both."""
on_postgresql_alone = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
"""What only PostgreSQL could get wrong: it has a type for ids, which are text on SQLite, and refuses more values."""
