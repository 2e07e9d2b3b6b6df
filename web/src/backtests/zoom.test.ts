import { expect, test } from "vitest";
import { partFor } from "@/backtests/zoom";

const RUN = { start_time: 0, end_time: 100_000 };

test("the whole run is shown while most of it is in view", () => {
  expect(partFor({ from: -500, to: 100_500 }, null, RUN)).toBeNull();
  expect(partFor({ from: 0, to: 40_000 }, null, RUN)).toBeNull();
});

test("zoomed in, the part in view is loaded with as much again on each side", () => {
  expect(partFor({ from: 40_000, to: 50_000 }, null, RUN)).toEqual({ start_time: 30_000, end_time: 60_000 });
  expect(partFor({ from: -1000, to: 9000 }, null, RUN)).toEqual({ start_time: 0, end_time: 19_000 });
});

test("what is loaded stays while it covers the view and is fine enough", () => {
  const shown = { start_time: 30_000, end_time: 60_000 };
  expect(partFor({ from: 32_000, to: 42_000 }, shown, RUN)).toBe(shown);
  expect(partFor({ from: 25_000, to: 35_000 }, shown, RUN)).toEqual({ start_time: 15_000, end_time: 45_000 });
  expect(partFor({ from: 40_000, to: 41_000 }, shown, RUN)).toEqual({ start_time: 39_000, end_time: 42_000 });
});

test("zoomed out of a part, the whole run is shown again", () => {
  expect(partFor({ from: 10_000, to: 90_000 }, { start_time: 30_000, end_time: 60_000 }, RUN)).toBeNull();
});
