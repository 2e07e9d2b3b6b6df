"""A search for better values of a strategy, applied as a revision; and the strategy on many tokens."""

import time
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.support import CONTRAST, Person, assert_accessible, look_at
from tests.browser.trading import PIPO, SOL, pinned, runs_of, trading_bot

DEPTHS = [
    {"path": "conditions.0.percent", "values": [1, 2, 3]},
    {"path": "stop_loss_percent", "values": [2, 3, 4]},
    {"path": "take_profit_percent", "values": [2, 4, 8]},
]
UNKNOWN = "nosuchtoken1111111111111111111111"


def explored(person: Person, bot: dict[str, Any], kind: str, **request: Any) -> dict[str, Any]:
    """A completed search or survey, started by a program."""
    answer = person.client.post(f"/api/bots/{bot['id']}/{kind}", json={"kline_interval": "1h", **pinned(), **request})
    assert answer.status_code == 202, answer.text
    run: dict[str, Any] = answer.json()
    while run["status"] in {"pending", "running"}:
        time.sleep(0.05)
        run = person.client.get(f"/api/bots/{bot['id']}/{kind}/{run['run_id']}").json()
    assert run["status"] == "completed", run["error"]
    return run


def test_a_search_draws_a_heat_map_and_a_variant_becomes_a_revision(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}?tab=explore")
    form = signed_in.get_by_role("form", name="New search")
    expect(form.get_by_label("Vary 1")).to_contain_text("Drop % of rule 1 (now 2)")
    expect(form.get_by_label("Vary 2")).to_contain_text("Stop loss % (now 3)")
    expect(form.get_by_role("status")).to_have_text("25 variants; your tier has up to 500.")

    first = form.get_by_role("group", name="Parameter 1", exact=True)
    first.get_by_label("To", exact=True).fill("200")
    expect(form.get_by_role("button", name="Search")).to_be_disabled()
    first.get_by_label("To", exact=True).fill("3")
    first.get_by_label("From", exact=True).fill("-1")
    first.get_by_label("Step", exact=True).fill("1")
    form.get_by_role("button", name="Search").click()
    expect(form.get_by_role("alert")).to_contain_text("do not fit the strategy")
    first.get_by_label("From", exact=True).fill("1")
    form.get_by_role("radio", name="Dates").check()
    form.get_by_role("textbox", name="From").fill("2025-09-01")
    form.get_by_role("textbox", name="To").fill("2025-10-01")
    form.get_by_role("button", name="Search").click()

    search = signed_in.get_by_role("region", name="Search", exact=True)
    expect(search.get_by_text("On data it had not seen")).to_be_visible()
    cells = search.get_by_role("region", name="Heat map").get_by_role("button")
    expect(cells).to_have_count(15)
    expect(search.get_by_text("Nothing to recommend: ")).to_be_visible()
    expect(search.get_by_role("button", name="recommended")).to_have_count(0)
    expect(search.get_by_text("★")).to_have_count(0)
    look_at(signed_in, "workbench-explore", search)

    cells.first.click()
    chosen = search.get_by_role("region", name="Chosen variant")
    expect(chosen).to_contain_text("Drop % of rule 1: 1, Stop loss %: 2")
    cells.first.press("ArrowDown")
    expect(chosen).to_contain_text("Drop % of rule 1: 2, Stop loss %: 2")
    chosen.get_by_role("button", name="Apply").click()
    expect(chosen.get_by_role("button", name="Applied")).to_be_disabled()
    applied = person.client.get(f"/api/bots/{bot['id']}").json()
    assert applied["revision"] == bot["revision"] + 1
    assert applied["strategy"]["risk_management"]["stop_loss_percent"] == 2
    expect(search.get_by_text("Result of revision 1, rules have changed")).to_be_visible()
    assert_accessible(signed_in, only=CONTRAST, part=search)

    chosen.get_by_role("button", name="Test this variant").click()
    expect(signed_in.get_by_role("tab", name="Backtests")).to_have_attribute("aria-selected", "true")
    (run,) = runs_of(person, bot)
    assert run["strategy_revision"] == applied["revision"]


