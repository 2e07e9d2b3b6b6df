/** Statistics of a run's trades: the distribution of their results, and results by time and reason. */
import type { Schemas } from "@/api/client";
import { seconds, type Trade } from "@/backtests/runs";
import { REASONS } from "@/strategy/words";

/** Trades with something in common. `average` is the mean result in percent. */
export type Group = { name: string; trades: number; won: number; average: number; pnl: number };
export type Bin = { from: number; to: number; trades: number };
export type MonthResult = { month: string; percent: number };

const MOST_BINS = 14;
const WIDTHS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 25, 50, 100, 1000, 1e6];

/** How many trades ended with which result, in percent; no bin holds both gains and losses. */
export function histogram(trades: readonly Trade[]): Bin[] {
  const results = trades.flatMap(({ pnl_percent }) => pnl_percent ?? []);
  if (results.length === 0) return [];
  const [least, most] = [Math.min(...results), Math.max(...results)];
  const count = (width: number) => Math.floor(most / width) - Math.floor(least / width) + 1;
  const width = WIDTHS.find((each) => count(each) <= MOST_BINS) ?? (most - least || 1);
  const first = Math.floor(least / width);
  const bins = Array.from({ length: count(width) }, (_, place) => ({
    from: (first + place) * width,
    to: (first + place + 1) * width,
    trades: 0,
  }));
  for (const result of results) {
    const bin = bins[Math.floor(result / width) - first];
    if (bin) bin.trades += 1;
  }
  return bins;
}

function grouped(trades: readonly Trade[], nameOf: (trade: Trade) => string): Group[] {
  const groups = new Map<string, Trade[]>();
  for (const trade of trades) groups.set(nameOf(trade), [...(groups.get(nameOf(trade)) ?? []), trade]);
  return [...groups].map(([name, held]) => ({
    name,
    trades: held.length,
    won: held.filter(({ pnl }) => (pnl ?? 0) > 0).length,
    average: sum(held.map(({ pnl_percent }) => pnl_percent ?? 0)) / held.length,
    pnl: sum(held.map(({ pnl }) => pnl ?? 0)),
  }));
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

/** Most frequent first. */
export function byReason(trades: readonly Trade[]): Group[] {
  return grouped(trades, ({ exit_reason }) => REASONS[exit_reason]).sort((one, other) => other.trades - one.trades);
}

/** By the hour of the entry in the reader's zone, from midnight on. */
export function byHour(trades: readonly Trade[], timeZone: string): Group[] {
  const hour = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", hourCycle: "h23", timeZone });
  return grouped(trades, ({ entry_time }) => `${hour.format(new Date(entry_time))}:00`).sort((one, other) =>
    one.name.localeCompare(other.name),
  );
}

/** The return of each month in UTC, from the equity at its end. */
export function monthly(
  { klines, equity, interval_seconds }: Schemas["ChartView"],
  initialCash: number,
): MonthResult[] {
  const ends = new Map<string, number>();
  for (const [place, { time }] of klines.entries()) {
    const value = equity[place];
    // The equity is that of the end of its candle, which at midnight belongs to the day before.
    if (value != null) ends.set(monthOf(time + interval_seconds - 1), value);
  }
  let before = initialCash;
  return [...ends].map(([month, value]) => {
    const result = { month, percent: 100 * (value / before - 1) };
    before = value;
    return result;
  });
}

const monthOf = (moment: number) => new Date(moment * 1000).toISOString().slice(0, 7);

export function heldSeconds(trade: Trade): number {
  return seconds(trade.exit_time) - seconds(trade.entry_time);
}
