"""What tells how things are changes nothing, though each of its words could stand in an order."""

import pytest

from strategybot.conversations.offline.orders.statements import is_statement
from strategybot.conversations.offline.words.hearing import line_of


@pytest.mark.parametrize(
    "said",
    [
        "i have a 5% stop",
        "we're using a 5% stop",
        "it has a 5% stop",
        "there's a 5% stop",
        "the stop has always been 5%",
        "the stop is at 5%",
        "so now the stop is 5%",
        "i'm scared of a 5% stop",
        "thanks for removing the stop",
        "good that you removed the stop",
        "you keep changing the stop to 5%",
        "it's too early to remove the stop",
        "let's say the stop is 5%",
        "buying 7% dips is my thing",
        "set the stop to 5% as a test",
        "set the stop to 5%, dry run",
        "remove the stop, wait",
        "remove the stop after my ok",
        "no 5% stop",
    ],
)
def test_what_is_only_told_is_a_statement(said: str) -> None:
    assert is_statement(line_of(said))


@pytest.mark.parametrize(
    "said",
    [
        "i want a 5% stop",
        "i have to have a 5% stop",
        "i'd rather have a 5% stop",
        "thanks for the help, set the stop to 5%",
        "it's time to set the stop to 5%",
        "let's say 5%",
        "no, 5% stop",
        "the stop should be at 5%",
        "wait 2 hours after a sale",
        "buy when it drops 7%",
    ],
)
def test_what_is_asked_for_is_none(said: str) -> None:
    assert not is_statement(line_of(said))
