/** Which part of a long run is loaded candle by candle: the one in view, with as much again on each side. */
import type { Span } from "@/backtests/runs";
import type { View } from "@/chart/places";

/** A loaded part that is this many times as long as the view has candles that are too coarse. */
const COARSE = 8;

/**
 * The part of the run to show for what is in view; null for the whole run. What is shown stays while it covers the
 * view and is fine enough.
 */
export function partFor({ from, to }: View, shown: Span | null, run: Span): Span | null {
  const length = Math.max(1, to - from);
  const seen = { start_time: Math.max(run.start_time, from), end_time: Math.min(run.end_time, to) };
  if (shown && seen.start_time >= shown.start_time && seen.end_time <= shown.end_time) {
    if (shown.end_time - shown.start_time <= COARSE * length) return shown;
  }
  const wanted = {
    start_time: Math.floor(Math.max(run.start_time, from - length)),
    end_time: Math.ceil(Math.min(run.end_time, to + length)),
  };
  // The server joins candles two by two: only for half of the run or less are there finer ones.
  return wanted.end_time - wanted.start_time > (run.end_time - run.start_time) / 2 ? null : wanted;
}
