/** The format of each metric. Its label is in the glossary; the definitions come from the OpenAPI document: see vite.config.ts. */
import definitions from "virtual:metric-definitions";
import type { Schemas } from "@/api/client";
import { INTERVALS } from "@/backtests/chart";
import { countsPool } from "@/backtests/costs";
import { labelOf } from "@/format/glossary";
import { count, money, percent, quantity } from "@/format/numbers";
import { duration } from "@/format/times";

export type Metrics = Schemas["MetricsView"];
/** The errors are shown with their ratios. */
export type MetricName = Exclude<keyof Metrics, "exit_reasons" | "sharpe_error" | "sortino_error">;
/** `gain` is coloured by its sign, `change` is not. */
type Unit = "gain" | "change" | "percent" | "money" | "ratio" | "count" | "duration";
/** `better`: whether a higher or a lower value is better, if either is. */
export type Metric = { name: MetricName; label: string; unit: Unit; better?: "higher" | "lower" | undefined };

function metric(name: MetricName, unit: Unit, better?: Metric["better"]): Metric {
  return { name, label: labelOf(name), unit, better };
}

export const KEY_METRICS: Metric[] = [
  metric("total_return", "gain", "higher"),
  metric("buy_and_hold_return", "gain"),
  metric("max_drawdown", "percent", "lower"),
  metric("win_rate", "percent", "higher"),
  metric("total_trades", "count"),
  metric("sharpe_ratio", "ratio", "higher"),
];

export const MORE_METRICS: Metric[] = [
  metric("final_equity", "money", "higher"),
  metric("profit_factor", "ratio", "higher"),
  metric("expectancy_percent", "gain", "higher"),
  metric("average_win_percent", "gain", "higher"),
  metric("average_loss_percent", "gain", "higher"),
  metric("best_trade_percent", "gain", "higher"),
  metric("worst_trade_percent", "gain", "higher"),
  metric("sortino_ratio", "ratio", "higher"),
  metric("calmar_ratio", "ratio", "higher"),
  metric("cagr", "gain", "higher"),
  metric("exposure_percent", "percent"),
  metric("average_holding_seconds", "duration"),
  metric("longest_drawdown_seconds", "duration", "lower"),
  metric("fees_paid", "money", "lower"),
  metric("slippage_paid", "money", "lower"),
  metric("tax_paid", "money", "lower"),
  metric("impact_paid", "money", "lower"),
  metric("return_without_pool_costs", "change"),
];

const WRITERS: Record<Unit, (value: number | null) => string> = {
  gain: (value) => percent(value, { sign: true }),
  change: (value) => percent(value, { sign: true }),
  percent: (value) => percent(value),
  money: (value) => money(value),
  ratio: (value) => quantity(value, 3),
  count: (value) => count(value),
  duration: (value) => duration(value),
};

export function written({ unit }: Metric, value: number | null): string {
  return WRITERS[unit](value);
}

/** The standard error of a ratio of few days, which is shown with it; null for any other metric. */
export function errorOf(name: MetricName, metrics: Metrics): number | null {
  if (name === "sharpe_ratio") return metrics.sharpe_error ?? null;
  return name === "sortino_ratio" ? (metrics.sortino_error ?? null) : null;
}

const EQUITY = "E is the equity, an open position at its market price.";
const CASH = "E0 is the cash at the start.";
/** The symbols in the definitions of the API. */
const SYMBOLS: { [name in MetricName]?: string[] } = {
  total_return: [EQUITY, CASH],
  max_drawdown: [EQUITY],
  longest_drawdown_seconds: [EQUITY],
  final_equity: [EQUITY],
  buy_and_hold_return: [CASH],
  sharpe_ratio: ["r are the returns from day to day."],
};

/** The definition of the API, with an explanation of each symbol in it. */
export function definition(name: MetricName): string {
  const text = definitions[name] ?? "";
  return [text.endsWith(".") ? text : `${text}.`, ...(SYMBOLS[name] ?? [])].join(" ");
}

/** Why a metric has no value, as a sentence. */
export function note(name: MetricName, value: number | null, notes: Record<string, string> | null): string | null {
  if (value !== null) return null;
  const words = notes?.[name];
  return words ? `${words.charAt(0).toUpperCase()}${words.slice(1)}` : "Not known";
}

/** A ratio of fewer trades than this says little. */
const ENOUGH_TRADES = 30;
const RATIOS = new Set<MetricName>(["sharpe_ratio", "sortino_ratio", "calmar_ratio", "profit_factor", "win_rate"]);

/** Why a ratio says little; undefined if it has enough trades. */
export function doubtOf(name: MetricName, metrics: Metrics): string | undefined {
  if (!RATIOS.has(name) || metrics[name] === null || metrics.total_trades >= ENOUGH_TRADES) return undefined;
  return `Of fewer than ${ENOUGH_TRADES} trades`;
}

type Compared = Pick<
  Schemas["BacktestSummary"],
  "token" | "chain" | "start_time" | "end_time" | "kline_interval" | "costs" | "metrics"
>;

/** Whether the runs have the same token and time, and tax and price impact in all or none. A difference of up to the longest candle is ignored. */
export function areComparable(runs: Compared[]): boolean {
  const [first] = runs;
  const candle = Math.max(0, ...runs.map((run) => INTERVALS[run.kline_interval]));
  const isNear = (one: string, other: string) => Math.abs(Date.parse(one) - Date.parse(other)) / 1000 <= candle;
  return runs.every(
    (run) =>
      first !== undefined &&
      run.token === first.token &&
      run.chain === first.chain &&
      countsPool(run.costs) === countsPool(first.costs) &&
      isNear(run.start_time, first.start_time) &&
      isNear(run.end_time, first.end_time),
  );
}

/**
 * The indexes of the runs with the best value of a metric; none if runs cannot be compared: different tokens, times or
 * kinds of costs, or a ratio of too few trades.
 */
export function best(metric: Metric, runs: Compared[]): Set<number> {
  if (!areComparable(runs)) return new Set();
  const tooFew = runs.some((run) => (run.metrics?.total_trades ?? 0) < ENOUGH_TRADES);
  if (RATIOS.has(metric.name) && tooFew) return new Set();
  return bestOf(
    metric,
    runs.map((run) => run.metrics),
  );
}

/**
 * The indexes of the best values; none if no direction is better, or if the best is not really better than the worst:
 * both are written alike, or lie within their standard errors.
 */
export function bestOf(metric: Metric, runs: (Metrics | null)[]): Set<number> {
  const values = runs.map((run) => run?.[metric.name] ?? null);
  const known = values.filter((value) => value !== null);
  if (!metric.better || known.length < 2) return new Set();
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const errors = runs.map((run) => (run ? (errorOf(metric.name, run) ?? 0) : 0));
  if (written(metric, least) === written(metric, most) || most - least <= Math.max(...errors)) return new Set();
  const winner = written(metric, metric.better === "higher" ? most : least);
  return new Set(values.flatMap((value, place) => (value !== null && written(metric, value) === winner ? place : [])));
}
