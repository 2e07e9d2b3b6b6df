/** Where a moment lies among the candles of a chart, in candles from the first; between two candles it is a fraction. */
import type { Schemas } from "@/api/client";
import { candleAt } from "@/chart/curves";

type Kline = Schemas["Kline"];

/** A span of time in unix seconds. */
export type View = { from: number; to: number };

function spacing(candles: readonly Kline[]): number {
  const [first, last] = [candles[0], candles.at(-1)];
  return first && last && candles.length > 1 ? (last.time - first.time) / (candles.length - 1) : 60;
}

export function placeOf(candles: readonly Kline[], time: number): number {
  const place = candleAt(candles, time);
  const candle = candles[place];
  if (!candle) return 0;
  const after = candles[place + 1];
  const length = time < candle.time || !after ? spacing(candles) : after.time - candle.time;
  return place + (time - candle.time) / length;
}

export function timeOf(candles: readonly Kline[], place: number): number {
  const last = candles.length - 1;
  const candle = candles[Math.min(last, Math.max(0, Math.floor(place)))];
  if (!candle) return 0;
  if (place < 0) return candle.time + place * spacing(candles);
  if (place >= last) return candle.time + (place - last) * spacing(candles);
  const after = candles[Math.floor(place) + 1] as Kline;
  return candle.time + (place - Math.floor(place)) * (after.time - candle.time);
}
