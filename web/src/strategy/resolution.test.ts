import { expect, test } from "vitest";
import { type Interval, misfit } from "@/strategy/resolution";
import type { Condition, Strategy } from "@/strategy/words";

const ALL: Interval[] = ["1m", "5m", "15m", "1h", "4h", "1d"];

function looking(window: string, rest: Partial<Strategy> = {}): Strategy {
  return { conditions: [{ kind: "price_drop", percent: 3, window }], ...rest };
}

const HOURLY: Condition = {
  kind: "compare",
  left: { series: "rsi", interval: "1h" },
  operator: "below",
  right: 30,
};

test.each<[string, Strategy | null, Interval[]]>([
  ["a window of 30m", looking("30m"), ["1m", "5m", "15m"]],
  ["a window of 1h", looking("1h"), ["1m", "5m", "15m", "1h"]],
  ["a cooldown of 10m", looking("1d", { risk_management: { cooldown: "10m" } }), ["1m", "5m"]],
  ["a series on 1h candles", { conditions: [HOURLY] }, ["1m", "5m", "15m", "1h"]],
  ["no strategy", null, ALL],
])("%s can be shown by some candles", (_, strategy, expected) => {
  expect(ALL.filter((interval) => misfit(strategy, interval) === undefined)).toEqual(expected);
});
