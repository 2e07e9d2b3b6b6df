/** A comparison of series while it is being edited: numbers as they are typed. */
import { type Condition, plain, type Series } from "@/strategy/words";

export type Comparison = Extract<Condition, { kind: "compare" }>;
export type Operator = Comparison["operator"];

export type SeriesDraft = {
  series: Series["series"];
  /** Its own parameters and `offset`, `times`, `plus`; an empty text means the default. */
  values: Record<string, string>;
  /** A longer candle than the run's; empty for the run's own. */
  interval: string;
};

export type ComparisonDraft = {
  left: SeriesDraft;
  operator: Operator;
  against: "number" | "series";
  number: string;
  right: SeriesDraft;
  within: string;
};

export function newComparison(): ComparisonDraft {
  return {
    left: { series: "rsi", values: { period: "14" }, interval: "" },
    operator: "below",
    against: "number",
    number: "30",
    right: { series: "ema", values: { period: "50" }, interval: "" },
    within: "1",
  };
}

export function comparisonDraft(condition: Comparison): ComparisonDraft {
  const draft = newComparison();
  const isNumber = typeof condition.right === "number";
  return {
    left: seriesDraft(condition.left),
    operator: condition.operator,
    against: isNumber ? "number" : "series",
    number: typeof condition.right === "number" ? plain(condition.right) : draft.number,
    right: typeof condition.right === "number" ? draft.right : seriesDraft(condition.right),
    within: String(condition.within_candles ?? 1),
  };
}

export function comparison(draft: ComparisonDraft): Comparison {
  return {
    kind: "compare",
    left: series(draft.left),
    operator: draft.operator,
    right: draft.against === "number" ? typed(draft.number) : series(draft.right),
    within_candles: typed(draft.within || "1"),
  };
}

function seriesDraft(from: Series): SeriesDraft {
  const { series: name, interval, ...rest } = from;
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(rest)) {
    if (value !== null && value !== undefined) values[key] = typeof value === "number" ? plain(value) : String(value);
  }
  return { series: name, values, interval: interval ?? "" };
}

function series(draft: SeriesDraft): Series {
  const values = Object.entries(draft.values)
    .filter(([, value]) => value.trim() !== "")
    .map(([key, value]) => [key, Number.isNaN(Number(value)) ? value : Number(value)]);
  return {
    series: draft.series,
    ...Object.fromEntries(values),
    ...(draft.interval ? { interval: draft.interval } : {}),
  };
}

function typed(text: string): number {
  return text.trim() ? Number(text) : Number.NaN;
}
