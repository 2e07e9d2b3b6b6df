import { expect, test } from "vitest";
import { withStep } from "@/strategy/BuyFields";
import { newCondition } from "@/strategy/conditionDraft";
import type { TargetDraft } from "@/strategy/draft";
import { same, toDraft, toStrategy } from "@/strategy/draft";
import { readDuration, writeDuration, writeOptional } from "@/strategy/duration";
import { withTarget } from "@/strategy/SellFields";
import { TEMPLATES } from "@/strategy/templates";
import type { Kind, Strategy } from "@/strategy/words";

const ORDERS: Strategy = {
  conditions: [
    {
      kind: "group",
      match: "at_least",
      count: 1,
      conditions: [
        { kind: "time", from: "22:00", to: "06:00", weekdays: ["mon", "sun"], timezone: "Europe/Berlin" },
        { kind: "group", match: "none", conditions: [{ kind: "every", period: "7d", at: "09:30" }] },
        { kind: "time", timezone: "UTC" },
      ],
    },
  ],
  match: "all",
  exit_conditions: [],
  exit_match: "any",
  risk_management: {
    stop_loss_percent: null,
    take_profit_percent: null,
    trailing_stop_percent: null,
    max_holding: null,
    cooldown: null,
    take_profits: [
      { gain_percent: 10, sell_percent: 50 },
      { gain_percent: 20, sell_percent: 30 },
    ],
    break_even_after_percent: 5,
    stop_loss_atr: { period: 14, times: 2 },
    trailing_stop_atr: { period: 20, times: 3.5 },
  },
  position_percent: 40,
  ladder: [
    { drop_percent: 5, size_percent: 20 },
    { drop_percent: 10, size_percent: 40 },
  ],
  max_entries: 3,
  entry_gap: "1d",
  portfolio: { max_open: 3, prefer: "fall" },
};

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

const { position_percent: _, ladder: __, ...UNSIZED } = ORDERS;

test.each<[string, Strategy]>([
  ["prices, volume and guards", FULL],
  ["orders, times and groups", ORDERS],
  ["an amount for each buy", { ...UNSIZED, position_percent: 100, position_amount: 250 }],
  ["a share at risk", { ...UNSIZED, position_percent: 100, risk_percent: 0.5 }],
  ...TEMPLATES.map(({ name, strategy }): [string, Strategy] => [name, toStrategy(toDraft(strategy))]),
])("a strategy with %s that is opened and not edited is unchanged", (_, strategy) => {
  expect(toStrategy(toDraft(strategy))).toEqual(strategy);
});

test("an order that is switched to another form is sent in that form alone, and nothing is lost", () => {
  const draft = toDraft(ORDERS);
  const { stop_loss, trailing_stop } = draft.risk;
  const inPercent = {
    ...draft,
    size: { ...draft.size, by: "amount" as const, amount: "50" },
    risk: {
      ...draft.risk,
      take_profits: [],
      take_profit_percent: "8",
      stop_loss: { ...stop_loss, by: "percent" as const, percent: "4" },
      trailing_stop: { ...trailing_stop, times: " " },
    },
    parts: { ...draft.parts, ladder: [], max_entries: "", entry_gap: readDuration(null) },
  };
  const { ladder, max_entries, entry_gap, risk_management, ...rest } = toStrategy(inPercent);
  expect(rest).toMatchObject({ position_percent: 100, position_amount: 50 });
  expect([ladder, max_entries, entry_gap]).toEqual([undefined, undefined, undefined]);
  expect(risk_management).toEqual({
    stop_loss_percent: 4,
    take_profit_percent: 8,
    trailing_stop_percent: null,
    max_holding: null,
    cooldown: null,
    break_even_after_percent: 5,
  });
  expect(same({ ...inPercent, size: draft.size, risk: draft.risk, parts: draft.parts }, draft)).toBe(true);
});

test("the first target makes two of the take profit, and further ones sell what is left", () => {
  const plain = (targets: TargetDraft[]) =>
    targets.map(({ gain_percent, sell_percent }) => [gain_percent, sell_percent]);
  const { risk } = toDraft(FULL);
  const two = withTarget(risk);
  expect(plain(two)).toEqual([
    ["10", "50"],
    ["20", "50"],
  ]);
  const [first] = two as [TargetDraft];
  expect(plain(withTarget({ ...risk, take_profits: [first] })).at(-1)).toEqual(["20", "50"]);
});

test("the first step of a ladder leaves cash for the steps, and each step fits into what is left", () => {
  let draft = toDraft({ conditions: [] });
  const shares: string[] = [];
  for (const _ of [1, 2, 3]) {
    draft = { ...draft, ...withStep(draft) };
    shares.push(draft.parts.ladder.at(-1)?.size_percent ?? "");
  }
  expect([draft.size.percent, ...shares]).toEqual(["40", "20", "20", "20"]);
  expect(draft.parts.ladder.map(({ drop_percent }) => drop_percent)).toEqual(["5", "10", "15"]);
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
  const { size } = toDraft(FULL);
  const draft = {
    ...toDraft(FULL),
    size: { ...size, percent: " " },
    conditions: [{ ...newCondition(), percent: "" }],
  };
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
