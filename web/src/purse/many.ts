/** Which tokens one purse trades, as the forms of a run choose them. */
import type { Schemas } from "@/api/client";
import { type Instrument, instrumentOf } from "@/backtests/instrument";
import { chainName } from "@/market/chains";

type Universe = Schemas["BotView"]["universe"];
type Request = Pick<Schemas["BacktestRequest"], "tokens" | "universe" | "dead_token_loss_percent">;
/** What a run of many tokens says of its request; a run of one token has none of it. */
export type OfMany = Partial<Pick<Schemas["BacktestView"], "universe" | "dead_token_loss_percent">> & {
  tokens?: { token: string; chain: string }[] | null;
};

export type Which = "trending" | "list";
export type AsOf = "today" | "each_day";
/** What is not chosen is kept, so that choosing it again loses nothing. */
export type Many = {
  which: Which;
  tokens: Instrument[];
  chain: string;
  /** Empty is as many as the tier has. */
  limit: string;
  asOf: AsOf;
  /** What the position of a token loses that stops trading, in percent; empty is the default of the API. */
  deadLoss: string;
};

export function startOf(chain: string): Many {
  return { which: "trending", tokens: [], chain, limit: "", asOf: "today", deadLoss: "" };
}

/** The tokens that a bot keeps for its runs; null if it keeps none. */
export function manyOfBot(universe: Universe, defaultChain: string): Many | null {
  if (!universe) return null;
  const start = startOf(defaultChain);
  if (Array.isArray(universe)) {
    const tokens = universe.map(({ token, chain }) => instrumentOf(token, chain ?? null, defaultChain));
    return { ...start, which: "list", tokens };
  }
  const { trending, limit, as_of } = universe;
  return { ...start, chain: trending, limit: limit?.toString() ?? "", asOf: as_of ?? "today" };
}

/** The tokens of an earlier run; null if it traded one. */
export function manyOfRun(run: OfMany, defaultChain: string): Many | null {
  const many = manyOfBot(run.universe ?? run.tokens, defaultChain);
  return many && { ...many, deadLoss: run.dead_token_loss_percent?.toString() ?? "" };
}

export function askedOf({ which, tokens, chain, limit, asOf, deadLoss }: Many): Request {
  const loss = deadLoss.trim() ? { dead_token_loss_percent: Number(deadLoss) } : {};
  if (which === "list") return { tokens: tokens.map(({ address, chain }) => ({ token: address, chain })), ...loss };
  return {
    universe: {
      trending: chain,
      ...(limit.trim() && { limit: Number(limit) }),
      ...(asOf === "each_day" && { as_of: asOf }),
    },
    ...loss,
  };
}

/** The fields of the request that trade the same tokens again. */
export function sameTokens(run: OfMany & { token: string; chain: string }) {
  const many = manyOfRun(run, run.chain);
  return many ? askedOf(many) : { token: run.token, chain: run.chain };
}

/** The tokens that a bot keeps, in words. */
export function universeWords(universe: NonNullable<Universe>): string {
  if (Array.isArray(universe)) return universe.length === 1 ? "1 token" : `${universe.length} tokens`;
  const { trending, limit, as_of } = universe;
  const list = `${limit ? `${limit} trending` : "Trending"} on ${chainName(trending)}`;
  return as_of ? `${list}, the list of each day` : list;
}
