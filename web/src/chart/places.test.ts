import { expect, test } from "vitest";
import { placeOf, timeOf } from "@/chart/places";

const candle = (time: number) => ({ time, open: 1, high: 1, low: 1, close: 1, volume: 1 });
const CANDLES = [100, 200, 300, 500].map(candle);

test.each([
  [100, 0],
  [150, 0.5],
  [300, 2],
  [400, 2.5],
  [500, 3],
])("the moment %i lies at %f, and back", (time, place) => {
  expect(placeOf(CANDLES, time)).toBe(place);
  expect(timeOf(CANDLES, place)).toBe(time);
});

test("outside of the candles, time continues with their interval", () => {
  for (const place of [-3, -0.5, 3.5, 10]) expect(placeOf(CANDLES, timeOf(CANDLES, place))).toBeCloseTo(place);
  expect(placeOf([], 5)).toBe(0);
  expect(timeOf([], 5)).toBe(0);
});
