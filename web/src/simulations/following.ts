/** A running simulation: new data is appended to the data that is known. */
import type { Schemas } from "@/api/client";

export type Simulation = Schemas["SimulationView"];

/** A simulation as its chart shows it: on the only token, or on one of many. */
export type OnToken = Simulation & { token_id?: string };

/** The token whose chart is shown: the chosen one, or the first that is held or can be traded. */
export function drawnToken({ tokens, portfolio }: Simulation, chosen: string | null) {
  const usable = (tokens ?? []).filter(({ error }) => !error);
  const find = (tokenId: string | null | undefined) => usable.find(({ token_id }) => token_id === tokenId);
  return find(chosen) ?? find(portfolio.positions?.[0]?.token_id) ?? usable[0];
}

/** The run as if it were about this token alone. */
export function onToken(run: Simulation, row: NonNullable<Simulation["tokens"]>[number]): OnToken {
  const position = run.portfolio.positions?.find(({ token_id }) => token_id === row.token_id);
  return {
    ...run,
    token_id: row.token_id,
    token: row.token,
    chain: row.chain,
    token_symbol: row.symbol,
    tokens_total: 1,
    costs: row.costs ?? null,
    portfolio: { ...run.portfolio, entry_price: position?.entry_price ?? null },
  };
}

/** Both trade with invented money; a replay does it with prices that are over. */
export const MODE_WORDS: Record<Simulation["mode"], string> = { live: "Paper", replay: "Replay" };
export const MODE_NAMES: Record<Simulation["mode"], string> = { live: "Live paper trading", replay: "Replay" };

/** Where the next request starts: at the last candle, because it may have been fetched before it was processed. */
export function lastSeen(run: Simulation): number | undefined {
  return run.trade_log.at(-1)?.time;
}

/** The newer response, completed with the known data before its lists begin. */
export function joined(known: Simulation, news: Simulation): Simulation {
  return {
    ...news,
    klines: merged(known.klines, news.klines, ({ time }) => time),
    signals: merged(known.signals, news.signals, ({ time, side, token_id }) => `${time} ${side} ${token_id}`),
    trade_log: merged(known.trade_log, news.trade_log, ({ number }) => number),
  };
}

/** Merges both lists in order of time; an entry in both is taken from the newer one. */
function merged<Item extends { time: number }>(
  known: Item[],
  news: Item[],
  key: (item: Item) => string | number,
): Item[] {
  const items = new Map(known.map((item) => [key(item), item]));
  for (const item of news) items.set(key(item), item);
  return [...items.values()].sort((one, other) => one.time - other.time);
}

/** The candles it has processed, and the times of those that it has not reached. */
export function walked({ klines, trade_log }: Pick<Simulation, "klines" | "trade_log">) {
  const now = trade_log.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
  return {
    candles: klines.filter(({ time }) => time <= now),
    upcoming: klines.flatMap(({ time }) => (time > now ? time : [])),
  };
}
