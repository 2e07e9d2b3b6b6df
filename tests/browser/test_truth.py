"""Figures are not shown as more than they are: few trades, costs, demo prices, risky tokens and what was checked."""

from playwright.sync_api import Page, expect

from tests.browser.chatting import say
from tests.browser.drawing import drawn_labels, note_what_is_drawn
from tests.browser.support import Person, assert_accessible, look_at
from tests.browser.tokens import graded, token_named
from tests.browser.trading import TRADES_OFTEN, backtest, pinned, runs_of, see_chart, trading_bot
from tests.support import create_bot

TOO_SMALL = "The take profit of 0.1 % is below what a round trip costs"


def test_few_trades_are_said_by_the_verdict_and_grey_the_ratios(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    run = graded(person, bot, backtest(person, bot, **pinned(10)))
    assert 0 < run["metrics"]["total_trades"] < 30
    signed_in.goto(f"/bots/{bot['id']}")
    result = signed_in.get_by_role("region", name="Result")
    expect(result).to_contain_text(run["verdict"]["headline"])
    expect(result).to_contain_text(run["verdict"]["sentence"])
    expect(result.get_by_text("Of fewer than 30 trades").first).to_be_visible()
    say(signed_in, "what is the verdict?")
    expect(signed_in.get_by_role("log")).to_contain_text(run["verdict"]["headline"])


def test_a_target_below_the_costs_is_warned_of_in_editor_and_chat(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}")
    form = signed_in.get_by_role("form", name="Strategy")
    form.get_by_label("Take profit, %").fill("0.1")
    expect(signed_in.get_by_role("region", name="Preview")).to_contain_text(TOO_SMALL)
    form.get_by_label("Take profit, %").fill("4")
    expect(signed_in.get_by_text(TOO_SMALL)).to_have_count(0)

    say(signed_in, "set the take profit to 0.1%")
    log = signed_in.get_by_role("log")
    expect(log.get_by_role("region", name="Strategy changed")).to_be_visible()
    expect(log).to_contain_text(TOO_SMALL)
    expect(signed_in.get_by_role("region", name="Strategy", exact=True)).to_contain_text(TOO_SMALL)
    expect(log.get_by_text("checked against")).to_have_count(0)  # no result was quoted
    look_at(signed_in, "chat-warning")
    assert person.client.get(f"/api/bots/{bot['id']}").json()["warnings"]


def test_what_is_exported_from_the_demo_market_is_marked(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    backtest(person, bot)
    note_what_is_drawn(signed_in)
    signed_in.goto(f"/bots/{bot['id']}?tab=trades")
    see_chart(signed_in)
    expect(signed_in.locator("figcaption")).to_contain_text("invented prices")
    for button, ending in (("CSV", "csv"), ("Save as PNG", "png")):
        with signed_in.expect_download() as download:
            signed_in.get_by_role("button", name=button).click()
        name = download.value.suggested_filename
        assert name.startswith("demo-"), name
        assert name.endswith(ending), name
    assert drawn_labels(signed_in, "^Demo prices, invented$")  # into the picture, which leaves without its caption


def test_a_risky_token_is_named_beside_its_result(signed_in: Page, person: Person) -> None:
    token = token_named(person, "MOOG")
    bot = create_bot(person.client, {}, "Risky", strategy=TRADES_OFTEN, token=token["address"], chain=token["chain"])
    run = graded(person, bot, backtest(person, bot))
    signed_in.goto(f"/bots/{bot['id']}?run={run['run_id']}")
    costs = signed_in.get_by_role("region", name="Result").get_by_role("list", name="Costs")
    expect(costs).to_contain_text("The risk of this token is high.")


def test_what_nobody_checked_is_not_called_safe(signed_in: Page, person: Person) -> None:
    token = token_named(person, "BRRR")
    path = f"/api/market/contracts/{token['token_id']}"
    risk = person.client.get(path).json()["risk"]
    unknown = {**risk, "is_honeypot": None, "warnings": []}
    signed_in.route(f"**{path}", lambda route: route.fulfill(json={"risk": unknown}))
    signed_in.goto(f"/market/{token['token_id']}")
    expect(signed_in.get_by_text("Nobody could check whether it can be sold.")).to_be_visible()
    expect(signed_in.get_by_text("No warning was raised.")).to_have_count(0)
    assert_accessible(signed_in)


def test_the_paths_of_the_api_never_reach_the_screen(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}")
    form = signed_in.get_by_role("form", name="New backtest")
    form.get_by_text("Cash and costs").click()
    form.get_by_label("Fee, %").fill("150")
    form.get_by_label("Cash, $").fill("-1")
    form.get_by_role("button", name="Run").click()
    expect(form.get_by_label("Fee, %")).to_have_attribute("aria-invalid", "true")
    editor = signed_in.get_by_role("form", name="Strategy")
    editor.get_by_label("Take profit, %").fill("-5")
    editor.get_by_role("button", name="Save").click()
    expect(editor.get_by_label("Take profit, %")).to_have_attribute("aria-invalid", "true")
    said = signed_in.locator("body").inner_text()
    for path in ("fee_percent", "initial_cash", "risk_management", "take_profit_percent", "body."):
        assert path not in said, path
    assert runs_of(person, bot) == []
