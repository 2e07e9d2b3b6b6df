/** The clock of a playback: the time of the newest candle that is shown. It moves by whole candles. */

export type Course = { start: number; end: number; interval: number };

export const SPEEDS = [1, 2, 5, 10, 25, 50, 100, 250, 500] as const;
export type Speed = (typeof SPEEDS)[number];

/** The time of the last candle. */
export function lastOf({ start, end, interval }: Course): number {
  return start + Math.max(0, Math.ceil((end - start) / interval) - 1) * interval;
}

/** The candle that holds this moment, within the course. */
export function candleOf(course: Course, moment: number): number {
  const { start, interval } = course;
  const whole = start + Math.floor((moment - start) / interval) * interval;
  return Math.min(lastOf(course), Math.max(start, whole));
}

export function stepped(course: Course, clock: number, candles: number): number {
  return candleOf(course, clock + candles * course.interval);
}

/**
 * How many candles are due after this much time, and what is left of the next one. A tab that slept does not catch up:
 * at most a quarter of a second counts.
 */
export function due(speed: number, milliseconds: number, rest: number): { candles: number; rest: number } {
  const amount = rest + (speed * Math.min(250, milliseconds)) / 1000;
  return { candles: Math.floor(amount), rest: amount - Math.floor(amount) };
}
