/** The numbers and durations of a strategy that a search can vary: their paths for the API, and their names for people. */
import { label } from "@/strategy/language";
import type { Condition, Strategy } from "@/strategy/words";

export type Value = number | string;
export type Place = { path: string; label: string; kind: "number" | "duration"; value: Value | null };
type Part = Record<string, unknown>;

/** The fields of the risk management, and what each replaces. */
const RISK: [string, string, Place["kind"], string?][] = [
  ["stop_loss_percent", "Stop loss %", "number", "stop_loss_atr"],
  ["take_profit_percent", "Take profit %", "number", "take_profits"],
  ["trailing_stop_percent", "Trailing stop %", "number", "trailing_stop_atr"],
  ["max_holding", "Longest holding", "duration"],
  ["cooldown", "Wait after a sale", "duration"],
];
/** Orders that are offered only if the strategy has them. */
const ORDERS: Record<string, string> = {
  stop_loss_atr: "Stop loss",
  trailing_stop_atr: "Trailing stop",
  take_profits: "target",
  ladder: "ladder step",
  break_even_after_percent: "Break even after %",
  position_amount: "Cash of a buy",
  risk_percent: "Risk of a buy %",
  max_entries: "Buys of one position",
  entry_gap: "Time between buys",
};
const IN_RISK = new Set([
  ...RISK.map(([name]) => name),
  "take_profits",
  "break_even_after_percent",
  "stop_loss_atr",
  "trailing_stop_atr",
]);
/** The fields that every series has besides its own parameters, each with its neutral value. */
const IDLE: Record<string, number> = { offset: 0, times: 1, plus: 0, within_candles: 1 };
const WORDS: Record<string, string> = {
  window: "Window",
  multiplier: "Volume multiple",
  level: "Level",
  within_candles: "Candles to look back",
  period: "Period",
  count: "How many",
  gain_percent: "Gain %",
  sell_percent: "Share sold %",
  drop_percent: "Drop %",
  size_percent: "Share of the cash %",
};
const DURATION = /^\d+[mhd]$/;

/** Every number and duration of the rules, each plain stop and target whether it is set or not, and the size of a buy. */
export function placesOf(strategy: Strategy): Place[] {
  const risk = (strategy.risk_management ?? {}) as Part;
  const free = RISK.filter(([, , , other]) => !other || risk[other] == null);
  const isSized = strategy.position_amount != null || strategy.risk_percent != null;
  return [
    ...strategy.conditions.flatMap((condition, i) => placesIn(condition, `conditions.${i}`, `rule ${i + 1}`)),
    ...(strategy.exit_conditions ?? []).flatMap((condition, i) =>
      placesIn(condition, `exit_conditions.${i}`, `sell rule ${i + 1}`),
    ),
    ...free.map(([path, label, kind]) => ({ path, label, kind, value: (risk[path] ?? null) as Value | null })),
    ...Object.keys(ORDERS).flatMap((name) => orderPlaces(name, risk[name] ?? (strategy as Part)[name])),
    ...(isSized
      ? []
      : [
          {
            path: "position_percent",
            label: "Cash used %",
            kind: "number" as const,
            value: strategy.position_percent ?? 100,
          },
        ]),
  ];
}

/** The values of an order: one, those of a distance, or those of each step of a list. */
function orderPlaces(name: string, order: unknown): Place[] {
  const words = ORDERS[name] ?? name;
  if (order === null || order === undefined) return [];
  if (Array.isArray(order)) {
    return order.flatMap((step: Part, i) =>
      valuesIn(step, `${name}.${i}`).map((place) => ({
        ...place,
        label: `${WORDS[place.label] ?? label(place.label)} of ${words} ${i + 1}`,
      })),
    );
  }
  if (typeof order === "object") {
    return Object.entries(order).map(([part, value]) => ({
      path: `${name}.${part}`,
      label: part === "times" ? `${words} × ATR` : `ATR period of the ${words.toLowerCase()}`,
      kind: "number",
      value,
    }));
  }
  return [{ path: name, label: words, kind: typeof order === "string" ? "duration" : "number", value: order as Value }];
}

function placesIn(condition: Condition, path: string, rule: string): Place[] {
  const own = valuesIn(condition as Part, path).map((place) => ({
    ...place,
    label: `${wordOf(condition, place.label)} of ${rule}`,
  }));
  if (condition.kind === "group") {
    const members = condition.conditions.flatMap((member, i) =>
      placesIn(member, `${path}.conditions.${i}`, `${rule}.${i + 1}`),
    );
    return [...own, ...members];
  }
  if (condition.kind !== "compare") return own;
  const sides = [["left", condition.left] as const, ["right", condition.right] as const];
  const ofSides = sides.flatMap(([side, series]) => {
    if (typeof series === "number") return [];
    return valuesIn(series as Part, `${path}.${side}`).map((place) => ({
      ...place,
      label: `${label(series.series)} ${place.label.replaceAll("_", " ")}, ${side} of ${rule}`,
    }));
  });
  return [...own, ...ofSides];
}

/** The numbers and durations directly in this part, with the field name as the label. */
function valuesIn(part: Part, path: string): Place[] {
  return Object.entries(part).flatMap(([name, value]): Place[] => {
    if (IDLE[name] !== undefined && IDLE[name] === value) return [];
    const place = { path: `${path}.${name}`, label: name };
    if (typeof value === "number") return [{ ...place, kind: "number", value }];
    if (name !== "interval" && typeof value === "string" && DURATION.test(value)) {
      return [{ ...place, kind: "duration", value }];
    }
    return [];
  });
}

function wordOf(condition: Condition, name: string): string {
  if (name === "percent") return condition.kind === "price_rise" ? "Rise %" : "Drop %";
  if (name === "right" && condition.kind === "compare") return `${label(condition.left.series)} limit`;
  return WORDS[name] ?? label(name);
}

/** A search of the terminal or the chat may name a stop with or without `risk_management.`. */
function shortPath(path: string): string {
  return path.replace(/^risk_management\./, "");
}

export function labelOf(strategy: Strategy, path: string): string {
  return placesOf(strategy).find((place) => place.path === shortPath(path))?.label ?? path;
}

/** The strategy with these values, by path, in place of its own. */
export function withValues(strategy: Strategy, values: Record<string, Value>): Strategy {
  const copy = structuredClone(strategy);
  for (const [path, value] of Object.entries(values)) {
    const short = shortPath(path);
    const [first = "", ...rest] = short.split(".");
    const steps = IN_RISK.has(first) ? ["risk_management", first, ...rest] : [first, ...rest];
    const last = steps.pop() as string;
    let part = copy as Part;
    for (const step of steps) {
      part[step] ??= {};
      part = part[step] as Part;
    }
    part[last] = value;
  }
  return copy;
}
