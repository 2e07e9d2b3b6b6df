"""Token tax and price impact are in every run's result, with what was used stored on the run."""

import pytest
from fastapi.testclient import TestClient

from strategybot.app import Services
from strategybot.backtests.storage import Backtest
from strategybot.market.demo_tokens import LISTINGS
from strategybot.trading.words.costs import OF_AN_OLDER_VERSION, SWITCHED_OFF
from tests.backtests.driving import Headers, Json, finished, read, start
from tests.engines import on_both, on_sqlite_alone
from tests.support import create_bot

pytestmark = on_sqlite_alone

GRUMP = next(each for each in LISTINGS if each.symbol == "GRUMP")
RSI = {
    "conditions": [{"kind": "compare", "left": {"series": "rsi"}, "operator": "below", "right": 30}],
    "exit_conditions": [{"kind": "compare", "left": {"series": "rsi"}, "operator": "above", "right": 70}],
}
SPAN = {"kline_interval": "1h", "start_time": "2025-09-01", "end_time": "2025-11-30"}


@pytest.fixture
def bot(client: TestClient, user: Headers) -> Json:
    return create_bot(client, user, strategy=RSI, token=GRUMP.address, chain=GRUMP.chain)


def outcome(client: TestClient, user: Headers, bot: Json, **request: object) -> Json:
    return finished(client, user, start(client, user, bot, **SPAN, **request))


@on_both
def test_a_taxed_token_shows_what_its_holders_would_have_had(client: TestClient, user: Headers, bot: Json) -> None:
    run = outcome(client, user, bot)
    costs, metrics = run["costs"], run["metrics"]
    assert (costs["buy_tax_percent"], costs["sell_tax_percent"], costs["sources"]["tax"]) == (4, 6, "provider")
    assert costs["liquidity_usd"] > 0
    assert costs["liquidity_read_at"] is not None
    assert run["token_symbol"] == "GRUMP"
    assert metrics["tax_paid"] > 0
    assert metrics["impact_paid"] > 0
    off = outcome(client, user, bot, pool_costs="off")
    assert off["metrics"]["total_return"] == pytest.approx(metrics["return_without_pool_costs"], rel=1e-12)
    assert metrics["total_return"] < off["metrics"]["total_return"]
    assert off["cost_notes"][-1] == SWITCHED_OFF
    assert off["metrics"]["tax_paid"] == off["metrics"]["impact_paid"] == 0
    assert run["cost_notes"][-1].startswith("Without tax and price impact: ")
    assert run["pool"] is None
    # A trade that keeps its price loses what the two taxes take.
    trades = read(client, user, run, "/trades", per_page=100)["trades"]
    for trade in trades:
        growth = trade["exit_price"] / trade["entry_price"]
        assert 1 + trade["pnl_percent"] / 100 < growth * 0.96 * 0.94
    assert sum(trade["tax"] for trade in trades) == pytest.approx(metrics["tax_paid"], rel=0.5)


def test_a_request_can_say_what_if(client: TestClient, user: Headers, bot: Json) -> None:
    asked = {"liquidity_usd": 5000, "buy_tax_percent": 0, "sell_tax_percent": 0}
    run = outcome(client, user, bot, **asked)
    assert {name: run["costs"][name] for name in asked} == asked
    assert run["costs"]["sources"] == {"liquidity": "request", "tax": "request"}
    assert run["metrics"]["tax_paid"] == 0 < run["metrics"]["impact_paid"]


@pytest.mark.parametrize("name", ["liquidity_usd", "buy_tax_percent", "sell_tax_percent"])
def test_what_if_and_off_exclude_each_other(client: TestClient, user: Headers, bot: Json, name: str) -> None:
    for path in ("backtest", "simulate", "preview"):
        answer = client.post(f"/api/bots/{bot['id']}/{path}", json={"pool_costs": "off", name: 1}, headers=user)
        assert (answer.status_code, answer.json()["detail"]) == (422, f"{name} cannot be given while pool_costs is off")


def test_a_run_of_an_older_version_keeps_its_numbers_and_says_so(
    client: TestClient, user: Headers, bot: Json, services: Services
) -> None:
    run = outcome(client, user, bot)
    with services.database.write() as session:
        session.get_one(Backtest, run["run_id"]).costs = None
    old = read(client, user, run)
    assert (old["costs"], old["cost_notes"]) == (None, [OF_AN_OLDER_VERSION])
    assert old["metrics"] == run["metrics"]
    assert "without tax and price impact" in OF_AN_OLDER_VERSION


def test_a_result_without_tax_and_impact_is_called_that_in_the_bell_the_chat_and_its_share(
    client: TestClient, user: Headers, bot: Json
) -> None:
    taxed = outcome(client, user, bot)
    plain = outcome(client, user, bot, pool_costs="off")
    bell = client.get("/api/notifications", headers=user).json()["notifications"]
    told = {each["run_id"]: each["text"] for each in bell}
    assert "% on GRUMP, " in told[taxed["run_id"]]
    assert [told[run["run_id"]].endswith("Without tax and price impact.") for run in (taxed, plain)] == [False, True]
    share = client.post(f"/api/bots/{bot['id']}/backtest/{plain['run_id']}/share", headers=user).json()["url"]
    assert "Without tax and price impact." in client.get(share).text
    conversation = client.post("/api/conversations", json={"bot_id": bot["id"]}, headers=user).json()["id"]

    def said(message: str) -> str:
        answer = client.post(f"/api/conversations/{conversation}/chat", json={"message": message}, headers=user)
        return str(answer.json()["message"]["content"])

    assert SWITCHED_OFF in said("how did the last backtest do?")
    assert "also differ in pool costs, so they are not the same test" in said("compare the last two backtests")


def test_why_no_trade_closed_is_one_of_the_reasons(client: TestClient, user: Headers) -> None:
    never = {"conditions": [{"kind": "price_level", "level": 1e12, "direction": "above"}]}
    always = {"conditions": [{"kind": "price_level", "level": 1e-12, "direction": "above", "trigger": "is"}]}
    runs = [
        outcome(
            client, user, create_bot(client, user, name=name, strategy=strategy, token=GRUMP.address, chain=GRUMP.chain)
        )
        for name, strategy in (("never", never), ("always", always))
    ]
    assert runs[0]["no_trade_reason"] == "It never bought: its conditions were never true."
    assert runs[1]["no_trade_reason"].startswith("It bought once and still holds: ")
    for run in runs:
        assert run["verdict"]["grade"] == "too_few"
        assert run["verdict"]["sentence"] == run["no_trade_reason"]
