import { expect, test } from "vitest";
import { instrumentOf } from "@/backtests/instrument";

test.each([
  ["0xabc", "base", { address: "0xabc", chain: "base" }],
  ["0xabc-base", null, { address: "0xabc", chain: "base" }],
  ["0xabc-base", "base", { address: "0xabc", chain: "base" }],
  ["0xabc", null, { address: "0xabc", chain: "solana" }],
])("the token %s on %s is found", (token, chain, instrument) => {
  expect(instrumentOf(token, chain, "solana")).toEqual(instrument);
});
