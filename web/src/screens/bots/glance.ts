/** Which bots are shown, and in which order. */
import type { Schemas } from "@/api/client";

export type Bot = Schemas["ListedBot"];
export type Show = "all" | "running" | "holding" | "paused" | "idle";
export type Order = "newest" | "name" | "value" | "return";

export const SHOWN: { value: Show; label: string }[] = [
  { value: "all", label: "All bots" },
  { value: "running", label: "Simulating" },
  { value: "holding", label: "Holding a position" },
  { value: "paused", label: "Paused" },
  { value: "idle", label: "Not simulating" },
];
export const ORDERS: { value: Order; label: string }[] = [
  { value: "newest", label: "Newest first" },
  { value: "name", label: "By name" },
  { value: "value", label: "By paper value" },
  { value: "return", label: "By paper return" },
];

const TESTS: Record<Show, (bot: Bot) => boolean> = {
  all: () => true,
  running: ({ simulation }) => simulation?.status === "running",
  holding: ({ simulation }) => (simulation?.quantity ?? 0) > 0,
  paused: ({ simulation }) => simulation?.status === "paused",
  idle: ({ simulation }) => simulation === null,
};

const least = Number.NEGATIVE_INFINITY;
const COMPARE: Record<Order, (one: Bot, other: Bot) => number> = {
  newest: () => 0, // as the API lists them
  name: (one, other) => one.name.localeCompare(other.name),
  value: (one, other) => (other.simulation?.total_value ?? least) - (one.simulation?.total_value ?? least) || 0,
  return: (one, other) => (other.simulation?.pnl_percent ?? least) - (one.simulation?.pnl_percent ?? least) || 0,
};

export type Choice = { show: Show; order: Order; named: string; tag: string };

/** Bots without a simulation come last where the order is about simulations. An empty tag is any. */
export function chosen(bots: Bot[], { show, order, named, tag }: Choice): Bot[] {
  const wanted = named.trim().toLocaleLowerCase();
  const found = bots.filter(
    (bot) =>
      TESTS[show](bot) && bot.name.toLocaleLowerCase().includes(wanted) && (tag === "" || bot.tags.includes(tag)),
  );
  return found.sort(COMPARE[order]);
}

/** All tags of these bots, sorted. */
export function tagsOf(bots: Bot[]): string[] {
  return [...new Set(bots.flatMap(({ tags }) => tags))].sort((one, other) => one.localeCompare(other));
}
