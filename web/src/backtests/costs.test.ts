import { expect, test } from "vitest";
import { type Costs, countsPool, type Paid, paidWords, poolWord, totalPaid } from "@/backtests/costs";
import { gainTone } from "@/backtests/gainTone";

test.each<[string, Paid, string, number]>([
  [
    "a fill",
    { fees: 1, slippage: 0.5, tax: 40, impact: 2.31 },
    "fees $1.00, slippage $0.50, tax $40.00, impact $2.31",
    43.81,
  ],
  ["a fill of an older version", { fees: 1, slippage: null, tax: null, impact: null }, "fees $1.00", 1],
  ["a decision to wait", { fees: null }, "", 0],
])("%s says what it paid", (_, paid, words, total) => {
  expect(paidWords(paid)).toBe(words);
  expect(totalPaid(paid)).toBeCloseTo(total, 9);
});

const COSTS = { fee_percent: 0.1, slippage_percent: 0.05 };

test.each<[string, Costs, boolean, string, string | undefined]>([
  ["of an older version", null, false, "not counted", undefined],
  ["with the pool's costs", { ...COSTS, pool_costs: "auto", can_be_sold: true }, true, "counted", undefined],
  ["without them", { ...COSTS, pool_costs: "off", can_be_sold: null }, false, "off", undefined],
  ["of a honeypot", { ...COSTS, pool_costs: "auto", can_be_sold: false }, true, "counted", "no-green"],
  ["of a honeypot, without its costs", { ...COSTS, pool_costs: "off", can_be_sold: false }, false, "off", "no-green"],
])("a run %s is marked as such, and no gain on a honeypot is green", (_, costs, counts, word, tone) => {
  expect(countsPool(costs)).toBe(counts);
  expect(poolWord(costs)).toBe(word);
  expect(gainTone(costs)).toBe(tone);
});
