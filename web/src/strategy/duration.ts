/** The API's durations (15m, 1h, 2d) as a form holds them: a count that may be half typed, and its unit. */
export type Unit = "m" | "h" | "d";
export type Duration = { count: string; unit: Unit };

export const UNITS: Record<Unit, string> = { m: "min", h: "h", d: "days" };

export function readDuration(text: string | null | undefined, unit: Unit = "h"): Duration {
  const parts = /^(\d+)([mhd])$/.exec(text ?? "");
  return parts ? { count: parts[1] as string, unit: parts[2] as Unit } : { count: "", unit };
}

/** What was typed, for the API to validate. */
export function writeDuration({ count, unit }: Duration): string {
  return `${count.trim()}${unit}`;
}

/** Null if nothing was typed. */
export function writeOptional(duration: Duration): string | null {
  return duration.count.trim() ? writeDuration(duration) : null;
}
