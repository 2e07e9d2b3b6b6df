/** The types of a strategy and the labels of its codes. Its sentences come from the API. */
import type { Schemas } from "@/api/client";

export type Strategy = Schemas["Strategy"];
export type Condition = Strategy["conditions"][number];
export type Kind = Condition["kind"];
export type Match = NonNullable<Strategy["match"]>;
export type Group = Extract<Condition, { kind: "group" }>;
export type Weekday = NonNullable<Extract<Condition, { kind: "time" }>["weekdays"]>[number];

export const KINDS: Record<Kind, string> = {
  price_drop: "Price drop",
  price_rise: "Price rise",
  volume_spike: "Volume spike",
  price_level: "Price level",
  compare: "Indicator",
  time: "Time of day",
  every: "At regular times",
  group: "Group",
};

export const MATCHES: Record<Group["match"], string> = {
  all: "all of these",
  any: "any of these",
  none: "none of these",
  at_least: "at least …",
};

export const WEEKDAYS: Record<Weekday, string> = {
  mon: "Monday",
  tue: "Tuesday",
  wed: "Wednesday",
  thu: "Thursday",
  fri: "Friday",
  sat: "Saturday",
  sun: "Sunday",
};

/** Why something was bought or sold. */
export const REASONS: Record<Schemas["FillView"]["reason"], string> = {
  entry: "Entry conditions",
  ladder: "Ladder",
  stop_loss: "Stop loss",
  take_profit: "Take profit",
  trailing_stop: "Trailing stop",
  break_even: "Break even",
  exit_conditions: "Exit conditions",
  max_holding: "Longest holding",
  stopped_trading: "Stopped trading",
};

/** Which token a purse buys first if places are few. */
export const PREFERENCES: Record<Schemas["Portfolio"]["prefer"] & string, string> = {
  volume: "Highest volume of 24 hours",
  fall: "Largest fall of 24 hours",
  rise: "Largest rise of 24 hours",
};

export type Series = Extract<Condition, { kind: "compare" }>["left"];

const ALL_DIGITS = new Intl.NumberFormat("en-US", { useGrouping: false, maximumSignificantDigits: 17 });

/** All digits of a number, without an exponent. */
export function plain(value: number): string {
  return ALL_DIGITS.format(value);
}
