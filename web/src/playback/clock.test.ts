import { expect, test } from "vitest";
import { candleOf, due, lastOf, stepped } from "@/playback/clock";

const COURSE = { start: 1000, end: 1600, interval: 60 };

test("the clock moves by whole candles and stays within the run", () => {
  expect(lastOf(COURSE)).toBe(1540);
  expect(stepped(COURSE, 1000, 1)).toBe(1060);
  expect(stepped(COURSE, 1000, -1)).toBe(1000);
  expect(stepped(COURSE, 1480, 500)).toBe(1540);
  expect([0, 1000, 1059, 1060, 9999].map((moment) => candleOf(COURSE, moment))).toEqual([1000, 1000, 1000, 1060, 1540]);
});

test.each([1, 30, 500])("at %i candles a second this many are shown after a second", (speed) => {
  let [rest, total] = [0, 0];
  for (let frame = 0; frame < 100; frame++) {
    const next = due(speed, 10, rest);
    rest = next.rest;
    total += next.candles;
  }
  expect(total + rest).toBeCloseTo(speed);
});

test("a tab that slept does not catch up", () => {
  expect(due(500, 60_000, 0).candles).toBe(125);
});
