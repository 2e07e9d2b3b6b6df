import { expect, test } from "vitest";
import type { Run, Trade } from "@/backtests/runs";
import {
  contributionBars,
  meanPlaces,
  namesOf,
  onToken,
  placeOf,
  stepPoints,
  type TokenRow,
  tradesOn,
} from "@/purse/result";

function row(token: string, part: Partial<TokenRow> = {}): TokenRow {
  return { token_id: `${token}-base`, token, chain: "base", symbol: token.toUpperCase(), trades: 1, ...part };
}

function trade(number: number, token_id: string): Trade {
  return { number, token_id } as Trade;
}

test("a token is called by its symbol, or by its shortened address", () => {
  const name = namesOf([row("abc"), row("0123456789abcdef", { symbol: null })]);
  expect(["abc-base", "0123456789abcdef-base", null].map(name)).toEqual(["ABC", "012345…cdef", ""]);
});

test("on one token a run has the costs, the open position and the trades of that token", () => {
  const held = { value: 5 } as TokenRow["open_position"];
  const own = row("b", { trades: 2, open_position: held });
  const run = { run_id: "1", token: "a", chain: "eth", tokens_total: 3, costs: null, open_position: null } as Run;
  expect(onToken(run, own)).toMatchObject({ token_id: "b-base", token: "b", chain: "base", open_position: held });
  const all = [trade(9, "b-base"), trade(8, "a-base"), trade(3, "b-base")];
  const trades = tradesOn({ trades: all, total: 9 }, own);
  expect(trades.trades.map(({ number }) => number)).toEqual([9, 3]);
  expect([3, 9, 10].map((number) => placeOf(trades, number))).toEqual([1, 2, 3]);
});

test("of very many trades only the newest are known, and each still has its place", () => {
  const trades = { trades: [trade(900, "b-base"), trade(700, "b-base")], total: 40 };
  expect([700, 900].map((number) => placeOf(trades, number))).toEqual([39, 40]);
});

test("bars are ordered by what was added, and the longest is the largest gain or loss", () => {
  const bars = contributionBars([
    row("a", { contribution_percent: 1 }),
    row("b", { contribution_percent: -4 }),
    row("c", { contribution_percent: 2 }),
    row("d", { contribution_percent: null, trades: null, error: "no candles" }),
  ]);
  expect(bars.map(({ row: { token }, share }) => [token, share])).toEqual([
    ["c", 0.5],
    ["a", 0.25],
    ["b", 1],
  ]);
  expect(contributionBars([row("a", { contribution_percent: 0 })])[0]?.share).toBe(0);
});

const PLACES = [
  { time: 0, used: 0 },
  { time: 10, used: 2 },
  { time: 40, used: 1 },
];

test("a step lasts until the next one", () => {
  expect(stepPoints(PLACES, 2, 40, 102)).toBe("0.0,101.0 10.0,101.0 10.0,1.0 40.0,1.0 40.0,51.0");
  expect(stepPoints([], 2, 40, 102)).toBe("");
});

test("the mean counts each number of places for as long as it lasted", () => {
  expect(meanPlaces(PLACES)).toBe(1.5);
  expect(meanPlaces(PLACES.slice(0, 1))).toBeNull();
});
