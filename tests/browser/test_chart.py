"""The chart of a run explains it: indicators, why a trade was made, finer candles when zoomed in, and a preview."""

import re
from datetime import datetime, timedelta
from typing import Any

from playwright.sync_api import Page, Response, expect

from tests.browser.drawing import drawn, drawn_labels, note_what_is_drawn
from tests.browser.support import PHONE, WIDE, Person, held_requests, look_at, next_frame, take_picture, wait_until
from tests.browser.trading import DAY, END, SOL, backtest, pinned, see_chart, trades_of
from tests.support import create_bot

INDICATORS: dict[str, Any] = {
    "conditions": [
        {"kind": "compare", "left": {"series": "rsi", "period": 14}, "operator": "below", "right": 40},
        {"kind": "price_drop", "percent": 1, "window": "6h", "reference": "high"},
    ],
    "exit_conditions": [
        {
            "kind": "compare",
            "left": {"series": "close"},
            "operator": "crosses_above",
            "right": {"series": "sma", "period": 20},
        }
    ],
    "risk_management": {"stop_loss_percent": 4, "trailing_stop_percent": 3, "take_profit_percent": 6},
}


ALWAYS: dict[str, Any] = {
    "conditions": [{"kind": "price_level", "level": 1e-12, "direction": "above", "trigger": "is"}],
    "risk_management": {"stop_loss_percent": 80, "take_profit_percent": 900},
}
DEEP_DIPS: dict[str, Any] = {
    "conditions": [{"kind": "price_drop", "percent": 8, "window": "1d"}],
    "risk_management": {"stop_loss_percent": 5, "take_profit_percent": 5},
}
BOUGHT, SOLD, EQUITY = "#08724c", "#b82a28", "#3445d6"  # of the light theme
# A canvas has no text that a test could read: every text that is drawn is kept with its colour.


def stretch_down(page: Page) -> None:
    """Drags the axis of the prices until it goes on under zero."""
    box = page.locator("figure > div").first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] - 30, box["y"] + 40
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 160, steps=8)
    page.mouse.up()
    next_frame(page)


def most_in_one_mark(page: Page) -> int:
    """How many fills the largest mark stands for that was drawn since the page was opened or this was forgotten."""
    return max((int(text) for text, colour in drawn(page) if text.isdigit() and colour in (BOUGHT, SOLD)), default=1)


def indicator_bot(person: Person) -> dict[str, Any]:
    return create_bot(person.client, {}, "Indicators", strategy=INDICATORS, token=SOL, chain="solana")


def test_a_run_shows_its_indicators_and_why_a_trade_was_made(signed_in: Page, person: Person) -> None:
    bot = indicator_bot(person)
    run = backtest(person, bot, kline_interval="1h", **pinned(60))
    assert trades_of(person, run)
    with signed_in.expect_response(lambda answer: "/series" in answer.url) as answer:
        signed_in.goto(f"/bots/{bot['id']}")
    names = {line["name"] for line in answer.value.json()["series"]} - {"the price"}  # the candles show it
    see_chart(signed_in)
    legend = signed_in.locator("figure figcaption").first
    for name in names:
        expect(legend).to_contain_text(name)
    with signed_in.expect_response(lambda answer: "/rules" in answer.url) as answer:
        signed_in.get_by_role("button", name="Next trade").click()
    (rule,) = answer.value.json()["rules"]
    assert rule["entry"]
    expect(signed_in.get_by_text("trade #1", exact=False).first).to_be_visible()
    look_at(signed_in, "chart-rules", signed_in.get_by_role("figure"))


def test_zooming_into_a_long_run_loads_its_own_candles(signed_in: Page, person: Person) -> None:
    bot = indicator_bot(person)
    backtest(person, bot, kline_interval="15m", **pinned(120))
    signed_in.goto(f"/bots/{bot['id']}")
    see_chart(signed_in)
    canvas = signed_in.locator("figure canvas").first
    box = canvas.bounding_box()
    assert box is not None
    signed_in.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 3)
    parts: list[Response] = []
    signed_in.on("response", lambda answer: parts.append(answer) if "start_time=" in answer.url else None)

    def is_zoomed_in() -> bool:
        if not parts:
            signed_in.mouse.wheel(0, -300)
        return bool(parts)

    wait_until(signed_in, is_zoomed_in)
    assert parts[0].json()["interval_seconds"] < 7200


