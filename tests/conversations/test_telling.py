"""What the assistant says about runs."""

import pytest

from strategybot.conversations.agent.telling import optimisation_words, result_words

SOL = "So11111111111111111111111111111111111111112"


def test_a_search_in_which_no_variant_traded_enough_says_so() -> None:
    run = {
        "status": "completed",
        "token": SOL,
        "chain": "solana",
        "minimum_trades": 20,
        "variants_done": 9,
        "variants_total": 9,
        "walk_forward": {"total_return": None, "trades": 0},
        "recommended": None,
        "best_in_sample": None,
    }
    said = optimisation_words(run, {})
    assert said.endswith("on solana closed 20 trades, so none is recommended.")
    assert said.startswith("None of the 9 variants on ")


@pytest.mark.parametrize(
    ("symbol", "searched", "called"),
    [("SOL", {}, "SOL"), (None, {SOL: "WSOL"}, "WSOL"), (None, {}, "`So1111…1112`")],
)
def test_a_token_is_called_by_its_symbol_where_anything_knows_it(
    symbol: str | None, searched: dict[str, str], called: str
) -> None:
    run = {"status": "stopped", "token": SOL, "symbol": symbol, "chain": "solana"}
    assert result_words(run, searched) == f"The backtest of {called} on solana was stopped before it was finished."
