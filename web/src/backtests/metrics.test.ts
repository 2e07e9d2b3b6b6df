import { expect, test } from "vitest";
import type { Schemas } from "@/api/client";
import { type Filter, filtered, NO_FILTER } from "@/backtests/filtering";
import { meaning } from "@/backtests/meaning";
import {
  best,
  bestOf,
  definition,
  errorOf,
  KEY_METRICS,
  type Metric,
  type Metrics,
  MORE_METRICS,
  note,
  written,
} from "@/backtests/metrics";
import type { Run, Summary } from "@/backtests/runs";
import openapi from "../../openapi.json";

const ALL = [...KEY_METRICS, ...MORE_METRICS];
const METRICS = Object.fromEntries([...ALL.map(({ name }) => [name, 1]), ["exit_reasons", {}]]) as unknown as Metrics;
const metric = (name: string) => ALL.find((each) => each.name === name) as Metric;

test("every metric of the API is shown once, with the API's own definition", () => {
  const properties: Record<string, { description?: string }> = openapi.components.schemas.MetricsView.properties;
  const known = Object.keys(properties).filter((name) => name !== "exit_reasons" && !name.endsWith("_error"));
  expect(ALL.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
  for (const { name } of ALL) expect(definition(name)).toContain(properties[name]?.description);
});

test("a symbol is explained only in definitions that use it", () => {
  expect(definition("total_return")).toContain("E0 is the cash at the start.");
  expect(definition("sharpe_ratio")).toContain("r are the returns");
  expect(definition("win_rate")).not.toContain("E is the equity");
});

test("a metric without a value says why", () => {
  expect(note("sharpe_ratio", null, { sharpe_ratio: "needs 20 days." })).toBe("Needs 20 days.");
  expect(note("sharpe_ratio", null, null)).toBe("Not known");
  expect(note("sharpe_ratio", 0, { sharpe_ratio: "needs 20 days." })).toBeNull();
});

test.each([
  ["total_return", -7.354, "−7.35%"],
  ["max_drawdown", 19.1, "19.10%"],
  ["fees_paid", 12.3, "$12.30"],
  ["profit_factor", 0.73123, "0.731"],
  ["average_holding_seconds", 5400, "1 h 30 min"],
  ["total_trades", 1234, "1,234"],
  ["cagr", null, "–"],
  ["return_without_pool_costs", 60.1, "+60.10%"],
])("%s of %s reads %s", (name, value, text) => {
  expect(written(metric(name), value)).toBe(text);
});

const of = (part: Partial<Metrics>): Metrics => ({ ...METRICS, ...part });

test.each<[string, (Metrics | null)[], number[]]>([
  ["total_return", [of({ total_return: 1 }), of({ total_return: 3 }), of({ total_return: null })], [1]],
  ["max_drawdown", [of({ max_drawdown: 1 }), of({ max_drawdown: 3 })], [0]],
  ["total_return", [of({ total_return: 2 }), of({ total_return: 2 })], []],
  ["total_return", [of({ total_return: 2 }), null], []],
  ["total_trades", [of({ total_trades: 2 }), of({ total_trades: 9 })], []],
  ["win_rate", [of({ win_rate: 5 }), of({ win_rate: 2 }), of({ win_rate: 5 })], [0, 2]],
])("by %s the best is marked, where one is", (name, runs, places) => {
  expect([...bestOf(metric(name), runs)]).toEqual(places);
});

const RUN = {
  token: "abc",
  chain: "base",
  kline_interval: "1h" as const,
  start_time: "2026-10-16T08:00:00Z",
  end_time: "2026-11-15T08:00:00Z",
  costs: { pool_costs: "auto" as const, fee_percent: 0.1, slippage_percent: 0.05 },
};
const MANY = of({ total_trades: 30, sharpe_ratio: 1, total_return: 1 });
const BETTER = of({ total_trades: 40, sharpe_ratio: 2, total_return: 2 });
const FEW = of({ total_trades: 29, sharpe_ratio: 2, total_return: 2 });

test.each([
  ["sharpe_ratio", "the same token and time", { metrics: BETTER }, [1]],
  [
    "sharpe_ratio",
    "longer candles",
    { metrics: BETTER, kline_interval: "4h" as const, start_time: "2026-10-16T06:00:00Z" },
    [1],
  ],
  ["sharpe_ratio", "fewer than 30 trades", { metrics: FEW }, []],
  ["total_return", "fewer than 30 trades", { metrics: FEW }, [1]],
  ["sharpe_ratio", "another token", { metrics: BETTER, token: "xyz" }, []],
  ["total_return", "another time", { metrics: BETTER, start_time: "2026-08-16T08:00:00Z" }, []],
  ["total_return", "no tax and impact, of an older version", { metrics: BETTER, costs: null }, []],
  [
    "total_return",
    "tax and impact switched off",
    { metrics: BETTER, costs: { ...RUN.costs, pool_costs: "off" as const } },
    [],
  ],
])("by %s a run with %s is marked as better only where that is fair", (name, _, other, places) => {
  expect([
    ...best(metric(name), [
      { ...RUN, metrics: MANY },
      { ...RUN, ...other },
    ]),
  ]).toEqual(places);
});

test("the list of runs is narrowed by star, token and words", () => {
  const run = (part: object) => ({ ...RUN, name: null, note: "", starred: false, ...part }) as Summary;
  const runs = [run({ name: "Tight" }), run({ note: "too TIGHT", starred: true }), run({ token: "xyz" })];
  const places = (part: Partial<Filter>) => filtered(runs, { ...NO_FILTER, ...part }).map((one) => runs.indexOf(one));
  expect(places({})).toEqual([0, 1, 2]);
  expect(places({ words: " tight " })).toEqual([0, 1]);
  expect(places({ words: "tight", starred: true })).toEqual([1]);
  expect(places({ token: "xyz-base" })).toEqual([2]);
});

const POSITION = {} as NonNullable<Run["open_position"]>;
const NONE = { open_position: null, no_trade_reason: null, data_report: null };

test("a run without a closed trade is put into the server's words alone", () => {
  const no_trade_reason = "It bought once and still holds: +3.1 % so far.";
  const told = meaning(of({ total_trades: 0, total_return: 3.1 }), {
    ...NONE,
    open_position: POSITION,
    no_trade_reason,
  });
  expect(told).toBe("It bought once and still holds: +3.1\u00a0% so far.");
});

test.each<[string, Partial<Metrics>, boolean, RegExp]>([
  [
    "beat the market",
    { total_trades: 40, total_return: 5, buy_and_hold_return: -2 },
    false,
    /^It made 5.00%, while simply holding lost 2.00%\./,
  ],
  [
    "lost to the market",
    { total_trades: 40, total_return: 5, buy_and_hold_return: 9 },
    false,
    /; simply holding made 9.00% and did better/,
  ],
  [
    "lost as much as the market",
    { total_trades: 40, total_return: -2, buy_and_hold_return: -2 },
    false,
    /^It lost 2.00%, as simply holding/,
  ],
  ["ended where it began", { total_trades: 40, total_return: 0 }, false, /^It ended where it began/],
  ["traded once and holds", { total_trades: 1 }, true, /A position is still open\.$/],
  [
    "won every trade and lost",
    { total_trades: 3, total_return: -2, win_rate: 100 },
    true,
    /Every closed trade won: the loss is in the position that is still open\.$/,
  ],
  ["traded enough", { total_trades: 20, max_drawdown: 12 }, false, /At its worst it was 12.00% below its peak\.$/],
  ["cannot be computed", { total_trades: 20, total_return: null }, false, /beyond what can be computed/],
])("a run that %s is put into words", (_, part, hasOpenPosition, words) => {
  const open_position = hasOpenPosition ? POSITION : null;
  expect(meaning(of(part), { ...NONE, open_position })).toMatch(words);
});

test("that nothing could be tested is said instead of that it never bought", () => {
  const untested = "Nothing could be tested: EMA(200) needs 200 candles, this token has 120.";
  const result = { ...NONE, no_trade_reason: "It never bought.", data_report: { untested } as Schemas["DataReport"] };
  expect(meaning(of({ total_trades: 0 }), result)).toBe(untested);
  expect(meaning(of({ total_trades: 0 }), { ...result, data_report: null })).toBe("It never bought.");
});

test("only a ratio of few days has an error", () => {
  const known = of({ sharpe_ratio: 2.3, sharpe_error: 4.3, sortino_ratio: 3 });
  expect(errorOf("sharpe_ratio", known)).toBe(4.3);
  expect(errorOf("sortino_ratio", known)).toBeNull();
  expect(errorOf("total_return", known)).toBeNull();
});
