/** The curves under the candles: what the money became, what it would have become by holding, and how deep each fell. */
import type { Schemas } from "@/api/client";

type Kline = Schemas["Kline"];
export type Point = { time: number; value: number };
export type Curves = { equity: Point[]; hold: Point[]; drawdown: Point[]; holdDrawdown: Point[] };
export type Terms = { initial_cash: number; fee_percent: number; slippage_percent: number };

/** The place of the candle that holds this moment: the last one that begins by then, or the first of all. */
export function candleAt(candles: readonly Kline[], time: number): number {
  let [low, high] = [0, candles.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((candles[middle] as Kline).time <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Every curve stands on the candles' own times: a time of its own would push the candles apart. */
export function curves(candles: Kline[], marks: Schemas["EquityPoint"][], terms: Terms): Curves {
  const equity = marks.flatMap(({ time, equity }) => (equity === null ? [] : [{ time, value: equity }]));
  const hold = holding(candles, terms);
  return {
    equity: onCandles(candles, equity, (_, latest) => latest),
    hold,
    drawdown: onCandles(candles, falls(equity), Math.min),
    holdDrawdown: falls(hold),
  };
}

/** Buys at the first open with all the cash, and never sells: the same rule as the metric `buy_and_hold_return`. */
export function holding(candles: Kline[], { initial_cash, fee_percent, slippage_percent }: Terms): Point[] {
  const first = candles[0];
  if (!first) return [];
  const paid = first.open * (1 + slippage_percent / 100) * (1 + fee_percent / 100);
  return candles.map(({ time, close }) => ({ time, value: (initial_cash * close) / paid }));
}

/** Percent below the highest so far: 0 or negative. */
export function falls(points: Point[]): Point[] {
  let peak = Number.NEGATIVE_INFINITY;
  return points.map(({ time, value }) => {
    peak = Math.max(peak, value);
    return { time, value: peak > 0 ? 100 * (value / peak - 1) : 0 };
  });
}

/** One point a candle: of several that fall into it, what `choose` makes of them. */
function onCandles(candles: Kline[], points: Point[], choose: (before: number, latest: number) => number): Point[] {
  if (candles.length === 0) return [];
  const chosen = new Map<number, number>();
  for (const { time, value } of points) {
    const candle = (candles[candleAt(candles, time)] as Kline).time;
    const before = chosen.get(candle);
    chosen.set(candle, before === undefined ? value : choose(before, value));
  }
  return [...chosen].map(([time, value]) => ({ time, value }));
}
