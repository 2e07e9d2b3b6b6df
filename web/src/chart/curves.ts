/** The curves below the candles: equity, buy and hold, and the drawdown of both. */
import type { Schemas } from "@/api/client";

type Kline = Schemas["Kline"];
export type Point = { time: number; value: number };
export type Curves = { equity: Point[]; hold: Point[]; drawdown: Point[]; holdDrawdown: Point[] };
export type Terms = Pick<Schemas["BacktestView"], "initial_cash" | "fee_percent" | "slippage_percent" | "costs">;

/** What the curves of a part need to know of the whole run. */
export type Whole = Terms & {
  /** The equity with its extremes. */
  marks: Schemas["EquityPoint"][];
  /** The open of the run's first candle, where holding would have bought. */
  firstOpen: number;
};

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

/**
 * Every curve uses the times of the candles: other times would push the candles apart. `equity` has a value for
 * the end of each candle, null before the run begins.
 */
export function curves(candles: Kline[], equity: (number | null)[], whole: Whole): Curves {
  const points = candles.flatMap(({ time }, place) => pointOf(time, equity[place]));
  const first = points[0];
  const hold = holding(first ? candles.slice(candleAt(candles, first.time)) : [], whole);
  const isPart = first !== undefined && (whole.marks[0]?.time ?? first.time) < first.time;
  return {
    equity: points,
    hold,
    drawdown: depths(candles, equity, whole.marks),
    // The highest price before this part is not known here.
    holdDrawdown: isPart ? [] : falls(hold),
  };
}

function pointOf(time: number, value: number | null | undefined): Point[] {
  return value === null || value === undefined ? [] : [{ time, value }];
}

/** Buys at the first open of the run with all the cash, and never sells: the same rule as the metric `buy_and_hold_return`. */
export function holding(
  candles: Kline[],
  { initial_cash, fee_percent, slippage_percent, costs, firstOpen }: Terms & { firstOpen: number },
): Point[] {
  const fee = 1 + fee_percent / 100;
  const impact = costs?.liquidity_usd ? (2 / costs.liquidity_usd) * (initial_cash / fee) : 0;
  const kept = 1 - (costs?.buy_tax_percent ?? 0) / 100;
  const paid = (firstOpen * (1 + slippage_percent / 100) * (1 + impact) * fee) / kept;
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

/** The deepest fall on each candle, from the highest equity of the whole run until then. */
function depths(candles: Kline[], equity: (number | null)[], marks: Schemas["EquityPoint"][]): Point[] {
  let [peak, next] = [Number.NEGATIVE_INFINITY, 0];
  const fall = (value: number) => {
    peak = Math.max(peak, value);
    return peak > 0 ? 100 * (value / peak - 1) : 0;
  };
  return candles.flatMap(({ time }, place) => {
    const end = candles[place + 1]?.time ?? Number.POSITIVE_INFINITY;
    const last = equity[place] ?? null;
    let deepest = 0;
    for (; next < marks.length && (marks[next]?.time ?? end) < end; next++) {
      const mark = marks[next];
      if (mark?.equity == null) continue;
      const depth = fall(mark.equity);
      if (mark.time >= time && last !== null) deepest = Math.min(deepest, depth);
    }
    return last === null ? [] : [{ time, value: Math.min(deepest, fall(last)) }];
  });
}
