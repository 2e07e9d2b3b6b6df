"""What the assistant says about runs."""

from strategybot.conversations.agent.telling import optimisation_words


def test_a_search_in_which_no_variant_traded_enough_says_so() -> None:
    run = {
        "status": "completed",
        "token": "So11111111111111111111111111111111111111112",
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
