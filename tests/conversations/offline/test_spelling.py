"""Mistyped words: read as the nearest word and said back, never where a name, a number or another word is meant."""

import pytest

from tests.conversations.offline.world import talk

READ = {
    "set the trailng stop to 5%": "I read “trailng” as trailing",
    "remvoe the stop loss": "I read “remvoe” as remove",
    "set a colldown of 2h": "I read “colldown” as cooldown",
    "show my startegy": "I read “startegy” as strategy",
    "backtst it": "I read “backtst” as backtest",
}


@pytest.mark.parametrize(("said", "note"), READ.items())
def test_a_mistyped_word_is_read_and_said_back(said: str, note: str) -> None:
    _, reply = talk("dip", said)
    assert reply.startswith(note)


@pytest.mark.parametrize(
    "said",
    [
        "set the trailng stop to 5%", "remvoe the stop loss", "stpo loss 4%", "cooldwn 2h",
        "my friend usez a 10% stop", "llose at 100 bucks", "i changd my minfd, set the stop to 4%", "raisse the stip by 1%",
    ],
)  # fmt: skip
def test_a_correction_that_decides_what_is_changed_is_shown_first(said: str) -> None:
    stage, reply = talk("dip", said)
    assert not stage.acted
    assert reply.endswith("Apply it? (yes/no)")
    assert talk("dip", said, "yes")[0].acted


@pytest.mark.parametrize("said", ["backtst it", "pleasee set the stop loss to 4%", "set the stop loss to 4 percnt"])
def test_a_correction_that_decides_nothing_is_acted_on(said: str) -> None:
    assert talk("dip", said)[0].acted


def test_two_words_that_are_equally_near_are_asked_about() -> None:
    stage, reply = talk("dip", "raise the srop by 1%")
    assert not stage.acted
    assert "stop" in reply
    assert "drop" in reply
    stage, _ = talk("dip", "raise the srop by 1%", "stop")
    (call,) = stage.acted
    assert call["arguments"]["strategy"]["risk_management"]["stop_loss_percent"] == 4


@pytest.mark.parametrize(
    ("said", "query"), [("test it on zoom", "zoom"), ("backtest it on dust", "dust"), ("test it on DUST", "DUST")]
)
def test_the_name_of_a_token_is_never_corrected(said: str, query: str) -> None:
    stage, reply = talk("dip", said)
    assert "I read" not in reply
    assert {"name": "search_tokens", "arguments": {"query": query}} in stage.calls


def test_a_word_that_is_no_token_is_corrected() -> None:
    stage, reply = talk("dip", "run it on teh last week")
    assert reply.startswith("I read “teh” as the")
    assert [call["arguments"] for call in stage.acted] == [{"days": 7.0}]


@pytest.mark.parametrize(
    "said",
    ["my friend sets the stop to 5%", "Anna set the stop to 5%", "i sold at 5%", "do nto set the stop to 5%", "he uses a 5% stop"],
)  # fmt: skip
def test_a_correction_makes_no_order_of_what_is_none(said: str) -> None:
    assert not talk("dip", said)[0].acted
