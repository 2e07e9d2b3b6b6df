"""The nine sentences of the strategy language as they stand there: what they leave out is taken, and said."""

import pytest
from fastapi.testclient import TestClient

from tests.conversations.nine_sentences import DIP, EITHER, GREEN, HALVES, RSI, STREAK, THIRDS, Json, holds
from tests.conversations.talking import arrive, say
from tests.engines import on_sqlite_alone

pytestmark = on_sqlite_alone


@pytest.mark.parametrize(
    ("sentence", "part"),
    [
        (
            "sell half at +10 % and the rest at +20 %",
            {"conditions": [RSI], "risk_management": {"take_profits": HALVES}},
        ),
        ("buy 5 % dips and add twice on the way down", {"conditions": [DIP], "ladder": THIRDS}),
        ("stop to break even after +5 %", {"conditions": [RSI], "risk_management": {"break_even_after_percent": 5}}),
        ("stop at 2 ATR", {"conditions": [RSI], "risk_management": {"stop_loss_atr": {"period": 14, "times": 2}}}),
        ("risk 1 % of my account", {"conditions": [RSI], "risk_percent": 1}),
        ("only between 9 and 17 UTC", {"conditions": [RSI, {"kind": "time", "from": "09:00", "to": "17:00"}]}),
        ("buy $100 every day", {"conditions": [{"kind": "every", "period": "1d"}], "position_amount": 100}),
        ("RSI < 30 or (dip and volume)", {"conditions": [RSI, EITHER], "match": "any"}),
        ("three red candles, then green", {"conditions": [STREAK, GREEN]}),
    ],
)
def test_what_a_visitor_leaves_out_is_taken_and_said(shared_client: TestClient, sentence: str, part: Json) -> None:
    guest, conversation = arrive(shared_client)
    first = say(shared_client, guest, conversation, sentence)["message"]["content"]
    (bot,) = shared_client.get("/api/bots", headers=guest).json()["bots"]
    assert holds(bot["strategy"], part), bot["strategy"]
    names_no_entry = RSI in part["conditions"] and "RSI" not in sentence
    assert ("You did not say when to buy" in first) == names_no_entry
    assert "You named no token" in first
    assert first.endswith("(yes/no)")
    assert "on SOL on solana" in say(shared_client, guest, conversation, "yes")["message"]["content"]


def test_a_rule_to_sell_alone_is_asked_for_its_entry(shared_client: TestClient) -> None:
    guest, conversation = arrive(shared_client)
    assert "When should it buy?" in say(shared_client, guest, conversation, "sell when RSI > 70")["message"]["content"]