_SLOW_FRAMES = """
const frame = requestAnimationFrame;
window.requestAnimationFrame = call => setTimeout(() => frame(call), window.quick ? 0 : 400);
"""


def test_a_run_opens_whole_however_slowly_it_is_drawn(signed_in: Page, person: Person) -> None:
    bot = indicator_bot(person)
    run = backtest(person, bot, kline_interval="15m", **pinned(120))
    parts: list[str] = []
    signed_in.on("request", lambda asked: parts.append(asked.url) if "start_time=" in asked.url else None)
    signed_in.add_init_script(_SLOW_FRAMES)
    note_what_is_drawn(signed_in)
    held = held_requests(signed_in, "**/series?*")
    signed_in.goto(f"/bots/{bot['id']}?run={run['run_id']}")
    see_chart(signed_in)
    months = "^(Jul|Aug|Sept?)$"  # on the axis of time
    assert len(set(drawn_labels(signed_in, months))) == 3
    for route in held:
        route.continue_()
    expect(signed_in.locator("figcaption").first).to_contain_text("RSI(14)")
    signed_in.evaluate("() => { window.quick = true; window.drawn = [] }")
    for width in (1100, WIDE["width"]):
        signed_in.set_viewport_size({"width": width, "height": 900})
        next_frame(signed_in)
    wait_until(signed_in, lambda: len(set(drawn_labels(signed_in, months))) == 3, lambda: drawn(signed_in))
    signed_in.wait_for_timeout(300)  # a part of the run is asked for when the chart stands still
    assert not parts


def test_the_editor_previews_what_is_typed(signed_in: Page, person: Person) -> None:
    bot = indicator_bot(person)
    signed_in.goto(f"/bots/{bot['id']}")
    preview = signed_in.get_by_role("region", name="Preview")
    preview.scroll_into_view_if_needed()
    expect(preview).to_contain_text("candles of")
    editor = signed_in.get_by_role("form", name="Strategy")
    with signed_in.expect_response("**/preview") as answer:
        editor.get_by_label("At least, %").first.fill("60")
    assert answer.value.json()["total_entries"] == 0
    expect(preview).to_contain_text("It would not have bought")
    look_at(signed_in, "chart-preview")


def test_a_finished_run_is_played_candle_by_candle(signed_in: Page, person: Person) -> None:
    bot = indicator_bot(person)
    first = trades_of(person, backtest(person, bot, kline_interval="1h", **pinned(40)))[0]
    waited = datetime.fromisoformat(first["entry_time"]).timestamp() - (END - 40 * DAY)
    assert waited > 3 * 3600, "it decides on its first candles"
    signed_in.goto(f"/bots/{bot['id']}")
    see_chart(signed_in)
    signed_in.get_by_role("button", name="Play", exact=True).click()
    player = signed_in.get_by_role("region", name="Playback")
    place = player.get_by_role("slider", name="Place in the run")
    happened = player.get_by_role("list", name="What has happened")
    expect(happened).to_contain_text("Nothing has been decided yet.")
    outcome = signed_in.get_by_text(re.compile("Max drawdown|Total return|Loses money|while simply holding"))
    expect(outcome.locator("visible=true")).to_have_count(0)  # also in the tabs and on the phone
    result = signed_in.get_by_role("region", name="Result")
    expect(result).to_contain_text("Closed trades0")
    player.get_by_role("button", name="Next trade").click()
    expect(happened).to_contain_text(f"Decided to buy: {first['entry_reason']}")
    expect(happened).not_to_contain_text("Bought")
    player.get_by_role("button", name="Step ›").click()
    expect(happened).to_contain_text("Bought at")
    expect(result).to_contain_text("bought at")
    player.get_by_role("button", name="Step back").click()
    expect(happened).not_to_contain_text("Bought")
    for _ in range(3):
        player.get_by_role("button", name="Step ›").click()
    look_at(signed_in, "chart-playback", player)
    player.get_by_label("Candles a second").select_option("500")
    before = int(place.input_value())
    player.get_by_role("button", name="Play", exact=True).click()
    expect(player.get_by_text("The run ends here.")).to_be_visible(timeout=20_000)
    assert int(place.input_value()) - before > 600 * 3600
    expect(result).to_contain_text("Max drawdown")
    expect(player.get_by_role("button", name="Play", exact=True)).to_be_visible()
    take_picture(signed_in, "chart-playback-end")
    player.get_by_role("button", name="Close playback").click()
    expect(player).to_have_count(0)
    see_chart(signed_in)


