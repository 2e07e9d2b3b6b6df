"""The 10,000 most common passwords are refused: by the list, or because they are too short."""

import pytest
from zxcvbn.frequency_lists import FREQUENCY_LISTS  # type: ignore[import-untyped]  # it comes without types

from strategybot.accounts.schemas import COMMON_PASSWORDS
from tests.accounts.common_passwords import SHORTEST, common_passwords


def test_the_list_equals_that_of_the_library() -> None:
    assert sorted(COMMON_PASSWORDS) == common_passwords()


def test_each_of_the_ten_thousand_most_common_is_refused() -> None:
    accepted = [word for word in FREQUENCY_LISTS["passwords"][:10_000] if len(word) >= SHORTEST]
    assert len(accepted) > 3000
    assert COMMON_PASSWORDS.issuperset(accepted)


@pytest.mark.parametrize("password", ["qwerty123", "admin123", "testtest", "iloveyou1", "letmein1", "football1"])
def test_a_common_password_with_a_usual_ending_is_refused(password: str) -> None:
    assert password in COMMON_PASSWORDS
