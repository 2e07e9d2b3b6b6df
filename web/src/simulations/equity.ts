/** What a simulation was worth at each candle, from its candles and its log. */
import type { Simulation } from "@/simulations/following";

export type Worth = { time: number; value: number };
type Walked = Pick<Simulation, "klines" | "trade_log"> & {
  portfolio: Pick<Simulation["portfolio"], "initial_cash"> & Partial<Simulation["portfolio"]>;
};

/**
 * What a purse of many tokens had booked after each sale, and what it is worth now: the candles of all its tokens are not
 * known here.
 */
function bookedOf({ trade_log, portfolio }: Walked): Worth[] {
  const first = trade_log[0];
  const last = trade_log.at(-1);
  if (!first || !last) return [];
  let value = portfolio.initial_cash;
  const sales = trade_log.flatMap(({ action, time, pnl }) => {
    if (action !== "SELL") return [];
    value += pnl ?? 0;
    return { time, value };
  });
  const now = { time: last.time, value: portfolio.total_value ?? value };
  return [{ time: first.time, value: portfolio.initial_cash }, ...sales, now];
}

/** After each fill the cash changes by what it cost or brought; a sale brings its profit back too. */
export function worthOf(run: Walked): Worth[] {
  const { klines, trade_log, portfolio } = run;
  if (portfolio.positions) return bookedOf(run);
  const last = trade_log.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
  const first = trade_log[0]?.time ?? Number.POSITIVE_INFINITY;
  let [cash, held, spent, place] = [portfolio.initial_cash, 0, 0, 0];
  const points: Worth[] = [];
  for (const { time, close } of klines.filter((candle) => candle.time >= first && candle.time <= last)) {
    for (let entry = trade_log[place]; entry && entry.time <= time; entry = trade_log[++place]) {
      const quantity = entry.quantity ?? 0;
      if (entry.action === "BUY") {
        const cost = quantity * (entry.price ?? 0) + (entry.fees ?? 0) + (entry.tax ?? 0) + (entry.impact ?? 0);
        [cash, held, spent] = [cash - cost, held + quantity, spent + cost];
      } else if (entry.action === "SELL") {
        const share = held > 0 ? Math.min(1, quantity / held) : 1;
        [cash, held, spent] = [cash + spent * share + (entry.pnl ?? 0), held * (1 - share), spent * (1 - share)];
      }
    }
    points.push({ time, value: cash + held * close });
  }
  return points;
}

/** The sum of several; each counts with its first value before it begins, and with its last after it ends. */
export function together(all: Worth[][]): number[] {
  const known = all.filter((points) => points.length > 0);
  const times = [...new Set(known.flat().map(({ time }) => time))].sort((one, other) => one - other);
  return times.map((time) =>
    known.reduce(
      (sum, points) => sum + (points.findLast((point) => point.time <= time) ?? (points[0] as Worth)).value,
      0,
    ),
  );
}
