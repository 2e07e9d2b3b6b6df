/** Parts of a strategy in a few words. The whole sentence comes from the API, as `strategy_summary`. */
import type { Schemas } from "@/api/client";

export type Strategy = Schemas["Strategy"];
export type Condition = Strategy["conditions"][number];
export type Kind = Condition["kind"];
export type Match = NonNullable<Strategy["match"]>;

export const KINDS: Record<Kind, string> = {
  price_drop: "Price drop",
  price_rise: "Price rise",
  volume_spike: "Volume spike",
  price_level: "Price level",
  compare: "Indicator",
};

export const REASONS: Record<Schemas["TradeView"]["exit_reason"], string> = {
  stop_loss: "Stop loss",
  take_profit: "Take profit",
  trailing_stop: "Trailing stop",
  exit_conditions: "Exit conditions",
  max_holding: "Longest holding",
};

export function phrase(condition: Condition): string {
  switch (condition.kind) {
    case "price_drop":
      return `price falls ${condition.percent}%${condition.reference === "high" ? " from its high" : ""} within ${condition.window ?? "1h"}`;
    case "price_rise":
      return `price rises ${condition.percent}%${condition.reference === "low" ? " from its low" : ""} within ${condition.window ?? "1h"}`;
    case "volume_spike":
      return `volume ${condition.multiplier}× its ${condition.window ?? "1h"} average`;
    case "price_level":
      return condition.trigger === "is"
        ? `price is at or ${condition.direction} ${plain(condition.level)}`
        : `price crosses ${condition.direction} ${plain(condition.level)}`;
    case "compare":
      return `${seriesPhrase(condition.left)} ${OPERATORS[condition.operator]} ${
        typeof condition.right === "number" ? plain(condition.right) : seriesPhrase(condition.right)
      }${(condition.within_candles ?? 1) > 1 ? ` within ${condition.within_candles} candles` : ""}`;
  }
}

type Comparison = Extract<Condition, { kind: "compare" }>;
export type Series = Comparison["left"];

const OPERATORS: Record<Comparison["operator"], string> = {
  above: "is above",
  below: "is below",
  crosses_above: "crosses above",
  crosses_below: "crosses below",
};

/** Those that are no abbreviations. */
const SERIES: Partial<Record<Series["series"], string>> = {
  open: "open",
  high: "high",
  low: "low",
  close: "price",
  volume: "volume",
  bollinger: "Bollinger",
  highest: "highest",
  lowest: "lowest",
  stochastic: "Stochastic",
  stochastic_rsi: "Stochastic RSI",
  change: "change",
};

/** A series in short: its name and the numbers that are set. */
export function seriesPhrase(series: Series): string {
  const { series: name, interval, offset, times, plus, ...parameters } = series;
  const set = Object.entries(parameters)
    .filter(([key, value]) => value !== null && value !== undefined && !(key === "of" && value === "close"))
    .map(([, value]) => value);
  return [
    (SERIES[name] ?? name.toUpperCase()) + (set.length > 0 ? `(${set.join(", ")})` : ""),
    interval ? `on ${interval} candles` : "",
    offset ? `${offset} candles ago` : "",
    times && times !== 1 ? `× ${plain(times)}` : "",
    plus ? `+ ${plain(plus)}` : "",
  ]
    .filter(Boolean)
    .join(" ");
}

const ALL_DIGITS = new Intl.NumberFormat("en-US", { useGrouping: false, maximumSignificantDigits: 17 });

/** All digits of a number, without an exponent. */
export function plain(value: number): string {
  return ALL_DIGITS.format(value);
}
