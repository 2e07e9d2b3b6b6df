import { expect, test } from "vitest";
import { boughtWords, type Previewed } from "@/strategy/previewing";

const candle = { time: 0, open: 1, high: 1, low: 1, close: 1, volume: 1 };
const shown = (total_entries: number, candles: number) =>
  ({ total_entries, klines: Array(candles).fill(candle), kline_interval: "1h" }) as unknown as Previewed;

test.each([
  [shown(2, 299), "It would have bought 2 times on the last 299 1h candles of SOL."],
  [shown(0, 299), "It would not have bought on the last 299 1h candles of SOL."],
  [shown(0, 0), "There are no candles of SOL to show."],
])("a preview says what it would have bought", (preview, words) => {
  expect(boughtWords(preview, "SOL")).toBe(words);
});
