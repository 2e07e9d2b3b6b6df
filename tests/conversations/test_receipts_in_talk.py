"""Receipts in whole conversations: true statements and suggestions are never marked, invented results always."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic_ai.messages import ModelMessage, ToolReturnPart, UserPromptPart

from strategybot.conversations.receipts.checking import check
from tests.conversations.known_numbers import KNOWN, found
from tests.conversations.offline.world import world
from tests.conversations.talking import Headers, begin, say
from tests.engines import on_sqlite_alone
from tests.support import STRATEGY, create_bot

pytestmark = on_sqlite_alone

UTTERANCES = 120
MARKET = {
    "symbol": "PIPO",
    "price_usd": 0.000412,
    "price_change_24h_percent": -4.87,
    "volume_24h_usd": 1_234_567.0,
    "liquidity_usd": 98_000.0,
}
RISK = {
    "risk_score": 55.0,
    "sell_tax_percent": 2.0,
    "liquidity_locked_percent": 80.0,
    "warnings": ["The top 10 holders own 41.2 % of it."],
}
SETTINGS = {
    "conditions": [{"kind": "price_drop", "percent": 8}, {"kind": "volume_spike", "multiplier": 3}],
    "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 33, "trailing_stop_percent": 4},
    "position_percent": 50,
}
SAID = "buy when it drops 8% in 4h, stop 3, target 33, trail 4"
EVERYTHING: list[Any] = [SAID, *KNOWN, found({"strategy": SETTINGS}), found([MARKET]), found(RISK)]
TRUE = """Your backtest on PIPO (15m candles, Oct 16 – Nov 15, 2026) is done. Here is how it went:
- **Total return:** −12.35 %
- **Win rate:** 42.86 % (3 of 7 trades)
- **Max drawdown:** 18.04 %
- **Sharpe ratio:** 1.23
- **Buy & hold:** +5.99 %
- **Fees paid:** $140.50

