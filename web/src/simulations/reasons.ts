/**
 * The reasons of the trade log in plain words. The engine's own reasons are exact and short, such as
 * "waiting: price_drop 0.601 of 2 %"; the missing details come from the strategy.
 */
import type { Schemas } from "@/api/client";
import type { Condition, Strategy } from "@/strategy/words";

type LogEntry = Schemas["LogEntryView"];
type Writer = (found: string[], conditions: Condition[]) => string;
type Moving = Extract<Condition, { kind: "price_drop" | "price_rise" }>;

const WAITING = "waiting: ";
const MET = /^(price|volume) .*(threshold|crossed|is at or)/;

/** Null if the engine's reason is plain already, or is not known here. */
export function plainReason(
  { action, reason }: Pick<LogEntry, "action" | "reason">,
  strategy: Strategy,
): string | null {
  if (reason.startsWith(WAITING)) {
    const parts = reason.slice(WAITING.length).split("; ");
    const words = parts.map((part) => written(part, UNMET, strategy.conditions));
    return words.includes(null) ? null : `Not yet: ${words.join("; ")}.`;
  }
  if (action === "HOLD" && MET.test(reason)) return "Its conditions are met: it trades at the next candle.";
  return written(reason, WHOLE, strategy.conditions);
}

function written(text: string, writers: [RegExp, Writer][], conditions: Condition[]): string | null {
  for (const [pattern, write] of writers) {
    const found = pattern.exec(text);
    if (found) return write(found.slice(1), conditions);
  }
  return null;
}

/** Conditions that are not met. */
const UNMET: [RegExp, Writer][] = [
  [/^(price_drop|price_rise) (-?)(\S+) of (\S+) %$/, moved],
  [
    /^volume_spike (\S+) of (\S+) ×$/,
    ([is, needed], conditions) => {
      const condition = conditions.find((each) => each.kind === "volume_spike" && each.multiplier === Number(needed));
      const window = condition && "window" in condition ? `${condition.window} ` : "";
      return `the volume is ${is}× its ${window}average, it takes ${needed}×`;
    },
  ],
  [
    /^price_level (\S+) is not (above|below) (\S+)$/,
    ([is, side, level]) => `the price is $${is}, not ${side} $${level}`,
  ],
  [
    /^price_level (\S+) is already (above|below) (\S+), no cross$/,
    ([is, side, level]) => `the price is $${is}, and was ${side} $${level} before: it has to cross it anew`,
  ],
  [
    /^\w+ needs (\d+) candles? before it, has (\d+)$/,
    ([needed, has]) => `it has to see ${needed} ${needed === "1" ? "candle" : "candles"} first, and has seen ${has}`,
  ],
  [/^volume_spike (?:has no|misses a) volume in (\S+)/, ([window]) => `the volume of the last ${window} is not known`],
];

const WHOLE: [RegExp, Writer][] = [
  [/^holding: (-?)(\S+) % from the entry [^,]+(?:, stop ([^,]+))?(?:, target ([^,]+))?$/, held],
  [/^cooling down for another (.+)$/, ([time]) => `It has just sold, and waits another ${time} before it buys again.`],
  [/^(stop loss|trailing stop): .* stop (\S+)( \(gap\))?$/, (found) => sold("fell", found)],
  [/^(take profit): .* target (\S+)( \(gap\))?$/, (found) => sold("rose", found)],
];

const WAYS: Record<string, { went: string; otherwise: string; needs: string }> = {
  price_drop: { went: "fell", otherwise: "rose", needs: "a fall" },
  price_rise: { went: "rose", otherwise: "fell", needs: "a rise" },
};

/** How far the price moved; a minus means the other direction. */
function moved([kind = "", minus, amount, needed]: string[], conditions: Condition[]): string {
  const way = WAYS[kind];
  const condition = conditions.find(
    (each): each is Moving => each.kind === kind && "percent" in each && each.percent === Number(needed),
  );
  return `the price ${minus ? way?.otherwise : way?.went} ${amount}%${since(condition)}, it takes ${way?.needs} of ${needed}%`;
}

function since(condition: Moving | undefined): string {
  if (!condition?.window) return "";
  const extreme = condition.reference === "close" ? null : condition.reference;
  return extreme ? ` from its ${extreme} of ${condition.window}` : ` in ${condition.window}`;
}

function held([minus, change, stop, target]: (string | undefined)[]): string {
  const ends = [stop && `falls to $${stop}`, target && `rises to $${target}`].filter(Boolean).join(" or ");
  return `It holds, ${change}% ${minus ? "below" : "above"} what it paid.${ends && ` It sells when the price ${ends}.`}`;
}

function sold(way: string, [name, level, gap]: (string | undefined)[]): string {
  return gap ? `The price jumped past its ${name}, $${level}.` : `The price ${way} to its ${name}, $${level}.`;
}
