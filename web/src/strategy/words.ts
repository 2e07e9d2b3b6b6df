/** The types of a strategy and the labels of its codes. Its sentences come from the API. */
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

export type Series = Extract<Condition, { kind: "compare" }>["left"];

const ALL_DIGITS = new Intl.NumberFormat("en-US", { useGrouping: false, maximumSignificantDigits: 17 });

/** All digits of a number, without an exponent. */
export function plain(value: number): string {
  return ALL_DIGITS.format(value);
}
