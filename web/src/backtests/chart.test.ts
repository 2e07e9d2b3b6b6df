import { expect, test } from "vitest";
import { around, chartData, INTERVALS, neighbour, stretchesOf, stretchOf, within } from "@/backtests/chart";
import { CANDLES_DRAWN, type Run, type Trade } from "@/backtests/runs";

const at = (time: number) => new Date(time * 1000).toISOString();
const candle = (time: number) => ({ time, open: 1, high: 1, low: 1, close: 1, volume: 1 });
const shown = (times: number[]) => ({ klines: times.map(candle), equity: times.map(() => 1) });

const trade = (number: number, from: number, to: number) =>
  ({
    number,
    entry_time: at(from),
    exit_time: at(to),
    entry_price: 1,
    exit_price: 2,
    pnl: 1,
    entry_reason: "fell",
    exit_reason: "take_profit",
  }) as Trade;

const RUN = {
  open_position: { entry_time: at(900), entry_reason: "fell again" },
  equity_curve: [{ time: 0, equity: 1 }],
  initial_cash: 1,
  fee_percent: 0,
  slippage_percent: 0,
} as unknown as Run;

test("a short trade is shown with candles around it, all of which can be drawn", () => {
  for (const candles of [0, 1, 40, 500, 1700, 1780]) {
    const stretch = { number: 1, from: 6_000_000, to: 6_000_000 + candles * 60 };
    const { start_time, end_time } = around(stretch, "1m");
    expect(start_time).toBeLessThanOrEqual(stretch.from - 100 * 60);
    expect(end_time - stretch.to).toBe(stretch.from - start_time);
    expect((end_time - start_time) / 60 + 1).toBeLessThanOrEqual(CANDLES_DRAWN);
  }
});

test("a trade of a thousand days is shown with some candles around it", () => {
  const stretch = stretchOf(trade(1, 0, 3000 * INTERVALS["1d"]));
  const { start_time, end_time } = around(stretch, "1d");
  expect([start_time, end_time]).toEqual([-100 * INTERVALS["1d"], 3100 * INTERVALS["1d"]]);
});

test("a part of a run shows only what happened on its candles", () => {
  const all = [trade(1, 60, 120), trade(2, 240, 360), trade(3, 300, 480), trade(4, 780, 840)];
  const part = within(chartData(RUN, shown([240, 300, 360, 420]), all.toReversed()));
  expect(part.fills.map(({ time, side }) => [time, side])).toEqual([
    [240, "buy"],
    [300, "buy"],
    [360, "sell"],
  ]);
  expect(part.trades.map(({ number }) => number)).toEqual([2]);
  expect(part.curves?.equity).toHaveLength(4);
});

test("the whole run shows every trade, the open one and its equity", () => {
  const whole = chartData(RUN, shown([0, 60, 120]), [trade(1, 60, 120)]);
  expect(whole.fills.map(({ why }) => why)).toEqual(["fell", "Take profit", "fell again"]);
  expect(whole.trades).toHaveLength(1);
  expect(whole.curves?.equity).toEqual([0, 60, 120].map((time) => ({ time, value: 1 })));
});

test("each fill of a position has its mark and its reason", () => {
  const fill = (time: number, action: "BUY" | "SELL", price: number, reason: string) =>
    ({ time: at(time), action, price, reason }) as NonNullable<Trade["fills"]>[number];
  const fills = [fill(60, "BUY", 10, "entry"), fill(60, "BUY", 9, "ladder"), fill(120, "SELL", 11, "take_profit")];
  const open = { ...RUN.open_position, fills: fills.slice(0, 2) } as Run["open_position"];
  const data = chartData({ ...RUN, open_position: open }, shown([0, 60, 120]), [{ ...trade(1, 60, 120), fills }]);
  expect(data.fills.map(({ side, why }) => [side, why])).toEqual([
    ["buy", "fell"],
    ["buy", "Ladder, at $9.00"],
    ["buy", "fell again"],
    ["buy", "Ladder, at $9.00"],
    ["sell", "Take profit, at $11.00"],
  ]);
});

test.each([
  [null, 1, 1],
  [null, -1, 4],
  [1, 1, 2],
  [4, 1, 1],
  [1, -1, 4],
] as const)("from trade %s a step of %s leads to trade %s; the open position is the last", (current, by, number) => {
  const trades = [3, 2, 1].map((each) => trade(each, 60 * each, 60 * each + 30));
  const all = stretchesOf({ ...RUN, end_time: at(1800) }, { trades, total: 3 });
  expect(neighbour(all, current, by)?.number).toBe(number);
  expect(all.filter(({ isOpen }) => isOpen)).toEqual([{ number: 4, from: 900, to: 1800, isOpen: true }]);
});
