/** Which candles can show what a strategy looks at; the API holds the same rule and refuses the others. */
import type { Strategy } from "@/strategy/words";

export type Interval = "1m" | "5m" | "15m" | "1h" | "4h" | "1d";

const MINUTES: Record<string, number> = { m: 1, h: 60, d: 1440 };

function minutes(duration: string): number {
  return Number(duration.slice(0, -1)) * (MINUTES[duration.slice(-1)] ?? 1);
}

/** Every duration of the strategy: windows, cooldown, longest holding, pause, and the longer candles of its series. */
function spans(strategy: Strategy): string[] {
  const conditions = [...strategy.conditions, ...(strategy.exit_conditions ?? [])];
  const looked = conditions.flatMap((condition) => {
    if (condition.kind === "price_level") return [];
    if (condition.kind !== "compare") return [condition.window ?? "1h"];
    const sides = [condition.left, ...(typeof condition.right === "number" ? [] : [condition.right])];
    return sides.flatMap((side) => (side.interval ? [side.interval] : []));
  });
  const risk = strategy.risk_management;
  const durations = [risk?.cooldown, risk?.max_holding, strategy.guards?.losing_streak?.pause];
  return [...looked, ...durations.filter((each) => typeof each === "string")];
}

/** Why these candles cannot be used; undefined if they can. */
export function misfit(strategy: Strategy | null, interval: Interval): string | undefined {
  const hidden = strategy && spans(strategy).find((span) => minutes(span) % minutes(interval) !== 0);
  return hidden ? `The strategy looks at ${hidden}; candles of ${interval} cannot show that.` : undefined;
}

/** The intervals as options of a form, those that do not fit greyed out with the reason. */
export function intervalOptions<Value extends Interval>(strategy: Strategy | null, intervals: Value[]) {
  return intervals.map((value) => ({ value, label: value, unusable: misfit(strategy, value) }));
}
