import { expect, test } from "vitest";
import {
  edgesOf,
  numberAt,
  numberOf,
  placeOf,
  planeOf,
  plateauOf,
  recommendedOf,
  type Search,
  scoreOf,
  type Variant,
} from "@/explore/grid";

const AXES = [
  { path: "a", values: [1, 2] },
  { path: "b", values: ["1h", "2h", "4h"] },
  { path: "c", values: [10, 20] },
];
const SEARCH = { parameters: AXES, objective: "return" as const, minimum_trades: 5 };
const VARIANTS = Array.from(
  { length: 12 },
  (_, number) => ({ number, total_return: number, total_trades: number, win_rate: 50, max_drawdown: 4 }) as Variant,
);

test("the last axis moves fastest, and a place leads back to its number", () => {
  expect(numberAt(AXES, [1, 2, 0])).toBe(10);
  for (const { number } of VARIANTS) expect(numberAt(AXES, placeOf(AXES, number))).toBe(number);
});

test("values name a variant, unless they are not on the grid", () => {
  expect(numberOf(SEARCH, { a: 2, b: "4h", c: 10 })).toBe(10);
  expect(numberOf(SEARCH, { a: 3, b: "4h", c: 10 })).toBeNull();
  expect(numberOf(SEARCH, undefined)).toBeNull();
});

test("a plane has a row for each value down and a cell for each value across", () => {
  const rows = planeOf(SEARCH, VARIANTS, [0, 0, 1], 1, 0);
  expect(rows.map((row) => row.map(({ number }) => number))).toEqual([
    [1, 3, 5],
    [7, 9, 11],
  ]);
  expect(rows[0]?.map(({ counts }) => counts)).toEqual([false, false, true]);
});

test("with one axis there is one row", () => {
  const search = { ...SEARCH, parameters: AXES.slice(0, 1) };
  expect(planeOf(search, VARIANTS, [0], 0, null).map((row) => row.map(({ score }) => score))).toEqual([[0, 1]]);
});

const POINT = { parameters: { a: 2, b: "4h", c: 10 } } as unknown as Search["recommended"];

test.each<[string, Pick<Search, "recommended" | "not_recommended">, number | null]>([
  ["nothing is against it", { recommended: POINT, not_recommended: null }, 10],
  ["the server speaks against it", { recommended: POINT, not_recommended: "Nothing to recommend: …" }, null],
  ["there are too few trades", { recommended: null, not_recommended: null }, null],
])("the star of a search, if %s", (_, search, number) => {
  expect(recommendedOf({ ...SEARCH, ...search })).toBe(number);
});

test("the plateau is the recommended variant with what is one step away on one axis", () => {
  expect(plateauOf(AXES, numberAt(AXES, [0, 1, 0]))).toEqual(new Set([2, 0, 4, 3, 8]));
  expect(plateauOf(AXES, null)).toEqual(new Set());
});

test("only the outer sides of the plateau are its edges", () => {
  const rows = planeOf(SEARCH, VARIANTS, [0, 1, 0], 1, 0);
  const plateau = plateauOf(AXES, 2);
  expect(edgesOf(rows, plateau, 0, 1)).toEqual({ top: true, right: false, bottom: false, left: false });
  expect(edgesOf(rows, plateau, 1, 0)).toBeNull();
});

test("a small drawdown counts as one percent", () => {
  const variant = { ...VARIANTS[8], max_drawdown: 0.2 } as Variant;
  expect(scoreOf(variant, "return_over_drawdown")).toBe(8);
  expect(scoreOf({ ...variant, max_drawdown: 4 }, "return_over_drawdown")).toBe(2);
});
