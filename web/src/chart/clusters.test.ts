import { expect, test } from "vitest";
import { clustered, gapFor } from "@/chart/clusters";

const marks = [0, 1, 2, 5, 6, 20].map((place, i) => ({ place, side: i % 2 ? ("sell" as const) : ("buy" as const) }));

test("marks far enough apart are each drawn", () => {
  expect(clustered(marks, 1).map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 1]);
});

test("overlapping marks of one side are merged into one with their number", () => {
  expect(clustered(marks, 10)).toEqual([
    { place: 0, side: "buy", count: 3 },
    { place: 1, side: "sell", count: 2 },
    { place: 20, side: "sell", count: 1 },
  ]);
});

test("the narrower the candles, the more of them an arrow needs", () => {
  expect([20, 14, 3, 0.5].map((spacing) => gapFor(spacing, 14))).toEqual([1, 1, 5, 28]);
});
