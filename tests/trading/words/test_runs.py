"""Why no trade closed, in words."""

import pytest

from strategybot.trading.words.runs import no_trade_words

BUY, SALE = {"action": "BUY"}, {"action": "SELL"}


@pytest.mark.parametrize(
    ("held", "words"),
    [
        ([[]], "It bought once and still holds: +3.1 % so far."),  # a run of an older version
        ([[BUY]], "It bought once and still holds: +3.1 % so far."),
        ([[BUY, BUY, SALE, BUY]], "It bought 3 times and still holds: +3.1 % so far."),
        ([[BUY], [BUY]], "It bought 2 times and still holds: +3.1 % so far."),
        ([], "It never bought: its conditions were never true."),
    ],
)
def test_the_buys_of_open_positions_are_counted(held: list[list[dict[str, object]]], words: str) -> None:
    assert no_trade_words(0, 0, 3.1, held, never_known=False) == words


def test_with_a_closed_trade_nothing_is_said() -> None:
    assert no_trade_words(1, 1, None, [[BUY]], never_known=False) is None
