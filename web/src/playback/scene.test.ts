import { expect, test } from "vitest";
import type { Run, Trade } from "@/backtests/runs";
import type { Rules } from "@/chart/RuleLines";
import { happened, happenings, nextDecision, sceneAt, soFarAt } from "@/playback/scene";

const at = (time: number) => new Date(time * 1000).toISOString();
const TIMES = Array.from({ length: 100 }, (_, i) => i * 60);
const LOADED = {
  klines: TIMES.map((time) => ({ time, open: 1, high: 1, low: 1, close: 1, volume: 1 })),
  equity: TIMES.map((time) => (time < 600 ? null : 1000 + time)),
  lines: [],
};
const TRADE = {
  number: 1,
  entry_time: at(1200),
  exit_time: at(2400),
  entry_price: 1,
  exit_price: 2,
  pnl: 1,
  pnl_percent: 1,
  entry_reason: "fell",
  exit_reason: "take_profit",
} as Trade;
const RULES = { number: 1, entry_decided_at: 1140, entry_filled_at: 1200, exit_filled_at: 2400 } as Rules;
const RUN = {
  open_position: { entry_time: at(3000), entry_reason: "fell again", entry_price: 1 },
  equity_curve: TIMES.map((time) => ({ time, equity: 1000 + time })),
  initial_cash: 1000,
  fee_percent: 0,
  slippage_percent: 0,
} as unknown as Run;
const STORY = { run: RUN, trades: [TRADE], rules: [RULES], firstOpen: 1 };
const scene = (clock: number) => sceneAt(STORY, LOADED, clock, 500);

test.each(TIMES)("at %i nothing later is known", (clock) => {
  const { candles, fills, trades, curves, rules } = scene(clock);
  expect(candles.at(-1)?.time).toBe(clock);
  for (const { time } of fills) expect(time).toBeLessThanOrEqual(clock);
  for (const { exitTime } of trades) expect(exitTime).toBeLessThanOrEqual(clock);
  for (const curve of Object.values(curves ?? {}))
    for (const { time } of curve) expect(time).toBeLessThanOrEqual(clock);
  for (const rule of rules ?? []) expect(rule.entry_decided_at).toBeLessThanOrEqual(clock);
});

test("a trade unfolds: decided, bought, held, sold", () => {
  expect(scene(1080).rules).toEqual([]);
  expect([scene(1140).rules?.length, scene(1140).fills.length]).toEqual([1, 0]);
  expect(scene(1200).fills.map(({ side }) => side)).toEqual(["buy"]);
  expect([scene(2340).trades.length, scene(2400).trades.length]).toEqual([0, 1]);
  expect([scene(2400).rules?.length, scene(2460).rules?.length]).toEqual([1, 0]);
});

test("events are listed in order, and trades can be selected", () => {
  const all = happenings(RUN, [TRADE], 60);
  expect(all.map(({ time }) => time)).toEqual([1140, 1200, 2400, 2940, 3000]);
  expect([0, 1139, 1140, 1200, 9999].map((clock) => happened(all, clock))).toEqual([0, 0, 1, 2, 5]);
  expect([nextDecision(all, 0, 1), nextDecision(all, 1140, 1), nextDecision(all, 2940, 1)]).toEqual([
    1140,
    2940,
    undefined,
  ]);
  expect([nextDecision(all, 1140, -1), nextDecision(all, 9999, -1)]).toEqual([undefined, 2940]);
});

test("the account at one moment includes no later trade and no later price", () => {
  const account = (clock: number) => soFarAt(STORY, LOADED, clock);
  expect(account(0)).toEqual({ equity: 1000, returnPercent: 0, closed: 0, won: 0, position: null });
  expect(account(1200)).toMatchObject({ equity: 2200, closed: 0, position: { entryPrice: 1, changePercent: 0 } });
  expect(account(2340)).toMatchObject({ closed: 0, position: { entryPrice: 1 } });
  expect(account(2400)).toMatchObject({ closed: 1, won: 1, position: null });
  expect(account(2940).position).toBeNull();
  expect(account(3000)).toMatchObject({ closed: 1, position: { entryPrice: 1 } });
});

test("a position that is traded in parts unfolds fill by fill, at the average price so far", () => {
  const fill = (time: number, action: "BUY" | "SELL", price: number, quantity: number) => ({
    time: at(time),
    action,
    price,
    quantity,
    reason: action === "BUY" ? "ladder" : "take_profit",
    number: 1,
  });
  const fills = [fill(1200, "BUY", 4, 1), fill(1500, "BUY", 2, 3), fill(1800, "SELL", 5, 2), fill(2400, "SELL", 6, 2)];
  const trade = { ...TRADE, entry_price: 2.5, fills } as Trade;
  const story = { ...STORY, trades: [trade] };
  const sides = (clock: number) => sceneAt(story, LOADED, clock, 500).fills.map(({ side }) => side);
  expect([sides(1200), sides(1500), sides(2340)]).toEqual([["buy"], ["buy", "buy"], ["buy", "buy", "sell"]]);
  const paid = (clock: number) => soFarAt(story, LOADED, clock).position?.entryPrice;
  expect([paid(1200), paid(1500), paid(1800)]).toEqual([4, 2.5, 2.5]);
  const told = happenings({ ...RUN, open_position: null }, [trade], 60).map(({ time, what }) => [time, what]);
  expect(told).toEqual([
    [1140, "Decided to buy"],
    [1200, "Bought at $4.00"],
    [1500, "Bought more at $2.00"],
    [1800, "Sold a part at $5.00"],
    [2400, "Sold at $6.00, +1.00%"],
  ]);
  const parts = happenings({ ...RUN, open_position: null }, [trade], 60).slice(2, 4);
  expect(parts.map(({ why }) => why)).toEqual(["Ladder 1", "Take profit 1"]);
});
