/** A strategy with the number of its revision, which every change of it names. */
import type { Schemas } from "@/api/client";
import type { Strategy } from "@/strategy/words";

export type { Strategy } from "@/strategy/words";
export type Bot = Schemas["BotView"];
export type Version = { revision: number; strategy: Strategy | null };

/** The server refuses what is based on another revision than the newest. */
export function revisionHeader(revision: number): { "if-match": string } {
  return { "if-match": `"${revision}"` };
}
