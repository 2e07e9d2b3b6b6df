import { expect, test } from "vitest";
import { byHour, byReason, histogram, monthly } from "@/backtests/analysis";
import type { Trade } from "@/backtests/runs";

const trade = (percent: number, hour = 0, exit_reason: Trade["exit_reason"] = "stop_loss") =>
  ({
    pnl_percent: percent,
    pnl: 10 * percent,
    entry_time: new Date(Date.UTC(2026, 0, 5, hour)).toISOString(),
    exit_reason,
  }) as Trade;

test.each([
  [[-3.2, -1, 0, 0.4, 2.5, 8]],
  [[1]],
  [[-0.01, 0.01]],
  [[-99, 4000]],
  [Array.from({ length: 200 }, (_, i) => i - 100.5)],
])("every trade of %j is in one bin, and no bin holds gains and losses", (results) => {
  const bins = histogram(results.map((result) => trade(result)));
  expect(bins.length).toBeLessThanOrEqual(14);
  expect(bins.reduce((total, bin) => total + bin.trades, 0)).toBe(results.length);
  for (const { from, to, trades } of bins) {
    expect(trades).toBe(results.filter((result) => result >= from && result < to).length);
    expect(from >= 0 || to <= 0).toBe(true);
  }
});

test("without trades there is no histogram", () => {
  expect(histogram([])).toEqual([]);
});

test("trades are grouped by why they were sold", () => {
  const groups = byReason([trade(-2), trade(4, 0, "take_profit"), trade(-4), trade(0)]);
  expect(groups).toEqual([
    { name: "Stop loss", trades: 3, won: 0, average: -2, pnl: -60 },
    { name: "Take profit", trades: 1, won: 1, average: 4, pnl: 40 },
  ]);
});

test("trades are grouped by the hour of the entry in the reader's zone", () => {
  const groups = byHour([trade(1, 22), trade(2, 23), trade(3, 23)], "Europe/Berlin");
  expect(groups.map(({ name, trades }) => [name, trades])).toEqual([
    ["00:00", 2],
    ["23:00", 1],
  ]);
});

test("the return of a month is that of the equity from its beginning to its end", () => {
  const day = 86_400;
  const start = Date.UTC(2026, 0, 30) / 1000;
  const klines = [0, 1, 2, 3].map((n) => ({ time: start + n * day, open: 1, high: 1, low: 1, close: 1, volume: 1 }));
  const found = monthly({ klines, equity: [1000, 1100, 1100, 550], interval_seconds: day }, 1000);
  expect(found.map(({ month, percent }) => [month, Math.round(percent)])).toEqual([
    ["2026-01", 10],
    ["2026-02", -50],
  ]);
});
