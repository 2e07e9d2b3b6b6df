/** Numbers as they are typed into a form, and as the API reads them. */
import { plain } from "@/strategy/words";

export function text(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : plain(value);
}

/** A text that is no number is sent as null; the API says that it must be a number. */
export function number(typed: string): number {
  return typed.trim() ? Number(typed) : Number.NaN;
}

export function optional(typed: string): number | null {
  return typed.trim() ? Number(typed) : null;
}

let lastKey = 0;

/** A key for a part of a draft, by which React knows it while others move around it. */
export function newKey(): number {
  lastKey += 1;
  return lastKey;
}
