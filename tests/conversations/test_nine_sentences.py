"""The nine sentences of the strategy language, each typed by a fresh visitor: a strategy at once, its backtest after a yes."""

import pytest
from fastapi.testclient import TestClient

from tests.conversations.nine_sentences import DIP, EITHER, GREEN, HALVES, RSI, STREAK, THIRDS, Json, holds
from tests.conversations.talking import arrive, say
from tests.engines import on_sqlite_alone

pytestmark = on_sqlite_alone


@pytest.mark.parametrize(
    ("sentence", "part", "told"),
    [
        (
            "buy PIPO when RSI is below 30, sell half at +10% and the rest at +20%",
            {"conditions": [RSI], "risk_management": {"take_profits": HALVES}},
            "take profit 2 of 2",
        ),
        (
            "buy PIPO when RSI is below 30, stop loss 4%, stop to break even after +5%",
            {"conditions": [RSI], "risk_management": {"stop_loss_percent": 4, "break_even_after_percent": 5}},
            "break even",
        ),
        (
            "buy PIPO when RSI is below 30, stop at 2 ATR",
            {"conditions": [RSI], "risk_management": {"stop_loss_atr": {"period": 14, "times": 2}}},
            "2 × ATR(14)",
        ),
        (
            "buy PIPO when RSI is below 30 and risk 1% of my account",
            {"conditions": [RSI], "risk_percent": 1, "risk_management": {"stop_loss_percent": 5}},
            "I took a stop loss of 5 %",
        ),
        (
            "buy PIPO when RSI is below 30, only between 9 and 17 UTC",
            {"conditions": [RSI, {"kind": "time", "from": "09:00", "to": "17:00", "timezone": "UTC"}]},
            "between 09:00 and 17:00",
        ),
        (
            "buy $100 of PIPO every day",
            {"conditions": [{"kind": "every", "period": "1d"}], "position_amount": 100, "max_entries": 10_000},
            "for $100",
        ),
        (
            "buy PIPO on 5% dips and add twice on the way down",
            {"conditions": [DIP], "position_percent": 33.33, "ladder": THIRDS},
            "steps of 5 %",
        ),
        (
            "buy PIPO when RSI < 30 or (dip and volume)",
            {"conditions": [RSI, EITHER], "match": "any"},
            "within 1h",
        ),
        (
            "buy PIPO after three red candles, then green",
            {"conditions": [STREAK, GREEN], "match": "all"},
            "streak",
        ),
    ],
)
def test_a_visitor_gets_the_strategy_and_after_a_yes_its_backtest(
    shared_client: TestClient, sentence: str, part: Json, told: str
) -> None:
    guest, conversation = arrive(shared_client)
    first = say(shared_client, guest, conversation, sentence)["message"]["content"]
    assert told in first
    assert first.endswith("(yes/no)")
    (bot,) = shared_client.get("/api/bots", headers=guest).json()["bots"]
    assert holds(bot["strategy"], part), bot["strategy"]
    assert not shared_client.get(f"/api/bots/{bot['id']}/backtests", headers=guest).json()["backtests"]
    tested = say(shared_client, guest, conversation, "yes")["message"]["content"]
    assert "on PIPO on solana" in tested, tested
    (run,) = shared_client.get(f"/api/bots/{bot['id']}/backtests", headers=guest).json()["backtests"]
    assert run["status"] == "completed"