def test_the_trades_are_summed_up_by_result_month_reason_and_hour(signed_in: Page, person: Person) -> None:
    bot = indicator_bot(person)
    run = backtest(person, bot, kline_interval="1h", **pinned(20))
    trades = trades_of(person, run)
    signed_in.goto(f"/bots/{bot['id']}?tab=trades")
    table = signed_in.get_by_role("table", name="Closed trades of the backtest")
    signed_in.get_by_text("Columns", exact=True).last.click()
    for name in ("Run-up", "Drawdown", "Costs"):
        signed_in.get_by_role("group", name="Columns").get_by_label(name).check()
        expect(table.get_by_role("columnheader", name=name)).to_be_visible()
    spread = signed_in.get_by_role("table", name="Number of trades by result")
    expect(spread.get_by_role("row").nth(1)).to_be_visible()
    assert sum(int(cell) for cell in spread.locator("td").all_inner_texts()) == len(trades)
    reasons = signed_in.get_by_role("table", name="Results by exit reason")
    counts = reasons.locator("tbody tr").evaluate_all("rows => rows.map(row => Number(row.children[1].textContent))")
    assert sum(counts) == len(trades)
    expect(signed_in.get_by_role("table", name="Return by month").locator("tbody tr").first).to_be_visible()
    expect(signed_in.get_by_role("table", name="Results by hour of the entry")).to_be_visible()
    signed_in.get_by_role("region", name="By month", exact=True).scroll_into_view_if_needed()
    look_at(signed_in, "chart-analysis", signed_in.get_by_role("tabpanel", name="Trades"))
    with signed_in.expect_download() as picture:
        signed_in.get_by_role("button", name="Save as PNG").click()
    assert picture.value.path().read_bytes().startswith(b"\x89PNG")


def test_marks_that_would_cover_each_other_are_one_with_a_number(signed_in: Page, person: Person) -> None:
    bot = indicator_bot(person)
    run = backtest(person, bot, kline_interval="15m", **pinned(120))
    assert run["metrics"]["total_trades"] > 40
    note_what_is_drawn(signed_in)
    signed_in.set_viewport_size(PHONE)
    signed_in.goto(f"/bots/{bot['id']}")
    see_chart(signed_in)
    drawn_labels(signed_in, r"^[2-9]$")  # a mark of several fills
    on_a_phone = most_in_one_mark(signed_in)
    assert 1 < on_a_phone <= run["metrics"]["total_trades"]
    look_at(signed_in, "chart-clusters", signed_in.get_by_role("figure"))
    with signed_in.expect_response(lambda answer: "/rules" in answer.url):
        signed_in.get_by_role("button", name="Next trade").click()
    expect(signed_in.locator("figcaption")).to_contain_text("trade #1")
    drawn_labels(signed_in, r"^(↓ )?stop ")
    signed_in.evaluate("() => { window.drawn = [] }")
    signed_in.set_viewport_size({**WIDE, "width": 1600})  # it is drawn again
    drawn_labels(signed_in, r"^(↓ )?stop ")
    assert most_in_one_mark(signed_in) < on_a_phone


def test_the_open_position_is_walked_to_and_its_stop_and_target_drawn(signed_in: Page, person: Person) -> None:
    bot = create_bot(person.client, {}, "Holds", strategy=ALWAYS, token=SOL, chain="solana")
    run = backtest(person, bot, kline_interval="4h")
    assert run["open_position"]
    note_what_is_drawn(signed_in)
    signed_in.goto(f"/bots/{bot['id']}")
    see_chart(signed_in)
    with signed_in.expect_response(lambda answer: "/rules" in answer.url) as answer:
        signed_in.get_by_role("button", name="Previous trade").click()
    (rule,) = answer.value.json()["rules"]
    assert rule["exit_filled_at"] is None
    expect(signed_in.locator("figcaption")).to_contain_text("SOL, the open position on 4h candles")
    drawn_labels(signed_in, r"^(↓ )?stop [\d.,]+$")
    drawn_labels(signed_in, r"^(↑ )?target [\d.,]+$")
    look_at(signed_in, "chart-open-position", signed_in.get_by_role("figure"))


