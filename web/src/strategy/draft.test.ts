import { expect, test } from "vitest";
import { newCondition, same, toDraft, toStrategy } from "@/strategy/draft";
import { readDuration, writeDuration, writeOptional } from "@/strategy/duration";
import type { Kind, Strategy } from "@/strategy/words";

const FULL: Strategy = {
  conditions: [
    { kind: "price_drop", percent: 5, window: "15m", reference: "high" },
    { kind: "price_rise", percent: 12.5, window: "2d", reference: "low" },
    { kind: "volume_spike", multiplier: 3, window: "1h" },
    { kind: "price_level", level: 1e-8, direction: "below", trigger: "is" },
  ],
  match: "any",
  exit_conditions: [{ kind: "price_drop", percent: 1, window: "1h", reference: "close" }],
  exit_match: "all",
  risk_management: {
    stop_loss_percent: 3,
    take_profit_percent: 10,
    trailing_stop_percent: null,
    max_holding: "90m",
    cooldown: null,
  },
  position_percent: 25,
  guards: {
    max_drawdown_percent: 20,
    losing_streak: { losses: 3, pause: "1d" },
    max_trades_per_day: 4,
  },
};

test("a strategy that is opened and not edited is unchanged", () => {
  expect(toStrategy(toDraft(FULL))).toEqual(FULL);
});

test("default values of the API are filled in", () => {
  const strategy = toStrategy(toDraft({ conditions: [{ kind: "price_drop", percent: 5 }] }));
  expect(strategy).toMatchObject({ match: "all", exit_match: "any", exit_conditions: [], position_percent: 100 });
  expect(strategy.conditions).toEqual([{ kind: "price_drop", percent: 5, window: "1h", reference: "close" }]);
});

test("without a guard there is no field guards, and an incomplete guard is sent for the API to refuse", () => {
  const { guards, ...bare } = FULL;
  expect(toStrategy(toDraft(bare))).toEqual(bare);
  const half = { ...toDraft(bare).guards, losses: "3" };
  expect(toStrategy({ ...toDraft(bare), guards: half }).guards).toEqual({
    max_drawdown_percent: null,
    losing_streak: { losses: 3, pause: "" },
    max_trades_per_day: null,
  });
  expect(guards).toBeDefined();
});

test("an empty number is sent as null, and the API refuses it", () => {
  const draft = { ...toDraft(FULL), position_percent: " ", conditions: [{ ...newCondition(), percent: "" }] };
  expect(JSON.parse(JSON.stringify(toStrategy(draft)))).toMatchObject({
    position_percent: null,
    conditions: [{ percent: null }],
  });
});

test("changing the kind of a condition and back loses nothing", () => {
  const draft = toDraft(FULL);
  const ofKind = (kind: Kind) => ({ ...draft, conditions: draft.conditions.map((each) => ({ ...each, kind })) });
  const [first] = draft.conditions;
  expect(same(draft, ofKind("price_level"))).toBe(false);
  expect(toStrategy(ofKind("price_level")).conditions[0]).toMatchObject({ kind: "price_level" });
  expect(toStrategy(ofKind(first?.kind ?? "price_rise")).conditions[0]).toEqual(FULL.conditions[0]);
});

test.each(["15m", "1h", "30d", "43200m"])("the duration %s is read and written", (text) => {
  expect(writeDuration(readDuration(text))).toBe(text);
});

test.each([[null], [undefined], [""], ["soon"]])(
  "the duration %s is empty, and means none if it is optional",
  (text) => {
    expect(readDuration(text, "m")).toEqual({ count: "", unit: "m" });
    expect(writeOptional(readDuration(text))).toBeNull();
  },
);

test("an incomplete duration is sent to the API as it is", () => {
  expect(writeDuration({ count: "", unit: "h" })).toBe("h");
  expect(writeOptional({ count: "1.5", unit: "h" })).toBe("1.5h");
});
