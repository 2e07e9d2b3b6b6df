"""What a password costs whoever has stolen its hash."""

import anyio
import argon2

from strategybot.accounts.credentials import Passwords
from tests.support import PASSWORD


def test_a_hash_of_the_service_costs_what_is_recommended_today() -> None:
    made = anyio.run(Passwords().hash, PASSWORD)
    found = argon2.extract_parameters(made)
    assert (found.type, found.time_cost, found.memory_cost, found.parallelism) == (argon2.Type.ID, 2, 19 * 1024, 1)
    assert (found.hash_len, found.salt_len) == (32, 16)
