"""The cost of a password hash."""

import anyio
import argon2

from strategybot.accounts.credentials import Passwords
from tests.support import PASSWORD


def test_password_hashes_use_the_recommended_parameters() -> None:
    made = anyio.run(Passwords().hash, PASSWORD)
    found = argon2.extract_parameters(made)
    assert (found.type, found.time_cost, found.memory_cost, found.parallelism) == (argon2.Type.ID, 2, 19 * 1024, 1)
    assert (found.hash_len, found.salt_len) == (32, 16)
