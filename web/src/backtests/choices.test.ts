import { expect, test } from "vitest";
import {
  type Choices,
  choicesOf,
  costsOf,
  firstRequest,
  fittingPeriod,
  NO_CHOICES,
  periodsFor,
  span,
} from "@/backtests/choices";

const RUN = {
  token: "abc",
  chain: "base",
  kline_interval: "4h" as const,
  created_at: "2026-11-15T10:01:00Z",
  start_time: "2026-10-16T08:00:00Z",
  end_time: "2026-11-15T08:00:00Z",
  initial_cash: 500,
  fee_percent: 0.3,
  slippage_percent: 0,
  costs: null,
  intrabar: "off" as const,
};

test("the form shows the parameters of the chosen run", () => {
  expect(choicesOf(RUN)).toEqual({
    instrument: { address: "abc", chain: "base" },
    interval: "4h",
    period: "30",
    start: "",
    end: "",
    cash: "500",
    fee: "0.3",
    slippage: "0",
    intrabar: "off",
  });
});

test.each([
  ["a whole year", { start_time: "2025-11-15T09:00:00Z" }, "365"],
  ["an odd number of days", { start_time: "2026-11-03T08:00:00Z" }, "custom"],
  ["thirty days of the past", { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-31T00:00:00Z" }, "custom"],
])("a run over %s is shown as such", (_, times, period) => {
  expect(choicesOf({ ...RUN, ...times }).period).toBe(period);
});

test("dates of a run are repeated to the minute, and typed dates start at midnight", () => {
  const choices = choicesOf({ ...RUN, start_time: "2026-01-01T05:00:00Z", end_time: "2026-01-09T06:00:00Z" });
  expect(span(choices, "1h")).toEqual({ start_time: "2026-01-01T05:00:00Z", end_time: "2026-01-09T06:00:00Z" });
  expect(span({ ...choices, start: "2026-01-03" }, "1h")).toEqual({
    start_time: "2026-01-03T00:00:00Z",
    end_time: "2026-01-09T06:00:00Z",
  });
  expect(span({ period: "7", start: "", end: "" }, "1m", 864_000_000)).toEqual({ start_time: 259_200 });
  expect(span({ period: "7", start: "", end: "" }, "1h", 864_000_000 + 1_234_000)).toEqual({ start_time: 259_200 });
});

type Costs = Parameters<typeof choicesOf>[0]["costs"];
const ASKED: NonNullable<Costs> = { fee_percent: 0.3, slippage_percent: 0, buy_tax_percent: 4, liquidity_usd: 5000 };

test.each<[string, Costs, Partial<Choices>]>([
  ["an older version", null, {}],
  [
    "the market",
    { ...ASKED, pool_costs: "auto", sources: { liquidity: "provider", tax: "provider" } },
    { pool: "auto" },
  ],
  ["no pool", { ...ASKED, pool_costs: "off", sources: { liquidity: "unknown", tax: "unknown" } }, { pool: "off" }],
  [
    "a what-if",
    { ...ASKED, pool_costs: "auto", sources: { liquidity: "request", tax: "request" } },
    { pool: "auto", liquidity: "5000", buyTax: "4" },
  ],
])(
  "a run with the costs of %s is asked for again with what was typed, not with what the market said",
  (_, costs, part) => {
    const { pool, liquidity, buyTax, sellTax } = choicesOf({ ...RUN, costs });
    expect({ pool, liquidity, buyTax, sellTax }).toEqual({ ...part });
  },
);

test.each<[Partial<Choices>, object]>([
  [{}, {}],
  [{ cash: "500", fee: "" }, { initial_cash: 500 }],
  [{ pool: "off", liquidity: "5000" }, { pool_costs: "off" }],
  [
    { pool: "auto", liquidity: "5000", buyTax: "0", sellTax: " " },
    { pool_costs: "auto", liquidity_usd: 5000, buy_tax_percent: 0 },
  ],
])("of the typed costs %o the API is sent %o", (typed, sent) => {
  expect(costsOf({ ...NO_CHOICES, ...typed })).toEqual(sent);
});

test.each([
  ["a user", "1m", false, {}],
  ["a visitor, of whom the API accepts 30 days", "15m", true, {}],
  ["a visitor, with minutes", "1m", true, { start_time: 86_400 }],
] as const)("the first test of %s", (_, recommended_kline_interval, isVisitor, expected) => {
  const bot = { recommended_kline_interval };
  expect(firstRequest(bot, isVisitor, 7 * 86_400_000)).toEqual(expected);
});

test.each([
  ["1m", 100_000, ["90", "365"]],
  ["1h", 100_000, []],
  ["1m", undefined, []],
  ["1h", 1000, ["90", "365"]],
] as const)("with %s candles and a tier of %s, these times cannot be chosen", (interval, most, unusable) => {
  const found = periodsFor(interval, most).filter((period) => "unusable" in period);
  expect(found.map(({ value }) => value)).toEqual(unusable);
  expect(fittingPeriod("365", interval, most)).toBe(unusable.length > 0 ? "30" : "365");
  expect(fittingPeriod("custom", interval, most)).toBe("custom");
});
