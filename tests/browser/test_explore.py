"""A search for better values of a strategy, applied as a revision; and the strategy on many tokens."""

from playwright.sync_api import Page, expect

from tests.browser.support import Person, look_at
from tests.browser.trading import runs_of, trading_bot

COMPILED = 60_000  # milliseconds: the first search of an installation compiles what it needs


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
    form.get_by_role("button", name="Search").click()

    search = signed_in.get_by_role("region", name="Search", exact=True)
    expect(search.get_by_text("On data it had not seen")).to_be_visible(timeout=COMPILED)
    cells = search.get_by_role("region", name="Heat map").get_by_role("button")
    expect(cells).to_have_count(15)
    expect(search.get_by_role("button", name="recommended")).to_have_count(1)
    look_at(signed_in, "workbench-explore")

    cells.first.click()
    chosen = search.get_by_role("region", name="Chosen variant")
    expect(chosen).to_contain_text("Drop % of rule 1 1, Stop loss % 2")
    cells.first.press("ArrowDown")
    expect(chosen).to_contain_text("Drop % of rule 1 2, Stop loss % 2")
    chosen.get_by_role("button", name="Apply").click()
    expect(chosen.get_by_role("button", name="Applied")).to_be_disabled()
    applied = person.client.get(f"/api/bots/{bot['id']}").json()
    assert applied["revision"] == bot["revision"] + 1
    assert applied["strategy"]["risk_management"]["stop_loss_percent"] == 2

    chosen.get_by_role("button", name="Test this variant").click()
    expect(signed_in.get_by_role("tab", name="Backtests")).to_have_attribute("aria-selected", "true")
    (run,) = runs_of(person, bot)
    assert run["strategy_revision"] == applied["revision"]


def test_a_survey_has_a_row_for_each_token(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}?tab=explore")
    signed_in.get_by_role("radio", name="Many tokens").check()
    form = signed_in.get_by_role("form", name="New survey")
    form.get_by_label("How many").fill("2")
    form.get_by_role("button", name="Test on many tokens").click()

    survey = signed_in.get_by_role("region", name="Survey", exact=True)
    expect(survey.get_by_text("The same cash in each of 2 tokens")).to_be_visible(timeout=COMPILED)
    expect(survey.get_by_role("table", name="Result on each token").locator("tbody tr")).to_have_count(2)
    look_at(signed_in, "workbench-survey")
    with signed_in.expect_download() as download:
        survey.get_by_role("button", name="CSV").click()
    assert len(download.value.path().read_text("utf-8").splitlines()) == 3
