import { expect, test } from "vitest";
import { labelOf, placesOf, withValues } from "@/explore/places";
import type { Strategy } from "@/strategy/words";

const STRATEGY: Strategy = {
  conditions: [
    { kind: "price_drop", percent: 5, window: "1h", reference: "close" },
    {
      kind: "compare",
      left: { series: "rsi", period: 14, interval: "4h", offset: 0, times: 1, plus: 0 },
      operator: "below",
      right: 30,
      within_candles: 1,
    },
  ],
  match: "all",
  exit_conditions: [{ kind: "price_rise", percent: 4, window: "30m", reference: "close" }],
  exit_match: "any",
  risk_management: { stop_loss_percent: 3, max_holding: "1d" },
  position_percent: 100,
};

test("numbers and durations of the rules are named in plain words, with the path of the API", () => {
  const named = Object.fromEntries(placesOf(STRATEGY).map(({ path, label }) => [path, label]));
  expect(named).toEqual({
    "conditions.0.percent": "Drop % of rule 1",
    "conditions.0.window": "Window of rule 1",
    "conditions.1.right": "RSI limit of rule 2",
    "conditions.1.left.period": "RSI period, left of rule 2",
    "exit_conditions.0.percent": "Rise % of sell rule 1",
    "exit_conditions.0.window": "Window of sell rule 1",
    stop_loss_percent: "Stop loss %",
    take_profit_percent: "Take profit %",
    trailing_stop_percent: "Trailing stop %",
    max_holding: "Longest holding",
    cooldown: "Wait after a sale",
    position_percent: "Cash used %",
  });
});

test("a stop that is not set can be varied too", () => {
  const target = placesOf(STRATEGY).find(({ path }) => path === "take_profit_percent");
  expect(target).toMatchObject({ kind: "number", value: null });
});

test("a path with or without risk_management names the same stop", () => {
  expect(labelOf(STRATEGY, "risk_management.stop_loss_percent")).toBe("Stop loss %");
  const short = withValues(STRATEGY, { stop_loss_percent: 7 });
  expect(withValues(STRATEGY, { "risk_management.stop_loss_percent": 7 })).toEqual(short);
  expect(short.risk_management?.stop_loss_percent).toBe(7);
});

test("values replace those of the strategy, which stays as it was", () => {
  const before = structuredClone(STRATEGY);
  const changed = withValues(STRATEGY, { "conditions.1.left.period": 21, "conditions.1.right": 25, max_holding: "4h" });
  expect(changed.conditions[1]).toMatchObject({ left: { series: "rsi", period: 21 }, right: 25 });
  expect(changed.risk_management).toEqual({ stop_loss_percent: 3, max_holding: "4h" });
  expect(STRATEGY).toEqual(before);
});