def test_a_cell_of_the_heat_map_is_opened_as_a_run_of_its_variant(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    search = explored(person, bot, "optimise", parameters=DEPTHS[:2], minimum_trades=1)
    signed_in.goto(f"/bots/{bot['id']}?tab=explore")
    signed_in.get_by_role("button", name="Drop % of rule 1: 3, Stop loss %: 4").click()
    signed_in.get_by_role("button", name="Test this variant").click()
    expect(signed_in.get_by_role("tab", name="Backtests")).to_have_attribute("aria-selected", "true")
    (run,) = runs_of(person, bot)
    assert {name: run[name] for name in ("token", "start_time", "end_time", "kline_interval")} == {
        name: search[name] for name in ("token", "start_time", "end_time", "kline_interval")
    }
    tested = person.client.get(f"/api/bots/{bot['id']}/backtest/{run['run_id']}").json()["strategy"]
    assert (tested["conditions"][0]["percent"], tested["risk_management"]["stop_loss_percent"]) == (3, 4)


def test_three_parameters_are_seen_at_once_by_pointer_and_by_keyboard(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    found = explored(person, bot, "optimise", parameters=DEPTHS, minimum_trades=1, **pinned(20))
    assert found["not_recommended"] is None
    fetched: list[str] = []
    signed_in.on("request", lambda request: fetched.append(request.url))
    signed_in.goto(f"/bots/{bot['id']}?tab=explore")
    search = signed_in.get_by_role("region", name="Search", exact=True)
    expect(search.get_by_role("region", name="Heat map")).to_be_visible()
    assert not [url for url in fetched if "ParallelView" in url]

    search.get_by_role("radio", name="All parameters").check()
    view = search.get_by_role("region", name="All parameters")
    name = view.locator("figcaption")
    expect(name).to_contain_text("recommended")
    look_at(signed_in, "workbench-parallel", view)

    slider = view.get_by_role("slider", name="From worst to best")
    slider.press("End")
    expect(name).to_contain_text("best in hindsight")
    best = found["best"]["parameters"]
    values = f"Drop % of rule 1: {best['conditions.0.percent']:g}, Stop loss %: {best['stop_loss_percent']:g}"
    expect(name).to_contain_text(values)
    expect(search.get_by_role("region", name="Chosen variant")).to_contain_text(values)
    slider.press("Home")
    expect(name).not_to_contain_text("best in hindsight")

    box = view.get_by_text("○", exact=True).bounding_box()  # marks the best result
    assert box is not None
    signed_in.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(name).to_contain_text("best in hindsight")
    signed_in.mouse.down()
    signed_in.mouse.up()
    signed_in.mouse.move(0, 0)
    expect(name).to_contain_text("best in hindsight")


def test_a_survey_has_a_row_for_each_token(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}?tab=explore")
    signed_in.get_by_role("radio", name="Many tokens").check()
    form = signed_in.get_by_role("form", name="New survey")
    form.get_by_label("How many").fill("2")
    form.get_by_role("button", name="Test on many tokens").click()

    survey = signed_in.get_by_role("region", name="Survey", exact=True)
    expect(survey.get_by_text("The same cash in each of 2 tokens")).to_be_visible()
    expect(survey.get_by_role("table", name="Result on each token").locator("tbody tr")).to_have_count(2)
    look_at(signed_in, "workbench-survey", survey)
    survey.get_by_role("button", name="Strength of the evidence").click()
    expect(survey.get_by_role("tooltip").filter(visible=True)).to_contain_text("Above 2 is hard to explain by luck.")
    with signed_in.expect_download() as download:
        survey.get_by_role("button", name="CSV").click()
    assert len(download.value.path().read_text("utf-8").splitlines()) == 3


def test_the_rows_of_a_survey_are_sorted_and_filtered_and_a_failed_one_says_why(
    signed_in: Page, person: Person
) -> None:
    bot = trading_bot(person)
    (glide,) = person.client.get("/api/market/demo-tokens", params={"query": "GLDE"}).json()["tokens"]
    tokens = [{"token": each, "chain": "solana"} for each in (SOL, PIPO, glide["address"], UNKNOWN)]
    rows = explored(person, bot, "survey", tokens=tokens)["rows"]
    (failed,) = [row for row in rows if row["error"]]
    signed_in.goto(f"/bots/{bot['id']}?tab=explore")
    signed_in.get_by_role("radio", name="Many tokens").check()
    survey = signed_in.get_by_role("region", name="Survey", exact=True)
    together = survey.get_by_role("region", name="All tokens together")
    expect(together).to_contain_text("The same cash in each of 3 tokens")
    expect(together).to_contain_text("1 token could not be tested")
    expect(together.locator("svg polyline")).to_be_visible()
    look_at(signed_in, "workbench-survey-failed", survey)

    table = survey.get_by_role("table", name="Result on each token")
    cells = table.locator("tbody tr td:nth-child(4)")
    trades = sorted((f"{row['trades']}" for row in rows if row["trades"] is not None), key=int)
    table.get_by_role("button", name="Trades").click()
    expect(cells).to_have_text([*reversed(trades), "–"])
    table.get_by_role("button", name="Trades").click()
    expect(cells).to_have_text([*trades, "–"])
    survey.get_by_label("Show").select_option("failed")
    expect(table.locator("tbody tr")).to_have_count(1)
    expect(table).to_contain_text(failed["error"])
    survey.get_by_label("Show").select_option("all")
    expect(table.locator("tbody tr")).to_have_count(4)
