"""One purse on many tokens, in words."""

import pytest

from strategybot.conversations.offline.purses import Purse, purse_of
from tests.conversations.offline.world import talk


@pytest.mark.parametrize(
    ("said", "purse"),
    [
        (
            "test my dip rule on the 10 most liquid solana tokens with one purse, at most 4 open",
            Purse(10, "solana", 4),
        ),
        ("trade the 10 most liquid solana tokens, at most 4 at a time", Purse(10, "solana", 4)),
        ("Backtest it on the top 5 base tokens as a portfolio", Purse(5, "base", None)),
        ("run it on the ten trending tokens on bsc with one wallet, max three positions", Purse(10, "bsc", 3)),
        ("trade the 8 biggest coins, no more than 2 at once.", Purse(8, None, 2)),
        (
            "paper trade it on the 10 most liquid solana tokens with one purse, at most 4 open",
            Purse(10, "solana", 4, is_live=True),
        ),
        ("paper-trade the top 5 base tokens live as a portfolio", Purse(5, "base", None, is_live=True)),
        (
            "now trade it live on paper with the same purse on the 10 most liquid solana tokens",
            Purse(10, "solana", None, is_live=True),
        ),
        ("Run it live on the 5 trending base tokens, at most 2 open", Purse(5, "base", 2, is_live=True)),
        ("test it on the top 20", None),
        ("run it on the top 10 solana tokens", None),
        ("trade the 10 most liquid solana tokens, at most 4 at a time, stop loss 5%", None),
        ("trade the 10 most liquid mars tokens, at most 4 at a time", None),
        ("buy when it drops 5% in 1h", None),
    ],
)
def test_what_a_message_says_about_a_purse(said: str, purse: Purse | None) -> None:
    assert purse_of(said, {}) == purse


@pytest.mark.parametrize(
    ("said", "is_again"),
    [
        ("now the same as a live paper portfolio", True),
        ("do the same live on paper", True),
        ("paper trade it", True),
        ("run the same live", True),
        ("simulate it on BONK", False),
        ("replay it", False),
        ("test it again", False),
    ],
)
def test_after_a_test_with_one_purse_it_is_followed_on_the_same_tokens(said: str, is_again: bool) -> None:
    purse = purse_of(said, {"trending": "base", "limit": 7})
    assert purse == (Purse(7, "base", None, is_live=True) if is_again else None)
    assert purse_of(said, {"token": "x"}) is None


@pytest.mark.parametrize(
    "said",
    [
        "test my dip rule on the 10 most liquid solana tokens with one purse, at most 4 open",
        "trade the 10 most liquid solana tokens, at most 4 at a time",
    ],
)
@pytest.mark.parametrize("given", ["dip", "empty", "nothing"])
def test_the_strategy_gets_its_places_and_is_tested(given: str, said: str) -> None:
    stage, reply = talk(given, said)
    assert stage.acted[-1] == {"name": "run_backtest", "arguments": {"trending": "solana", "limit": 10}}
    assert stage.linked is not None
    assert stage.linked.strategy is not None
    assert stage.linked.strategy["portfolio"] == {"max_open": 4, "prefer": "volume"}
    assert "hold at most 4 tokens at a time" in reply


def test_paper_trading_follows_the_tokens_live() -> None:
    stage, _ = talk("dip", "paper trade it on the 10 most liquid solana tokens with one purse, at most 4 open")
    assert stage.acted[-1] == {
        "name": "start_simulation", "arguments": {"trending": "solana", "limit": 10, "mode": "live"}
    }  # fmt: skip


def test_a_purse_without_a_chain_asks_for_one() -> None:
    stage, reply = talk("nothing", "trade the 8 biggest coins, no more than 2 at once")
    assert not stage.acted
    assert "On which chain?" in reply
