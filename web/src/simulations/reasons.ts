import type { Schemas } from "@/api/client";

/** A decision in plain sentences. Entries of older versions have only the engine's exact words. */
export function sentencesOf(reason: string, reasons: Schemas["Reason"][] = []): string[] {
  const texts = reasons.length > 0 ? [...new Set(reasons.map(({ text }) => text))] : [reason];
  return texts.map((text, place) => (place > 0 ? text.charAt(0).toUpperCase() + text.slice(1) : text));
}
