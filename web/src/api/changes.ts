/**
 * Updates everything that shows changed data: queries of this tab are refetched, other tabs of the browser get a
 * message. The stream of the server's events only needs to call `notice`.
 */
import type { Query } from "@tanstack/react-query";
import { queryClient } from "@/api/client";

export type Change =
  | { kind: "bot"; id: string }
  | { kind: "bots" }
  | { kind: "conversation"; id: string }
  | { kind: "run"; botId: string; runId: string }
  | { kind: "notifications" }
  | { kind: "live runs" }
  | { kind: "everything" };
type Keyed = { params?: { path?: { bot_id?: string; run_id?: string; conversation_id?: string } } };
type Run = { status?: string } | null;
type Question = [unknown, unknown, unknown];

/** The lists of a bot's runs, and a run itself. The results of a finished run never change. */
const OF_RUNS = /}\/(backtests|simulations|optimisations|surveys|watches)$/;
const OF_A_RUN = /\/(backtest|optimise|survey|watch)\/{run_id}$|^simulation$/;
const CHANNEL = "strategybot.changes";
let channel: BroadcastChannel | null = null;

/** Refetches the queries on the screen that show it. */
export async function notice(change: Change): Promise<void> {
  const predicate = (query: Query) => concerns(change, query);
  const firstRead = new Set(queryClient.getQueryCache().findAll({ predicate }).filter(isReadForTheFirstTime));
  await queryClient.invalidateQueries({ predicate });
  // A first response that is under way may be older than the change, and the line above does not refetch it.
  if (firstRead.size > 0) await queryClient.invalidateQueries({ predicate: (query) => firstRead.has(query) });
}

function isReadForTheFirstTime({ state }: Query): boolean {
  return state.data === undefined && state.fetchStatus === "fetching";
}

/** For a change of this tab: this tab and the others refetch. */
export async function announce(change: Change): Promise<void> {
  channel?.postMessage(change);
  await notice(change);
}

/** For a change that this tab shows already: only the other tabs refetch. */
export function tellOtherTabs(change: Change): void {
  channel?.postMessage(change);
}

export function followOtherTabs(): void {
  if (!("BroadcastChannel" in window)) return;
  channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }) => void notice(data as Change));
}

function concerns(change: Change, { queryKey, state }: Query): boolean {
  const [, path, init] = queryKey as Question;
  const ids = (init as Keyed | undefined)?.params?.path;
  switch (change.kind) {
    case "bot":
      return path === "/api/bots" || ids?.bot_id === change.id;
    case "bots":
      return String(path).startsWith("/api/bots") || ids?.bot_id !== undefined;
    case "conversation":
      return path === "/api/conversations" || ids?.conversation_id === change.id;
    case "run":
      return (
        (OF_A_RUN.test(String(path)) && ids?.run_id === change.runId) ||
        (OF_RUNS.test(String(path)) && ids?.bot_id === change.botId)
      );
    case "notifications":
      return path === "/api/notifications";
    case "live runs":
      return state.data === undefined ? isOfRuns(path) : hasLiveRun(state.data);
    case "everything":
      return /^\/api\/(bots|notifications)/.test(String(path)) || OF_A_RUN.test(String(path));
  }
}

function isOfRuns(path: unknown): boolean {
  return OF_RUNS.test(String(path)) || OF_A_RUN.test(String(path));
}

/** Whether this is a run that is not finished, or a page with one. */
function hasLiveRun(data: unknown): boolean {
  const runs = [data, ...Object.values(data ?? {}).flat()] as Run[];
  return runs.some((run) => run?.status === "pending" || run?.status === "running");
}
