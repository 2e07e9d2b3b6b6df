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

const ORDERS: Strategy = {
  conditions: [
    {
      kind: "group",
      match: "at_least",
      count: 1,
      conditions: [
        { kind: "price_drop", percent: 5, window: "1h" },
        { kind: "every", period: "1d", at: "09:00" },
      ],
    },
    { kind: "time", from: "09:00", timezone: "UTC" },
  ],
  risk_management: {
    stop_loss_atr: { period: 14, times: 2 },
    take_profits: [
      { gain_percent: 10, sell_percent: 50 },
      { gain_percent: 20, sell_percent: 50 },
    ],
    break_even_after_percent: 5,
  },
  position_amount: 100,
  ladder: [{ drop_percent: 3, size_percent: 20 }],
  max_entries: 3,
  entry_gap: "1d",
};

test("orders, groups and sizes that a strategy has are named, and what they replace is not offered", () => {
  const named = Object.fromEntries(placesOf(ORDERS).map(({ path, label }) => [path, label]));
  expect(named).toEqual({
    "conditions.0.count": "How many of rule 1",
    "conditions.0.conditions.0.percent": "Drop % of rule 1.1",
    "conditions.0.conditions.0.window": "Window of rule 1.1",
    "conditions.0.conditions.1.period": "Period of rule 1.2",
    trailing_stop_percent: "Trailing stop %",
    max_holding: "Longest holding",
    cooldown: "Wait after a sale",
    "stop_loss_atr.period": "ATR period of the stop loss",
    "stop_loss_atr.times": "Stop loss × ATR",
    "take_profits.0.gain_percent": "Gain % of target 1",
    "take_profits.0.sell_percent": "Share sold % of target 1",
    "take_profits.1.gain_percent": "Gain % of target 2",
    "take_profits.1.sell_percent": "Share sold % of target 2",
    "ladder.0.drop_percent": "Drop % of ladder step 1",
    "ladder.0.size_percent": "Share of the cash % of ladder step 1",
    break_even_after_percent: "Break even after %",
    position_amount: "Cash of a buy",
    max_entries: "Buys of one position",
    entry_gap: "Time between buys",
  });
});

test("a value of an order replaces that of the strategy, with or without risk_management", () => {
  const values = {
    "take_profits.1.gain_percent": 30,
    "risk_management.stop_loss_atr.times": 3,
    "ladder.0.drop_percent": 4,
  };
  const changed = withValues(ORDERS, values);
  expect(changed.risk_management?.take_profits?.[1]).toEqual({ gain_percent: 30, sell_percent: 50 });
  expect(changed.risk_management?.stop_loss_atr?.times).toBe(3);
  expect(changed.ladder).toEqual([{ drop_percent: 4, size_percent: 20 }]);
  expect(Object.keys(changed)).toEqual(Object.keys(ORDERS));
  expect(labelOf(ORDERS, "risk_management.take_profits.0.gain_percent")).toBe("Gain % of target 1");
});
