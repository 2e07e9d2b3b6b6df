"""A backtest from the form to its trades, and two of them side by side; and one that is stopped."""

from datetime import datetime
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.support import Person, look_at, wait_until
from tests.browser.trading import backtest, pinned, runs_of, see_chart, trades_of, trading_bot
from tests.servers import ServiceProcess

BOUGHT = (0x08, 0x72, 0x4C)  # the light theme's `up`


def test_a_backtest_is_run_and_read(signed_in: Page, person: Person, tmp_path: Path) -> None:
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}")
    expect(signed_in.get_by_text("Not tested yet.")).to_be_visible()
    signed_in.get_by_role("radio", name="4h").check()
    signed_in.get_by_role("radio", name="90 days").check()
    signed_in.get_by_role("button", name="Run backtest").click()

    see_chart(signed_in)
    result = signed_in.get_by_role("region", name="Result")
    expect(result).to_contain_text("simply holding")
    result.get_by_role("button", name="Sharpe ratio").focus()
    expect(signed_in.get_by_role("tooltip").filter(has_text="mean(r) / std(r)").first).to_be_visible()
    run = runs_of(person, bot)[0]
    trades = trades_of(person, run)

    signed_in.get_by_role("tab", name="Trades").click()
    rows = signed_in.get_by_role("table", name="Closed trades of the backtest").locator("tbody tr")
    expect(rows.first).to_contain_text(f"#{trades[-1]['number']}")
    signed_in.get_by_role("button", name="Profit").click()
    best = max(trades, key=lambda trade: trade["pnl_percent"])
    expect(rows.first).to_contain_text(f"{best['pnl_percent']:.2f}%")
    jump = rows.first.get_by_role("button", name="on the chart")
    figure = signed_in.locator("figure")
    before = figure.screenshot()
    jump.click()
    expect(figure).to_be_in_viewport()
    expect(figure).to_contain_text(f"trade #{best['number']}")
    wait_until(signed_in, lambda: figure.screenshot() != before)

    with signed_in.expect_download() as download:
        signed_in.get_by_role("button", name="CSV").click()
    file = tmp_path / "trades.csv"
    download.value.save_as(file)
    path = f"/api/bots/{bot['id']}/backtest/{run['run_id']}/trades.csv"
    assert file.read_bytes() == person.client.get(path).content


def test_a_trade_of_a_long_run_is_shown_on_the_candles_it_was_made_on(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    run = backtest(person, bot, kline_interval="15m", **pinned(60))
    trade = min(
        trades_of(person, run), key=lambda trade: moment_of(trade["exit_time"]) - moment_of(trade["entry_time"])
    )
    signed_in.goto(f"/bots/{bot['id']}?tab=trades")
    caption = signed_in.locator("figcaption")
    expect(caption).to_contain_text("drawn as 1 h candles")

    with signed_in.expect_response(lambda answer: "start_time" in answer.url) as asked:
        signed_in.get_by_role("button", name=f"Show trade #{trade['number']} on the chart").click()
    near = asked.value.json()
    times = [candle["time"] for candle in near["klines"]]
    assert near["interval_seconds"] == 15 * 60
    assert {moment_of(trade["entry_time"]), moment_of(trade["exit_time"])} <= set(times)
    expect(caption).to_contain_text(f"SOL, trade #{trade['number']} on 15m candles")
    expect(caption).not_to_contain_text("drawn as")
    wait_until(signed_in, lambda: shows_a_purchase(signed_in))

    signed_in.get_by_role("button", name="Show the whole run").click()
    expect(caption).to_contain_text("drawn as 1 h candles")


def shows_a_purchase(page: Page) -> bool:
    """Nothing else on the canvas is so full of this green: rising candles are hollow, and volumes pale."""
    picture = np.asarray(Image.open(BytesIO(page.locator("figure > div").screenshot())).convert("RGB"))
    green = (picture == np.array(BOUGHT)).all(axis=2)
    return bool(np.lib.stride_tricks.sliding_window_view(green, (3, 3)).all(axis=(2, 3)).any())


def moment_of(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp())


def test_up_to_five_backtests_are_compared_on_one_scale_where_one_sees_it(signed_in: Page, person: Person) -> None:
    bot = trading_bot(person)
    for interval in ("1h", "4h", "1h", "4h", "1h", "4h"):
        backtest(person, bot, kline_interval=interval)
    signed_in.goto(f"/bots/{bot['id']}")
    boxes = signed_in.get_by_role("table", name="Backtests of this bot").get_by_role("checkbox")
    for place in range(5):
        boxes.nth(place).check()
    expect(boxes.nth(5)).to_be_disabled()
    signed_in.get_by_role("button", name="Compare 5 runs").click()
    sides = signed_in.get_by_role("region", name="Comparison")
    expect(sides.get_by_role("columnheader")).to_have_count(5)
    expect(sides.get_by_role("heading", name="Side by side")).to_be_in_viewport()
    expect(sides.get_by_role("figure", name="Returns of the runs on one scale").locator("polyline")).to_have_count(5)
    starred = sides.get_by_role("row", name="Total return").get_by_text("★")
    expect(starred).to_have_count(2)  # runs that are alike are alike the best
    expect(sides.get_by_role("row", name="Strategy")).to_contain_text("The same")
    look_at(signed_in, "workbench-backtests")


def test_a_long_backtest_shows_its_progress_and_is_stopped(
    signed_in: Page, person: Person, service: ServiceProcess
) -> None:
    service.command("user", "set-tier", person.email, "pro")
    bot = trading_bot(person)
    signed_in.goto(f"/bots/{bot['id']}")
    signed_in.get_by_role("radio", name="1m", exact=True).check()
    signed_in.get_by_role("radio", name="Dates").check()
    signed_in.get_by_role("textbox", name="From").fill("2022-01-01")
    signed_in.get_by_role("button", name="Run backtest").click()

    expect(signed_in.get_by_role("progressbar").first).to_be_visible()
    signed_in.get_by_role("button", name="Stop", exact=True).first.click()
    expect(signed_in.get_by_text("You stopped this run.")).to_be_visible()
    assert [run["status"] for run in runs_of(person, bot)] == ["stopped"]
