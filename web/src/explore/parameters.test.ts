import { expect, test } from "vitest";
import { asked, type Draft, draftOf, valuesOf, variantsOf } from "@/explore/parameters";

const RANGE: Draft = { path: "p", kind: "number", mode: "range", from: "0.1", to: "0.5", step: "0.1", values: "" };

test.each([
  [{}, [0.1, 0.2, 0.3, 0.4, 0.5]],
  [{ from: "2", to: "10", step: "3" }, [2, 5, 8]],
  [{ from: "2", to: "2", step: "1" }, [2]],
  [{ from: "3", to: "2", step: "1" }, null],
  [{ from: "1", to: "2", step: "0" }, null],
  [{ from: "", to: "2", step: "1" }, null],
  [{ from: "0", to: "1000000", step: "1" }, null],
  [{ mode: "values", values: "2, 5 5;10" }, [2, 5, 10]],
  [{ mode: "values", values: "2, five" }, null],
  [{ mode: "values", kind: "duration", values: "4h, 1d" }, ["4h", "1d"]],
] as [Partial<Draft>, unknown][])("%o has the values %o", (part, values) => {
  expect(valuesOf({ ...RANGE, ...part })).toEqual(values);
});

test("the variants are the product of the values, and unknown while one parameter has none", () => {
  expect(variantsOf([RANGE, { ...RANGE, to: "0.3" }])).toBe(15);
  expect(variantsOf([RANGE, { ...RANGE, step: "" }])).toBeNull();
  expect(variantsOf([])).toBeNull();
});

test.each([
  ["conditions.0.percent", 3, "2", "4", "0.5"],
  ["conditions.0.left.period", 14, "10", "18", "2"],
  ["conditions.0.multiplier", 2, "1.5", "3", "0.5"],
  ["position_percent", 100, "60", "100", "20"],
  ["conditions.0.right", -5, "-7", "-3", "1"],
  ["stop_loss_percent", null, "4", "8", "1"],
])("%s begins around %o", (path, value, from, to, step) => {
  expect(draftOf({ path, label: "", kind: "number", value })).toMatchObject({ from, to, step, mode: "range" });
});

test("the values of a duration are itself and longer ones, which the same candles can show", () => {
  const draft = draftOf({ path: "max_holding", label: "", kind: "duration", value: "12h" });
  expect(draft.values).toBe("12h, 1d, 2d");
  expect(asked(draft)).toEqual({ path: "max_holding", values: ["12h", "1d", "2d"] });
});
