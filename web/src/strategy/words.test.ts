import { expect, test } from "vitest";
import { type Condition, phrase } from "@/strategy/words";

test.each<[Condition, string]>([
  [{ kind: "compare", left: { series: "rsi", period: 14 }, operator: "below", right: 40 }, "RSI(14) is below 40"],
  [
    {
      kind: "compare",
      left: { series: "close" },
      operator: "crosses_above",
      right: { series: "sma", period: 20, of: "close" },
    },
    "price crosses above SMA(20)",
  ],
  [
    {
      kind: "compare",
      left: { series: "volume" },
      operator: "above",
      right: { series: "sma", period: 20, of: "volume" },
    },
    "volume is above SMA(20, volume)",
  ],
])("%j reads “%s”", (condition, words) => {
  expect(phrase(condition)).toBe(words);
});
