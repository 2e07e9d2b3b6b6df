"""The chart has the room: nothing is off-screen or said twice, and what a person arranges is remembered."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.drawing import drawn_labels, note_what_is_drawn
from tests.browser.support import PHONE, Person, assert_accessible, set_look, wait_until
from tests.browser.tokens import graded
from tests.browser.trading import backtest, see_chart, trading_bot


def height_of(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["height"]


def width_of(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["width"]


def panes(page: Page) -> Locator:
    """The rows of the chart that are high: its panes, without their borders and the axis of time."""
    return page.locator("figure table tr").filter(has=page.locator("canvas"))


def fits(table: Locator) -> bool:
    fits: bool = table.evaluate("part => part.scrollWidth <= part.clientWidth")
    return fits


def test_at_1440_pixels_nothing_is_off_screen_or_said_twice(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    run = graded(person, bot, backtest(person, bot))
    signed_in.goto(f"/bots/{bot['id']}")
    see_chart(signed_in)
    assert height_of(panes(signed_in).first) >= 300
    for said in (run["verdict"]["headline"], "Total return", "Win rate"):
        expect(signed_in.get_by_text(said).filter(visible=True)).to_have_count(1)
    runs = signed_in.get_by_role("region", name="Backtests of this bot")
    expect(runs.get_by_role("columnheader", name="Return")).to_be_visible()
    assert fits(runs)
    signed_in.get_by_role("tab", name="Trades").click()
    trades = signed_in.get_by_role("region", name="Closed trades of the backtest")
    expect(trades.get_by_role("columnheader", name="Sold because")).to_be_in_viewport()
    assert fits(trades)
    signed_in.get_by_role("tab", name="Backtests").click()
    set_look(signed_in, "light", PHONE)
    expect(runs.get_by_role("columnheader", name="Return")).to_be_visible()
    assert fits(runs)


def test_what_is_arranged_is_remembered(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    backtest(person, bot)
    note_what_is_drawn(signed_in)
    signed_in.goto(f"/bots/{bot['id']}?tab=trades")
    see_chart(signed_in)
    chart, chat = signed_in.locator("figure"), signed_in.get_by_role("region", name="Chat")
    side = signed_in.get_by_role("complementary", name="Strategy and result")
    shown = signed_in.get_by_role("group", name="Shown on the chart")
    expect(chart.get_by_title("Times in UTC")).to_have_text("UTC")
    before, chart_width = panes(signed_in).count(), width_of(chart)
    side_width, chart_height = width_of(side), height_of(chart)

    signed_in.get_by_role("button", name="Hide the chat").click()
    expect(chat).to_be_hidden()
    signed_in.get_by_role("separator", name="Width of strategy and result").press("ArrowLeft")
    signed_in.get_by_role("separator", name="Height of the chart").press("ArrowDown")
    signed_in.get_by_role("button", name="Log scale").click()
    shown.get_by_role("button", name="drawdown").click()
    shown.get_by_role("button", name="buy and hold").click()
    signed_in.get_by_text("Columns", exact=True).last.click()
    signed_in.get_by_role("group", name="Columns").get_by_label("Run-up").check()
    drawn_labels(signed_in, "^ ?Equity$")
    assert_accessible(signed_in)

    signed_in.reload()
    see_chart(signed_in)
    expect(chat).to_be_hidden()
    expect(signed_in.get_by_role("button", name="Log scale")).to_have_attribute("aria-pressed", "true")
    expect(shown.get_by_role("button", name="drawdown")).to_have_attribute("aria-pressed", "false")
    expect(signed_in.get_by_role("columnheader", name="Run-up")).to_be_visible()
    wait_until(signed_in, lambda: panes(signed_in).count() == before - 1)
    assert width_of(chart) > chart_width + 200
    assert width_of(side) == side_width + 24
    assert height_of(chart) > chart_height
    signed_in.get_by_role("separator", name="Width of strategy and result").dblclick()
    wait_until(signed_in, lambda: width_of(side) == side_width)
    signed_in.keyboard.press("c")  # the shortcut of the chat shows it
    expect(signed_in.get_by_role("textbox", name="Message")).to_be_focused()
    expect(chat).to_be_visible()
