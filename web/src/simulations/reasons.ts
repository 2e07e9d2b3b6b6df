import type { Schemas } from "@/api/client";

/** The sentences that say it more plainly than the engine's exact words; none for entries of older versions. */
export function plainSentences(reason: string, reasons: Schemas["Reason"][] = []): string[] {
  return reasons.map(({ text }) => text).filter((text) => !reason.includes(text));
}
