import { expect, test } from "vitest";
import type { Variant } from "@/explore/grid";
import { axisAt, linesOf, nearest, pathsOf, valueHeight } from "@/explore/parallel";

const SEARCH = {
  parameters: [
    { path: "a", values: [1, 2] },
    { path: "b", values: ["1h", "2h", "4h"] },
    { path: "c", values: [10, 20] },
  ],
  objective: "return" as const,
  minimum_trades: 5,
};
const variant = (number: number, total_return: number | null, total_trades: number | null) =>
  ({ number, total_return, total_trades, win_rate: 50, max_drawdown: 4 }) as Variant;
const VARIANTS = Array.from({ length: 12 }, (_, number) => variant(number, number - 6, 10));

test("the best line comes last, after those with few trades, and a variant that was not run has none", () => {
  const mixed = [variant(0, 5, 10), variant(1, 50, 2), variant(2, null, null), variant(3, -5, 10)];
  expect(linesOf(SEARCH, mixed).map(({ number }) => number)).toEqual([1, 3, 0]);
});

test("a line crosses each axis in the band of its value, and ends at its result", () => {
  for (const line of linesOf(SEARCH, VARIANTS)) {
    line.place.forEach((at, axis) => {
      const values = SEARCH.parameters[axis]?.values.length ?? 0;
      expect(Math.abs((line.heights[axis] ?? 9) - valueHeight(at, values))).toBeLessThan(0.5 / values);
    });
  }
  const results = linesOf(SEARCH, VARIANTS).map(({ heights }) => heights.at(-1) ?? 0);
  expect(results).toEqual(results.toSorted((a, b) => b - a));
});

test("lines through the same value do not meet: the better one passes above", () => {
  const lines = linesOf(SEARCH, VARIANTS).filter(({ place }) => place[0] === 0);
  const heights = lines.map(({ heights }) => heights[0] ?? 0);
  expect(new Set(heights).size).toBe(6);
  expect(heights).toEqual(heights.toSorted((a, b) => b - a));
});

test("a point on a line finds it, on an axis and between two, and a point far from all finds none", () => {
  const lines = linesOf(SEARCH, VARIANTS);
  for (const line of lines) {
    const [a = 0, b = 0] = line.heights;
    expect(nearest(lines, axisAt(0, 4), a, 0.01)?.number).toBe(line.number);
    const between = nearest(lines, (axisAt(0, 4) + axisAt(1, 4)) / 2, (a + b) / 2, 0.01);
    expect(between?.heights.slice(0, 2).reduce((sum, each) => sum + each)).toBeCloseTo(a + b);
  }
  expect(nearest(lines, 0.5, 2, 0.1)).toBeNull();
});

test("there is one path for each colour, and those of better lines are drawn later", () => {
  const lines = linesOf(SEARCH, VARIANTS);
  const paths = pathsOf(lines, ({ score }) => ((score ?? 0) < 0 ? "red" : "green"));
  expect(paths.map(({ colour }) => colour)).toEqual(["red", "green"]);
  expect(paths.map(({ path }) => path.split("M").length - 1)).toEqual([6, 6]);
});
