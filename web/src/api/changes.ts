/**
 * What has changed on the server, told to everything that shows it: in this tab by reading it again, in other tabs of
 * the browser by a message. A stream of the server's events needs to call `notice` and nothing else.
 */
import type { Query } from "@tanstack/react-query";
import { queryClient } from "@/api/client";
import { session } from "@/session/store";

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

/** The lists of a bot's runs, and a run itself. What a finished run left behind never changes. */
const OF_RUNS = /}\/(backtests|simulations|optimisations|surveys)$/;
const OF_A_RUN = /\/(backtest|optimise|survey)\/{run_id}$|^simulation$/;
/** Milliseconds: what the screen shows is asked for first. */
const AFTER_THE_SCREEN = 500;
const CHANNEL = "strategybot.changes";
let channel: BroadcastChannel | null = null;

/** Read again whatever is on the screen about it. */
export async function notice(change: Change): Promise<void> {
  const predicate = (query: Query) => concerns(change, query);
  const firstRead = new Set(queryClient.getQueryCache().findAll({ predicate }).filter(isReadForTheFirstTime));
  await queryClient.invalidateQueries({ predicate });
  // A first answer that was on its way may be older than the change, and the line above does not ask for it again.
  if (firstRead.size > 0) await queryClient.invalidateQueries({ predicate: (query) => firstRead.has(query) });
}

function isReadForTheFirstTime({ state }: Query): boolean {
  return state.data === undefined && state.fetchStatus === "fetching";
}

/** For what this tab has changed: this tab and the others look again. */
export async function announce(change: Change): Promise<void> {
  channel?.postMessage(change);
  await notice(change);
}

/** For what this tab knows already: only the others look again. */
export function tellOtherTabs(change: Change): void {
  channel?.postMessage(change);
}

export function followChanges(): void {
  followEventsOnceKnown();
  if (!("BroadcastChannel" in window)) return;
  channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }) => void notice(data as Change));
}

/** Whoever has no token yet has nothing to follow. */
function followEventsOnceKnown(): void {
  const { accessToken, anonymousToken } = session.get();
  if (accessToken || anonymousToken) {
    setTimeout(() => void followLive(), AFTER_THE_SCREEN);
    return;
  }
  const ended = session.follow(() => {
    ended();
    followEventsOnceKnown();
  });
}

/** Once the browser is online, where it was not. */
async function followLive(): Promise<void> {
  try {
    const { followEvents } = await import("@/api/live");
    followEvents();
  } catch {
    addEventListener("online", () => void followLive(), { once: true });
  }
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
