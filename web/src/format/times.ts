/** Moments in the reader's zone. The API gives ISO 8601 in UTC, or unix seconds for a candle. */
import { kept } from "@/format/kept";
import { NOTHING } from "@/format/numbers";

export type Moment = string | number | null | undefined;

export function dateOf(moment: Moment): Date | null {
  if (moment === null || moment === undefined) return null;
  const date = new Date(typeof moment === "number" ? moment * 1000 : moment);
  return Number.isNaN(date.getTime()) ? null : date;
}

export const dateFormat = kept((options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-GB", options));

function written(moment: Moment, options: Intl.DateTimeFormatOptions): string {
  const date = dateOf(moment);
  return date ? dateFormat(options).format(date) : NOTHING;
}

/** 3 Feb 2026, 14:05 */
export function dateTime(moment: Moment, timeZone: string): string {
  return written(moment, {
    timeZone,
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** The short name of a zone at a moment: CET, GMT-5, UTC. */
export function zoneName(moment: Moment, timeZone: string): string {
  const date = dateOf(moment);
  const parts = date ? dateFormat({ timeZone, timeZoneName: "short" }).formatToParts(date) : [];
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
}

/** 3 Feb 2026 */
export function day(moment: Moment, timeZone: string): string {
  return written(moment, { timeZone, day: "numeric", month: "short", year: "numeric" });
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** 3 minutes ago */
export function ago(moment: Moment, now = Date.now()): string {
  const date = dateOf(moment);
  if (!date) return NOTHING;
  const seconds = Math.round((date.getTime() - now) / 1000);
  const [unit, length] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  if (unit === "second") return seconds > 0 ? "in a moment" : "just now";
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.trunc(seconds / length), unit);
}

/** 1 day 4 h, 3 h 20 min, 45 s */
export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return NOTHING;
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (days > 0) return `${days} ${days === 1 ? "day" : "days"}${hours ? ` ${hours} h` : ""}`;
  if (hours > 0) return `${hours} h${minutes ? ` ${minutes} min` : ""}`;
  return minutes > 0 ? `${minutes} min` : `${Math.round(seconds)} s`;
}

/** How long a run covers. It begins and ends at candles, so thirty days may be a few hours short of that. */
export function period({ start_time, end_time }: { start_time: string; end_time: string }): string {
  const seconds = (Date.parse(end_time) - Date.parse(start_time)) / 1000;
  return duration(seconds > 2 * 86_400 ? Math.round(seconds / 86_400) * 86_400 : seconds);
}
