import { expect, test } from "vitest";
import { span } from "@/backtests/BacktestForm";
import { instrumentOf } from "@/backtests/instrument";

test.each([
  ["0xabc", "base", { address: "0xabc", chain: "base" }],
  ["0xabc-base", null, { address: "0xabc", chain: "base" }],
  ["0xabc-base", "base", { address: "0xabc", chain: "base" }],
  ["0xabc", null, { address: "0xabc", chain: "solana" }],
])("the token %s on %s is found", (token, chain, instrument) => {
  expect(instrumentOf(token, chain, "solana")).toEqual(instrument);
});

const NOW = 1_800_000_000_000;

test.each([
  [{ period: "7", start: "", end: "" }, { start_time: 1_800_000_000 - 7 * 86_400 }],
  [
    { period: "custom", start: "2026-01-02", end: "" },
    { start_time: "2026-01-02T00:00:00Z", end_time: undefined },
  ],
] as const)("the time %o is asked for", (choices, times) => {
  expect(span(choices, NOW)).toEqual(times);
});
