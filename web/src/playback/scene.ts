/** The state of a run at one moment, without anything later. */
import type { Schemas } from "@/api/client";
import { chartData, within } from "@/backtests/chart";
import { type Run, seconds, type Trade } from "@/backtests/runs";
import { candleAt } from "@/chart/curves";
import type { ChartData } from "@/chart/Drawing";
import { type Line, worthDrawing } from "@/chart/lines";
import type { Rules } from "@/chart/RuleLines";
import { percent, price } from "@/format/numbers";
import { REASONS } from "@/strategy/words";

/** Neighbouring pages of the run as one. */
export type Loaded = { klines: Schemas["Kline"][]; equity: (number | null)[]; lines: Line[] };

export type Story = { run: Run; trades: Trade[]; rules: Rules[]; firstOpen: number | undefined };

/** The newest `most` candles up to the clock, with all that had happened on them. */
export function sceneAt(
  { run, trades, rules, firstOpen }: Story,
  loaded: Loaded,
  clock: number,
  most: number,
): ChartData {
  const known = loaded.klines.length > 0 && (loaded.klines[0]?.time ?? 0) <= clock;
  const end = known ? candleAt(loaded.klines, clock) + 1 : 0;
  const first = Math.max(0, end - most);
  const shown = { klines: loaded.klines.slice(first, end), equity: loaded.equity.slice(first, end) };
  const past = trades.filter((trade) => seconds(trade.entry_time) <= clock);
  const marks = run.equity_curve?.filter(({ time }) => time <= clock) ?? null;
  const data = chartData(
    { ...run, equity_curve: marks, open_position: openPosition(run, clock) },
    shown,
    past,
    firstOpen,
  );
  return {
    ...within({
      ...data,
      fills: data.fills.filter(({ time }) => time <= clock),
      trades: data.trades.filter(({ exitTime }) => exitTime <= clock),
    }),
    lines: worthDrawing(loaded.lines),
    rules: rules.filter((rule) => rule.entry_decided_at <= clock && clock <= (rule.exit_filled_at ?? clock)),
    follows: true,
  };
}

function openPosition(run: Run, clock: number): Run["open_position"] {
  return run.open_position && seconds(run.open_position.entry_time) <= clock ? run.open_position : null;
}

/** The account of a run at one moment. `changePercent` is the price against the purchase, before costs. */
export type SoFar = {
  equity: number;
  returnPercent: number;
  closed: number;
  won: number;
  position: { entryPrice: number | null; changePercent: number | null } | null;
};

export function soFarAt({ run, trades }: Pick<Story, "run" | "trades">, loaded: Loaded, clock: number): SoFar {
  const place = loaded.klines.length > 0 ? candleAt(loaded.klines, clock) : -1;
  const equity = loaded.equity[place] ?? run.initial_cash;
  const closed = trades.filter((trade) => seconds(trade.exit_time) <= clock);
  const held =
    trades.find((trade) => seconds(trade.entry_time) <= clock && clock < seconds(trade.exit_time)) ??
    openPosition(run, clock);
  const price = loaded.klines[place]?.close ?? null;
  const entryPrice = held ? (averagePrice(held.fills ?? [], clock) ?? held.entry_price) : null;
  return {
    equity,
    returnPercent: (equity / run.initial_cash - 1) * 100,
    closed: closed[0]?.number ?? 0,
    won: closed.filter(({ pnl }) => (pnl ?? 0) > 0).length,
    position: held && { entryPrice, changePercent: price && entryPrice ? (price / entryPrice - 1) * 100 : null },
  };
}

/** The average price of what is held after the fills until then; null without any. */
function averagePrice(fills: Schemas["FillView"][], clock: number): number | null {
  let [held, average]: [number, number | null] = [0, null];
  for (const { time, action, price, quantity } of fills) {
    if (seconds(time) > clock || price === null || quantity === null) break;
    if (action === "BUY") average = ((average ?? 0) * held + price * quantity) / (held + quantity);
    held += action === "BUY" ? quantity : -quantity;
  }
  return average;
}

export type Happening = { time: number; what: string; why: string };

/** Every decision and fill of the run, oldest first. A close decides, and the next candle fills. */
export function happenings(run: Run, newestFirst: Trade[], interval: number): Happening[] {
  const all = newestFirst.toReversed().flatMap((trade) => {
    const [entry, exit] = [seconds(trade.entry_time), seconds(trade.exit_time)];
    const decided = trade.exit_reason === "exit_conditions" || trade.exit_reason === "max_holding";
    const why = `trade #${trade.number}`;
    return [
      { time: entry - interval, what: "Decided to buy", why: trade.entry_reason },
      { time: entry, what: `Bought at $${price(trade.fills?.[0]?.price ?? trade.entry_price)}`, why },
      ...(trade.fills ?? []).slice(1, -1).map(partly),
      ...(decided ? [{ time: exit - interval, what: "Decided to sell", why: REASONS[trade.exit_reason] }] : []),
      {
        time: exit,
        what: `Sold at $${price(trade.fills?.at(-1)?.price ?? trade.exit_price)}, ${percent(trade.pnl_percent, { sign: true })}`,
        why: REASONS[trade.exit_reason],
      },
    ];
  });
  const open = run.open_position;
  if (open) {
    const entry = seconds(open.entry_time);
    const why = "still open at the end";
    all.push({ time: entry - interval, what: "Decided to buy", why: open.entry_reason });
    all.push({ time: entry, what: `Bought at $${price(open.fills?.[0]?.price ?? open.entry_price)}`, why });
    all.push(...(open.fills ?? []).slice(1).map(partly));
  }
  return all.sort((one, other) => one.time - other.time);
}

/** A fill that neither begins nor ends a position. */
function partly({ time, action, price: at, reason, number }: Schemas["FillView"]): Happening {
  const what = `${action === "BUY" ? "Bought more" : "Sold a part"} at $${price(at)}`;
  return { time: seconds(time), what, why: number ? `${REASONS[reason]} ${number}` : REASONS[reason] };
}

/** The place after the last of these that had happened by then. */
export function happened(all: readonly Happening[], clock: number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle] as Happening).time <= clock) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** When the next trade is decided, or the one before. */
export function nextDecision(all: readonly Happening[], clock: number, by: 1 | -1): number | undefined {
  const times = all.filter(({ what }) => what === "Decided to buy").map(({ time }) => time);
  return by > 0 ? times.find((time) => time > clock) : times.findLast((time) => time < clock);
}
