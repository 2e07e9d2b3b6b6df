import { expect, test } from "vitest";
import { againOf } from "@/backtests/choices";
import { askedOf, manyOfBot, manyOfRun, sameTokens, startOf, universeWords } from "@/purse/many";

const ABC = { token: "abc", chain: "base" };
const DAYS = { trending: "solana", limit: 6, as_of: "each_day" } as const;

test.each([
  ["a list", [ABC], { tokens: [ABC] }, "1 token"],
  [
    "a list without chains",
    [{ token: "abc-eth" }, { token: "def" }],
    {
      tokens: [
        { token: "abc", chain: "eth" },
        { token: "def", chain: "solana" },
      ],
    },
    "2 tokens",
  ],
  ["the trending tokens", { trending: "base" }, { universe: { trending: "base" } }, "Trending on Base"],
  [
    "some trending tokens",
    { trending: "base", limit: 7 },
    { universe: { trending: "base", limit: 7 } },
    "7 trending on Base",
  ],
  ["the lists of each day", DAYS, { universe: DAYS }, "6 trending on Solana, the list of each day"],
] as const)("a bot that keeps %s asks for the same", (_, universe, asked, words) => {
  const kept = Array.isArray(universe) ? [...universe] : universe;
  const many = manyOfBot(kept as never, "solana");
  expect(many && askedOf(many)).toEqual(asked);
  expect(universeWords(kept as never)).toBe(words);
});

test("without tokens of its own a bot trades one", () => {
  expect([manyOfBot(null, "solana"), manyOfRun({ tokens: null }, "solana")]).toEqual([null, null]);
});

test.each([
  ["one token", {}, { token: "abc", chain: "base" }],
  ["its tokens", { tokens: [ABC], dead_token_loss_percent: 80 }, { tokens: [ABC], dead_token_loss_percent: 80 }],
  ["the lists of each day", { tokens: [ABC], universe: DAYS }, { universe: DAYS }],
])("a run is repeated with %s", (_, of, asked) => {
  expect(sameTokens({ ...ABC, ...of })).toEqual(asked);
});

test("a purse that is run again names no single token", () => {
  const run = {
    ...ABC,
    tokens: [ABC],
    kline_interval: "1h" as const,
    created_at: "2026-11-15T10:01:00Z",
    start_time: "2026-10-16T08:00:00Z",
    end_time: "2026-11-15T08:00:00Z",
    initial_cash: 500,
    fee_percent: 0.3,
    slippage_percent: 0,
    costs: null,
    intrabar: "off" as const,
  };
  expect(againOf(run)).toMatchObject({ tokens: [ABC], initial_cash: 500 });
  expect(againOf(run)).not.toHaveProperty("token");
});

test("what is typed is sent only where it is chosen", () => {
  const many = { ...startOf("base"), tokens: [{ address: "abc", chain: "base" }], limit: "3", deadLoss: " " };
  expect(askedOf({ ...many, which: "list" })).toEqual({ tokens: [ABC] });
  expect(askedOf({ ...many, deadLoss: "0" })).toEqual({
    universe: { trending: "base", limit: 3 },
    dead_token_loss_percent: 0,
  });
});
