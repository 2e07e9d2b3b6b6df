/** A simulation that goes on: what is new since the last look is put behind what is known. */
import type { Schemas } from "@/api/client";

export type Simulation = Schemas["SimulationView"];

/** What to ask for next: the last candle again, because it may have been known before it was processed. */
export function lastSeen(run: Simulation): number | undefined {
  return run.trade_log.at(-1)?.time;
}

/** The newer answer, whose lists begin somewhere within the known ones, made whole. */
export function joined(known: Simulation, news: Simulation): Simulation {
  return {
    ...news,
    klines: merged(known.klines, news.klines, ({ time }) => time),
    signals: merged(known.signals, news.signals, ({ time, side }) => `${time} ${side}`),
    trade_log: merged(known.trade_log, news.trade_log, ({ number }) => number),
  };
}

/** In order of time; what is in both is taken from the news. */
function merged<Item extends { time: number }>(
  known: Item[],
  news: Item[],
  key: (item: Item) => string | number,
): Item[] {
  const items = new Map(known.map((item) => [key(item), item]));
  for (const item of news) items.set(key(item), item);
  return [...items.values()].sort((one, other) => one.time - other.time);
}

/** The candles it has walked through, and the times of those that it has not reached. */
export function walked({ klines, trade_log }: Pick<Simulation, "klines" | "trade_log">) {
  const now = trade_log.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
  return {
    candles: klines.filter(({ time }) => time <= now),
    upcoming: klines.flatMap(({ time }) => (time > now ? time : [])),
  };
}
