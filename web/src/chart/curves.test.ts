import { expect, test } from "vitest";
import { candleAt, curves, falls, holding } from "@/chart/curves";

const TERMS = { initial_cash: 1000, fee_percent: 1, slippage_percent: 0, costs: null, firstOpen: 10 };
const candle = (time: number, close: number) => ({ time, open: close, high: close, low: close, close, volume: 1 });
const CANDLES = [candle(100, 10), candle(200, 20), candle(300, 5)];

test.each([
  [0, 0],
  [100, 0],
  [199, 0],
  [200, 1],
  [299, 1],
  [300, 2],
  [9999, 2],
])("the moment %i lies in candle %i", (time, place) => {
  expect(candleAt(CANDLES, time)).toBe(place);
});

test("buy and hold pays the costs once and follows the close", () => {
  expect(holding(CANDLES, TERMS).map(({ value }) => Math.round(value))).toEqual([990, 1980, 495]);
  expect(holding([], TERMS)).toEqual([]);
});

test.each([
  ["tax", { buy_tax_percent: 4 }, 0.96],
  ["impact", { liquidity_usd: 20_000 }, 1 / (1 + (2 / 20_000) * (1000 / 1.01))],
  ["a tax that takes everything", { buy_tax_percent: 100 }, 0],
])("buy and hold pays the %s of its purchase too", (_, pool, share) => {
  const costs = { fee_percent: 1, slippage_percent: 0, ...pool };
  const [first] = holding(CANDLES, { ...TERMS, costs });
  expect(first?.value).toBeCloseTo((share * 1000) / 1.01, 9);
});

test("a fall is measured from the highest so far", () => {
  const points = [100, 120, 90, 130, 65].map((value, time) => ({ time, value }));
  expect(falls(points).map(({ value }) => Math.round(value))).toEqual([0, 0, -25, 0, -50]);
});

const MARKS = [
  { time: 50, equity: 2000 },
  { time: 100, equity: 1000 },
  { time: 150, equity: 500 },
  { time: 250, equity: null },
];

test("all curves use the times of the candles, with the equity at the end and the deepest fall of each", () => {
  const { equity, drawdown, hold } = curves(CANDLES, [800, 1200, 1600], { ...TERMS, marks: MARKS });
  expect(equity.map(({ value }) => value)).toEqual([800, 1200, 1600]);
  expect(drawdown.map(({ time, value }) => [time, Math.round(value)])).toEqual([
    [100, -75],
    [200, -40],
    [300, -20],
  ]);
  expect(hold).toHaveLength(3);
});

test("before the run begins there is no equity", () => {
  const { equity, drawdown, hold } = curves(CANDLES, [null, 1200, 1600], { ...TERMS, marks: [] });
  for (const curve of [equity, drawdown, hold]) expect(curve.map(({ time }) => time)).toEqual([200, 300]);
});

test("without candles there are no curves", () => {
  expect(curves([], [], { ...TERMS, marks: MARKS }).equity).toEqual([]);
});
