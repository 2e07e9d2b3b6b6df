/** What the chart of a backtest shows: all of it, or the candles around one trade as they were traded. */
import { useMemo } from "react";
import type { Schemas } from "@/api/client";
import { CANDLES_DRAWN, type Run, type Span, seconds, type Trade, type Trades } from "@/backtests/runs";
import type { Stretch } from "@/chart/Canvas";
import { curves, type Terms } from "@/chart/curves";
import type { ChartData, Fill } from "@/chart/Drawing";
import { worthDrawing } from "@/chart/lines";
import { price } from "@/format/numbers";
import { REASONS } from "@/strategy/words";

const CANDLES_AROUND = 100;

export const INTERVALS: Record<Run["kline_interval"], number> = {
  "1m": 60,
  "5m": 300,
  "15m": 900,
  "1h": 3600,
  "4h": 14_400,
  "1d": 86_400,
};

/** The position of a trade on the chart. */
export function stretchOf(trade: Trade): Stretch {
  return { number: trade.number, from: seconds(trade.entry_time), to: seconds(trade.exit_time) };
}

/** The trades of a run, oldest first; the position that is open at the end comes last. */
export function stretchesOf(run: Pick<Run, "open_position" | "end_time">, { trades, total }: Trades): Stretch[] {
  const { open_position: open, end_time } = run;
  const held = open && { number: total + 1, from: seconds(open.entry_time), to: seconds(end_time), isOpen: true };
  return [...trades.toReversed().map(stretchOf), ...(held ? [held] : [])];
}

/** The next or previous trade, in a circle; without a selected one, the first or the last. */
export function neighbour(stretches: Stretch[], current: number | null, by: 1 | -1): Stretch | undefined {
  const place = stretches.findIndex(({ number }) => number === current);
  if (place < 0) return by > 0 ? stretches[0] : stretches.at(-1);
  return stretches[(place + by + stretches.length) % stretches.length];
}

/** The time around a trade: as much again on each side, as far as it can be drawn candle by candle. */
export function around({ from, to }: Stretch, interval: Run["kline_interval"]): Span {
  const candle = INTERVALS[interval];
  const spare = (CANDLES_DRAWN * candle - (to - from)) / 2 - candle;
  const room = Math.max(CANDLES_AROUND * candle, Math.min(to - from, spare));
  return { start_time: Math.floor(from - room), end_time: Math.ceil(to + room) };
}

type Shown = Schemas["ChartView"];

/** Whether there are lines to draw: without a comparison there are none. */
export function hasSeries({ conditions, exit_conditions }: Run["strategy"]): boolean {
  return [...conditions, ...(exit_conditions ?? [])].some(({ kind }) => kind === "compare");
}

/** What is drawn beside the candles, the trades and the equity. */
type Extras = { lines: Schemas["LinesView"] | undefined; rules: Schemas["TradeRules"][] };

export function useChartData(
  run: Run,
  shown: Shown | undefined,
  whole: Shown | undefined,
  trades: Trade[] | undefined,
  { lines, rules }: Extras,
) {
  return useMemo(() => {
    if (!shown || !whole || !trades) return null;
    const data = chartData(run, shown, trades, whole.klines[0]?.open);
    return { ...(shown === whole ? data : within(data)), lines: worthDrawing(lines?.series ?? []), rules };
  }, [run, shown, whole, trades, lines, rules]);
}

/** What of a run its chart needs. */
type Drawn = Pick<Run, "open_position" | "equity_curve" | keyof Terms>;

/** `firstOpen` is the open of the run's first candle, where the candles are a part of the run. */
export function chartData(
  run: Drawn,
  { klines: candles, equity }: Pick<Shown, "klines" | "equity">,
  newestFirst: Trade[],
  firstOpen = candles[0]?.open ?? 1,
): ChartData {
  const trades = newestFirst.toReversed();
  const open = run.open_position;
  return {
    candles,
    fills: [...trades.flatMap(fillsOf), ...(open ? fillsOf(open) : [])].sort((one, other) => one.time - other.time),
    trades: trades.flatMap((trade) =>
      trade.entry_price === null || trade.exit_price === null
        ? []
        : {
            number: trade.number,
            entryTime: seconds(trade.entry_time),
            entryPrice: trade.entry_price,
            exitTime: seconds(trade.exit_time),
            exitPrice: trade.exit_price,
            won: (trade.pnl ?? 0) > 0 && run.costs?.can_be_sold !== false,
          },
    ),
    curves: run.equity_curve ? curves(candles, equity, { ...terms(run), marks: run.equity_curve, firstOpen }) : null,
  };
}

type Held = Pick<Trade, "entry_time" | "entry_reason"> & Partial<Pick<Trade, "exit_time" | "exit_reason" | "fills">>;

/** Every buy and sale of a position. Runs of older versions have only its first buy and its last sale. */
export function fillsOf({ entry_time, entry_reason, exit_time, exit_reason, fills = [] }: Held): Fill[] {
  if (fills.length > 0) {
    const first = fills[0];
    return fills.map((fill) => ({
      time: seconds(fill.time),
      side: fill.action === "BUY" ? "buy" : "sell",
      why: fill === first ? entry_reason : fillWords(fill),
    }));
  }
  const bought: Fill = { time: seconds(entry_time), side: "buy", why: entry_reason };
  return exit_time && exit_reason
    ? [bought, { time: seconds(exit_time), side: "sell", why: REASONS[exit_reason] }]
    : [bought];
}

/** Why and at which price: two targets have one reason. */
function fillWords({ reason, price: at }: Schemas["FillView"]): string {
  return `${REASONS[reason]}, at $${price(at)}`;
}

function terms({ initial_cash, fee_percent, slippage_percent, costs }: Terms): Terms {
  return { initial_cash, fee_percent, slippage_percent, costs };
}

/** The fills and trades that are on these candles. */
export function within(data: ChartData): ChartData {
  const [first, second] = data.candles;
  const last = data.candles.at(-1);
  if (!first || !last) return { ...data, fills: [], trades: [] };
  const end = last.time + (second ? second.time - first.time : 0);
  const isIn = (time: number) => time >= first.time && time < end;
  return {
    ...data,
    fills: data.fills.filter(({ time }) => isIn(time)),
    trades: data.trades.filter(({ entryTime, exitTime }) => isIn(entryTime) && isIn(exitTime)),
  };
}
