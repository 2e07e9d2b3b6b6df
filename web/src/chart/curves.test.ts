import { expect, test } from "vitest";
import { candleAt, curves, falls, holding } from "@/chart/curves";

const TERMS = { initial_cash: 1000, fee_percent: 1, slippage_percent: 0 };
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

test("a fall is measured from the highest so far", () => {
  const points = [100, 120, 90, 130, 65].map((value, time) => ({ time, value }));
  expect(falls(points).map(({ value }) => Math.round(value))).toEqual([0, 0, -25, 0, -50]);
});

test("all curves stand on the candles' own times, with the last mark and the deepest fall of each", () => {
  const marks = [
    { time: 100, equity: 1000 },
    { time: 150, equity: 500 },
    { time: 190, equity: 800 },
    { time: 200, equity: null },
    { time: 250, equity: 1200 },
  ];
  const { equity, drawdown } = curves(CANDLES, marks, TERMS);
  expect(equity).toEqual([
    { time: 100, value: 800 },
    { time: 200, value: 1200 },
  ]);
  expect(drawdown).toEqual([
    { time: 100, value: -50 },
    { time: 200, value: 0 },
  ]);
});

test("without candles there are no curves", () => {
  expect(curves([], [{ time: 1, equity: 1 }], TERMS).equity).toEqual([]);
});
