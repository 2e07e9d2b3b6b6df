/** What the chart of a backtest shows: all of it, or the candles around one trade as they were traded. */
import { useMemo } from "react";
import type { Schemas } from "@/api/client";
import { CANDLES_DRAWN, type Run, type Span, seconds, type Trade } from "@/backtests/runs";
import type { Stretch } from "@/chart/Canvas";
import { curves, type Terms } from "@/chart/curves";
import type { ChartData } from "@/chart/Drawing";
import { REASONS } from "@/strategy/words";

type Kline = Schemas["Kline"];

const CANDLES_AROUND = 100;

export const INTERVALS: Record<Run["kline_interval"], number> = {
  "1m": 60,
  "5m": 300,
  "15m": 900,
  "1h": 3600,
  "4h": 14_400,
  "1d": 86_400,
};

/** Where a trade lies on the chart. */
export function stretchOf(trade: Trade): Stretch {
  return { number: trade.number, from: seconds(trade.entry_time), to: seconds(trade.exit_time) };
}

/** The trade after or before the one that is looked at; without one the first or the last. They go round. */
export function neighbour(newestFirst: Trade[], current: number | null, by: 1 | -1): Trade | undefined {
  const trades = newestFirst.toReversed();
  const place = trades.findIndex(({ number }) => number === current);
  if (place < 0) return by > 0 ? trades[0] : trades.at(-1);
  return trades[(place + by + trades.length) % trades.length];
}

/** The time around a trade: as much again on each side, as far as it can be drawn candle by candle. */
export function around({ from, to }: Stretch, interval: Run["kline_interval"]): Span {
  const candle = INTERVALS[interval];
  const spare = (CANDLES_DRAWN * candle - (to - from)) / 2 - candle;
  const room = Math.max(CANDLES_AROUND * candle, Math.min(to - from, spare));
  return { start_time: Math.floor(from - room), end_time: Math.ceil(to + room) };
}

export function useChartData(run: Run, klines: Kline[] | undefined, trades: Trade[] | undefined, part: boolean) {
  return useMemo(() => {
    if (!klines || !trades) return null;
    const whole = chartData(run, klines, trades);
    return part ? within(whole) : whole;
  }, [run, klines, trades, part]);
}

/** What of a run its chart needs. */
type Drawn = Pick<Run, "open_position" | "equity_curve" | keyof Terms>;

export function chartData(run: Drawn, candles: Kline[], newestFirst: Trade[]): ChartData {
  const trades = newestFirst.toReversed();
  const open = run.open_position;
  return {
    candles,
    fills: [
      ...trades.flatMap((trade) => [
        { time: seconds(trade.entry_time), side: "buy" as const, why: trade.entry_reason },
        { time: seconds(trade.exit_time), side: "sell" as const, why: REASONS[trade.exit_reason] },
      ]),
      ...(open ? [{ time: seconds(open.entry_time), side: "buy" as const, why: open.entry_reason }] : []),
    ].sort((one, other) => one.time - other.time),
    trades: trades.flatMap((trade) =>
      trade.entry_price === null || trade.exit_price === null
        ? []
        : {
            number: trade.number,
            entryTime: seconds(trade.entry_time),
            entryPrice: trade.entry_price,
            exitTime: seconds(trade.exit_time),
            exitPrice: trade.exit_price,
            won: (trade.pnl ?? 0) > 0,
          },
    ),
    curves: run.equity_curve ? curves(candles, run.equity_curve, run) : null,
  };
}

/** What lies on these candles. The curves are left out: they tell of the whole run, and have few points in a part of it. */
export function within(data: ChartData): ChartData {
  const [first, second] = data.candles;
  const last = data.candles.at(-1);
  if (!first || !last) return { ...data, fills: [], trades: [], curves: null };
  const end = last.time + (second ? second.time - first.time : 0);
  const isIn = (time: number) => time >= first.time && time < end;
  return {
    ...data,
    fills: data.fills.filter(({ time }) => isIn(time)),
    trades: data.trades.filter(({ entryTime, exitTime }) => isIn(entryTime) && isIn(exitTime)),
    curves: null,
  };
}