def test_the_axes_know_no_negative_price_small_prices_and_the_time_zone(signed_in: Page, person: Person) -> None:
    (cheapest,) = person.client.get("/api/market/tokens", params={"query": "MBTL"}).json()["tokens"]
    assert cheapest["price_usd"] < 1e-6
    changed = person.client.patch("/api/auth/settings", json={"timezone": "Asia/Kolkata"})
    assert changed.status_code == 200, changed.text
    bot = create_bot(person.client, {}, "Tiny", strategy=INDICATORS, token=cheapest["address"], chain=cheapest["chain"])
    backtest(person, bot, kline_interval="1h")
    note_what_is_drawn(signed_in)
    signed_in.goto(f"/bots/{bot['id']}")
    see_chart(signed_in)
    prices = {text for text in drawn_labels(signed_in, r"^0\.0") if "%" not in text}
    assert len(prices) >= 3, "labels of small prices must differ from each other"
    stretch_down(signed_in)
    assert not [text for text, _ in drawn(signed_in) if re.fullmatch(r"[-−]0\.0000\d*", text)]
    signed_in.locator("figure canvas").first.hover(force=True)  # the time under the pointer is drawn
    times = drawn_labels(signed_in, r", \d\d:\d\d$")
    assert all(text.endswith(":30") for text in times), times  # the zone is half an hour off


def test_the_axis_of_time_begins_days_at_the_users_midnight_and_cuts_no_label(signed_in: Page, person: Person) -> None:
    person.client.patch("/api/auth/settings", json={"timezone": "America/New_York"}).raise_for_status()
    bot = indicator_bot(person)
    # The first of June is the only first day of a month: at its midnight in UTC it is still May in New York.
    spring = {"start_time": "2026-05-20T00:00:00Z", "end_time": "2026-06-20T00:00:00Z"}
    backtest(person, bot, kline_interval="1h", **spring)
    note_what_is_drawn(signed_in)
    signed_in.goto(f"/bots/{bot['id']}")
    see_chart(signed_in)
    assert set(drawn_labels(signed_in, r"^[A-Z][a-z]{2,3}$")) == {"Jun"}
    for width in (1600, 1300, 390):
        signed_in.set_viewport_size({**WIDE, "width": width})
        signed_in.wait_for_timeout(300)
    labels = r"^\d+ [A-Z][a-z]{2,3}$|^\d\d:\d\d$"
    assert not [text for text, _ in drawn(signed_in) if re.fullmatch(r"\d\d:\d\d", text)], "a month has no hours"
    signed_in.set_viewport_size(WIDE)
    signed_in.locator("figure canvas").first.hover(force=True)
    for _ in range(6):
        signed_in.mouse.wheel(0, -300)
        signed_in.wait_for_timeout(50)
    assert not [text for text in signed_in.evaluate("() => window.cut") if re.fullmatch(labels, text)]


def test_the_zoom_is_reset_and_the_chart_fills_the_screen(signed_in: Page, person: Person) -> None:
    bot = indicator_bot(person)
    backtest(person, bot, kline_interval="1h")
    note_what_is_drawn(signed_in)
    signed_in.goto(f"/bots/{bot['id']}")
    see_chart(signed_in)
    assert (signed_in.locator("figure > div").bounding_box() or {"height": 0})["height"] > 380
    days = r"^\d+ [A-Z][a-z]{2,3}$"  # on the axis of time
    whole = set(drawn_labels(signed_in, days))
    assert len(whole) > 1
    signed_in.locator("figure canvas").first.hover(force=True)
    for _ in range(8):
        signed_in.mouse.wheel(0, -300)
    next_frame(signed_in)
    signed_in.evaluate("() => { window.drawn = [] }")
    signed_in.get_by_role("button", name="Reset zoom").click()
    wait_until(signed_in, lambda: len(whole & set(drawn_labels(signed_in, days))) > 1)
    signed_in.get_by_role("button", name="Full screen").click()
    signed_in.wait_for_function("() => document.fullscreenElement?.tagName === 'FIGURE'")


