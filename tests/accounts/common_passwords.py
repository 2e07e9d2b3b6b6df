"""The list of common passwords that registration refuses, made from a library's list of leaked passwords.

`python -m tests.accounts.common_passwords > src/strategybot/accounts/common_passwords.txt` writes it anew.
"""

import sys

from zxcvbn.frequency_lists import FREQUENCY_LISTS  # type: ignore[import-untyped]  # it comes without types

SHORTEST = 8  # a shorter one is refused for its length
EXTENDED = 1000  # of the most common ones, which people lengthen to what a site asks for
ENDINGS = ("1", "12", "123", "1234", "!")


def common_passwords() -> list[str]:
    """Return every leaked password that is long enough, and the most common ones with usual endings or doubled."""
    leaked: list[str] = FREQUENCY_LISTS["passwords"]
    longer = {word + ending for word in leaked[:EXTENDED] for ending in (*ENDINGS, word)}
    return sorted(word for word in {*leaked, *longer} if len(word) >= SHORTEST)


if __name__ == "__main__":
    sys.stdout.write("".join(f"{word}\n" for word in common_passwords()))
