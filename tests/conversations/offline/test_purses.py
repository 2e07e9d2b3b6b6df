"""One purse on many tokens, in words."""

import pytest

from tests.conversations.offline.world import talk

LIVE = {"mode": "live"}


@pytest.mark.parametrize(
    ("said", "tokens", "chain", "places", "more"),
    [
        ("test my dip rule on the 10 most liquid solana tokens with one purse, at most 4 open", 10, "solana", 4, {}),
        ("trade the 10 most liquid solana tokens, at most 4 at a time", 10, "solana", 4, {}),
        ("Backtest it on the top 5 base tokens as a portfolio", 5, "base", None, {}),
        ("run it on the ten trending tokens on bsc with one wallet, max three positions", 10, "bsc", 3, {}),
        ("trade the 8 biggest coins, no more than 2 at once.", 8, "eth", 2, {}),
        ("paper trade it on the 10 most liquid solana tokens with one purse, at most 4 open", 10, "solana", 4, LIVE),
        ("paper-trade the top 5 base tokens live as a portfolio", 5, "base", None, LIVE),
        (
            "now trade it live on paper with the same purse on the 10 most liquid solana tokens",
            10,
            "solana",
            None,
            LIVE,
        ),
        ("Run it live on the 5 trending base tokens, at most 2 open", 5, "base", 2, LIVE),
    ],
)
def test_what_a_message_says_about_a_purse(
    said: str, tokens: int, chain: str, places: int | None, more: dict[str, str]
) -> None:
    stage, _ = talk("dip", said)
    tool = "start_simulation" if more else "run_backtest"
    assert stage.acted[-1] == {"name": tool, "arguments": {"trending": chain, "limit": tokens, **more}}
    assert stage.linked is not None
    assert stage.linked.strategy is not None
    assert (stage.linked.strategy.get("portfolio") or {}).get("max_open") == places


@pytest.mark.parametrize(
    ("said", "is_again"),
    [
        ("now the same as a live paper portfolio", True),
        ("do the same live on paper", True),
        ("paper trade it", True),
        ("run the same live", True),
        ("paper trade it on PIPO", False),
        ("test it again", False),
    ],
)
def test_after_a_test_with_one_purse_it_is_followed_on_the_same_tokens(said: str, is_again: bool) -> None:
    stage, _ = talk("dip", "trade the top 7 base tokens, at most 2 at once", said)
    followed = {"name": "start_simulation", "arguments": {"trending": "base", "limit": 7, **LIVE}}
    assert (stage.acted[-1] == followed) == is_again


@pytest.mark.parametrize(
    "said",
    [
        "test it on the top 20",
        "run it on the top 10 solana tokens",
        "trade the 10 most liquid mars tokens, at most 4 at a time",
    ],
)
def test_what_says_less_is_no_purse(said: str) -> None:
    stage, _ = talk("dip", said)
    assert not any(call["name"] in ("run_backtest", "update_trading_strategy") for call in stage.acted)


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


def test_what_else_a_message_with_a_purse_changes_is_done_before_it_runs() -> None:
    stage, _ = talk("dip", "trade the 10 most liquid solana tokens, at most 4 at a time, stop loss 5%")
    assert [call["name"] for call in stage.acted] == ["update_trading_strategy", "run_backtest"]
    assert stage.linked is not None
    assert stage.linked.strategy is not None
    assert stage.linked.strategy["risk_management"]["stop_loss_percent"] == 5
    assert stage.linked.strategy["portfolio"]["max_open"] == 4


def test_a_purse_without_a_chain_asks_for_one() -> None:
    stage, reply = talk("nothing", "trade the 8 biggest coins, no more than 2 at once")
    assert not stage.acted
    assert "On which chain?" in reply
