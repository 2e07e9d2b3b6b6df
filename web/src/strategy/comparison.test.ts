import { expect, test } from "vitest";
import { type Comparison, comparison, comparisonDraft } from "@/strategy/comparison";
import { TEMPLATES } from "@/strategy/templates";

const HOURLY: Comparison = {
  kind: "compare",
  left: {
    series: "bollinger",
    line: "lower",
    period: 20,
    deviations: 2.5,
    interval: "1h",
    offset: 1,
    times: 0.98,
    plus: 3,
  },
  operator: "crosses_below",
  right: { series: "sma", period: 20, of: "volume" },
  within_candles: 10,
};

test.each<[string, Comparison]>([
  ["two series with every modifier", HOURLY],
  ["a series and a number", { ...HOURLY, right: -0.5 }],
  ...TEMPLATES.flatMap(({ name, strategy }) =>
    strategy.conditions
      .filter((condition) => condition.kind === "compare")
      .map((condition): [string, Comparison] => [name, { within_candles: 1, ...condition }]),
  ),
])("%s comes out of the editor as it went in", (_, condition) => {
  expect(comparison(comparisonDraft(condition))).toEqual(condition);
});

test("a missing number is sent as null", () => {
  const draft = comparisonDraft({ ...HOURLY, right: 30 });
  expect(comparison({ ...draft, number: " " }).right).toBeNaN();
});