# Every line and every filled shape that stands on a canvas since it was last wiped, with its colour and its points.
_NOTE_PATHS = """
const standing = new Map();
let path = [];
const noting = (name, note) => {
    const act = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...given) {
        note(this, ...given);
        return act.apply(this, given);
    };
};
const add = (pen, kind, colour) => {
    if (!standing.has(pen.canvas)) standing.set(pen.canvas, []);
    standing.get(pen.canvas).push([kind, colour, path]);
};
noting('beginPath', () => { path = []; });
noting('moveTo', (_, x, y) => path.push([x, y]));
noting('lineTo', (_, x, y) => path.push([x, y]));
noting('fillRect', pen => pen.globalCompositeOperation === 'copy' && standing.delete(pen.canvas));  // how the chart wipes
noting('stroke', pen => pen.lineWidth === 2 && add(pen, 'line', pen.strokeStyle));
noting('fill', pen => add(pen, 'shape', pen.fillStyle));
window.drawnPaths = (kind, colour) => [...standing]
    .filter(([canvas]) => canvas.closest('body figure'))  // not the chart beside the rules
    .flatMap(([, paths]) => paths.filter(([its, painted]) => its === kind && painted === colour).map(([, , points]) => points));
"""
# The equity as it is drawn now, and the leftmost arrow of a buy in the same figure.
_EQUITY_AND_BUY = """([equity, bought]) => {
    const line = drawnPaths('line', equity).findLast(points => points.length > 9);
    const arrows = drawnPaths('shape', bought).filter(points => points.length === 7);
    return line && arrows.length > 0 && [line, Math.min(...arrows.map(points => points[0][0]))];
}"""


def equity_and_first_buy(page: Page) -> tuple[list[tuple[float, float]], float]:
    """The points of the equity line from left to right, and where the first buy is marked."""
    line, buy = page.wait_for_function(_EQUITY_AND_BUY, arg=[EQUITY, BOUGHT]).json_value()
    return [(x, y) for x, y in line], buy


def after_a_pause(trades: list[dict[str, Any]]) -> int:
    """The number of the first trade before which nothing was held for two days, so that the equity was flat."""
    moments = [
        (datetime.fromisoformat(trade["entry_time"]), datetime.fromisoformat(trade["exit_time"])) for trade in trades
    ]
    return next(
        number
        for number in range(2, len(trades) + 1)
        if moments[number - 1][0] - moments[number - 2][1] > timedelta(days=2)
    )


def test_the_equity_is_flat_until_the_buy_and_moves_with_it(signed_in: Page, person: Person) -> None:
    """Of a long run only some values of the equity are kept: drawn as they are, they would fall before the buy."""
    bot = create_bot(person.client, {}, "Deep dips", strategy=DEEP_DIPS, token=SOL, chain="solana")
    run = backtest(person, bot, kline_interval="15m", **pinned(120))
    number = after_a_pause(trades_of(person, run))
    signed_in.add_init_script(_NOTE_PATHS)
    signed_in.goto(f"/bots/{bot['id']}")
    see_chart(signed_in)
    for _ in range(number):
        signed_in.get_by_role("button", name="Next trade").click()
    expect(signed_in.locator("figcaption")).to_contain_text(f"trade #{number} on 15m candles")
    expect(signed_in.locator("figcaption")).not_to_contain_text("drawn as")

    def rises_with_the_buy() -> bool:
        line, buy = equity_and_first_buy(signed_in)
        candle = line[1][0] - line[0][0]
        moved = next(x for x, y in line if abs(y - line[0][1]) > 1)
        return buy - line[0][0] > 50 * candle and -candle < moved - buy < 5 * candle

    wait_until(
        signed_in, rises_with_the_buy, lambda: equity_and_first_buy(signed_in)
    )  # until the candles around the trade are drawn