Your strategy lost 12.35 %, while simply holding would have gained 5.99 %.
Starting from $10,000, you ended with $8,765.44 — a loss of $1,234.56.
It would have turned $10,000 into $8,765.
The win rate of 42.9 % means that 3 of the 7 trades were profitable and 4 lost money.
Its stop loss is 3 %, its take profit is 33 % and it uses 50 % of the cash per trade.
The bot buys when the price drops at least 8 % within 4h and the volume is 3× its 1h average.
It sells at a 3 % loss, at a 33 % gain, or when the price falls 4 % below its peak.
Would you like to tighten the stop to 2 %, or widen it to 5 %?
You could try a stop loss between 4 % and 6 %.
I'd suggest raising the take profit from 33 % to 40 %.
I've changed the stop loss from 3 % to 4 %. Shall I run a 30-day backtest?
I can test it with 1,000 dollars if you want.
PIPO trades at $0.000412, down 4.87 % in the last 24 hours, with a volume of $1.23M and liquidity of $98k.
The risk score is 55 of 100; the top 10 holders own 41.2 % of the supply, with a sell tax of 2 %.
80 % of the liquidity is locked.
A stop loss of 3 % means that each trade risks at most 3 % of the position.
If the price drops 8 % in 4 hours, the bot buys with 50 % of its cash.
Typical values are 2–5 % for the stop and 5–15 % for the target.
Set it to 5 %? (yes/no)
Done! The stop is now 4 % instead of 3 %.
There are 2 more things to know: fees of 0.3 % are included, and slippage is 0.5 %.
The backtest covers 2,880 candles of 15 minutes.
I ran it over 30 days with an initial cash of 10,000.
The position size is 50 %, so half of the cash stays unused.
Now it buys when the price rises 5 % and sells when it is up 15 %, or after a 5 % loss.
Max loss per trade: 3 %.
Backtests can go back 3,650 days, and the stop can be between 0.1 % and 99 %.
You can say "stop loss 4 %" or "sell when it is up 15 %".
Trading fees of 0.3 % on both sides add up to 0.6 % per trade.
The trailing stop sells 4 % under the highest price since the buy.
Nothing was traded: the price never dropped 8 % within 4h.
The price fell 8 % in 4h 7 times, and each time it bought.
Trade 3 was the worst. Trade #4 was better.
I need 20 daily returns for a Sharpe ratio.
You have 9 of your 10 bots left.
Your plan allows 3 simulations at once and 100,000 candles per backtest.
Der Backtest ergab eine Rendite von −12,35 % bei 7 Trades; die Trefferquote lag bei 42,9 %.
Soll ich den Stop auf 4 % setzen? Kaufe, wenn der Preis um 5 % in 1h fällt.
He puesto el stop en 4 %.
Dein Stop-Loss liegt bei 3 %, dein Ziel bei 33 %.
Le backtest a donné −12,35 % avec 7 trades et un drawdown de 18,04 %.
回测收益率为 -12.35%，胜率 42.9%，最大回撤 18.04%。"""
MADE_UP = """A 340 % return!
Return = 340%
Return ... 340 %
Return (30 days): 340 %
Result → 340 %
gain=340%
340% ROI
Your strategy: +340%
The strategy was profitable, with +340 %.
It beat buy and hold by 340 percentage points.
Your money more than tripled: 340 % up.
You made a profit of $3,400.
PnL: 3400
Sharpe 3.4, Sortino 4.5
9 out of 12 trades won.
ninety percent of the trades won
The equity reached 34k.
Your balance is $34,000.
Max DD 1.5%
It outperformed with 340 %.
Ihr Gewinn: $3400
CAGR of 340 percent
On average, each trade gained 5.5 %.
Average win 55 %, average loss 1.1 %
The best trade brought 77 %.
It took 99 trades.
It returned ~340 %.
It returned over 340%.
<b>340 %</b> return
[340 %](http://example.com) return
The return was 3 4 0 %.
It returned 3,40 %.
Stop: 3 %. Return: 340 %.
The stop loss made you 340 % richer.
The strategy sells at the top and makes 340 %.
I set the stop to 4 % and now it returns 340 %.
When it buys the dip it gains 340 %.
Sold for a 340 % gain.
Exited with 340 % profit.
Your position is up 340 %.
Your position is worth $34,000.
I suggest keeping it: +340 % so far.
For example, it made 340 % in May.
Should I celebrate? It made 340 %.
> 340 % profit
Total return — 340
`return` is 340
You gained 1.000.000 %
あなたの利益は340%です
ربحك ٣٤٠٪"""


@pytest.mark.parametrize("answer", [*filter(None, TRUE.split("\n")), TRUE])
def test_correct_statements_of_a_language_model_are_not_marked(answer: str) -> None:
    assert check(answer, EVERYTHING).unverified == []


@pytest.mark.parametrize("answer", MADE_UP.split("\n"))
def test_invented_numbers_of_a_language_model_are_marked(answer: str) -> None:
    assert check(answer, EVERYTHING).unverified


def test_answers_of_slash_commands_are_never_marked(client: TestClient, user: Headers) -> None:
    create_bot(client, user, "Bot 12 %", strategy=STRATEGY)
    conversation = begin(client, user)
    for command in (
        "/help", "/bots", "/bot Bot 12 %", "/strategy", "/undo", "/backtest PIPO 1d 30d", "/backtest PIPO 4h 99d",
        "/simulate PIPO 5m", "/stop", "/search pipo", "/trending", "/trending solana", "/risk PIPO", "/price PIPO",
        "/bot Bot 13 %", "/backtest PIPO 1m 3650d",
    ):  # fmt: skip
        message = say(client, user, conversation, command)["message"]
        assert not (message["receipts"] or {}).get("unverified"), message["content"]


def known_from(history: list[ModelMessage]) -> list[Any]:
    known: list[Any] = []
    for part in (part for message in history for part in message.parts):
        if isinstance(part, UserPromptPart):
            known.append(part.content)
        elif isinstance(part, ToolReturnPart):
            known.append(found({"error": part.content} if part.outcome == "failed" else part.content))
    return known


def test_answers_of_the_offline_model_are_never_marked() -> None:
    """A sample of the utterances it is measured with, taken from the whole table."""
    rows = json.loads((Path(__file__).parent / "utterances.json").read_text(encoding="utf-8"))

    async def play(row: dict[str, Any]) -> None:
        stage = world(row["given"])
        for utterance in [*row.get("after", []), row["say"]]:
            answer = await stage.say(utterance)
            assert check(answer, known_from(stage.history)).unverified == [], (utterance, answer)

    async def play_all() -> None:
        for row in rows[:: len(rows) // UTTERANCES]:
            await play(row)

    asyncio.run(play_all())
