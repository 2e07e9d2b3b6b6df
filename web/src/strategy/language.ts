/** The table of series, from the API: the editor is built from it. */
import { queries, type Schemas } from "@/api/client";

export type SeriesEntry = Schemas["SeriesEntry"];
export type Parameter = Schemas["Parameter"];

export function useSeriesTable(): SeriesEntry[] {
  const { data } = queries.useQuery("get", "/api/language", {}, { staleTime: Number.POSITIVE_INFINITY });
  return data?.series ?? [];
}

const LABELS: Record<string, string> = {
  open: "Open",
  high: "High",
  low: "Low",
  close: "Price",
  volume: "Volume",
  sma: "SMA",
  ema: "EMA",
  bollinger: "Bollinger bands",
  highest: "Highest high",
  lowest: "Lowest low",
  vwap: "VWAP",
  rsi: "RSI",
  stochastic: "Stochastic",
  stochastic_rsi: "Stochastic RSI",
  macd: "MACD",
  adx: "ADX",
  atr: "ATR",
  change: "Change, %",
};

/** The name of a series, a parameter or a choice as a person reads it. */
export function label(name: string): string {
  return LABELS[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
}

/** What the fields of a series begin with: its defaults, and a usual value where one is required. */
export function usualValues(entry: SeriesEntry): Record<string, string> {
  return Object.fromEntries(
    entry.parameters.map((parameter) => [parameter.name, String(parameter.default ?? parameter.choices?.[0] ?? 20)]),
  );
}
