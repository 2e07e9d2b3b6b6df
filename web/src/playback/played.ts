/** The run that is being played: until its end, whatever else shows the run shows no more than has happened. */
import { useSyncExternalStore } from "react";
import { type Run, seconds, type Trades } from "@/backtests/runs";
import { Store, useStore } from "@/kit/store";
import type { SoFar } from "@/playback/scene";

export type Played = SoFar & { runId: string; clock: number; atEnd: boolean };

export const played = new Store<Played | null>(null);

/** What has happened of this run, if it is being played. */
export function useSoFar(runId: string): Played | null {
  const now = useStore(played);
  return now?.runId === runId ? now : null;
}

/** The id of the run whose outcome is hidden: it is being played and not at its end. */
export function useHiddenRun(): string | null {
  return useSyncExternalStore(played.follow, hiddenRun);
}

function hiddenRun(): string | null {
  const now = played.get();
  return now && !now.atEnd ? now.runId : null;
}

/** The trades that were closed by then. It is the same object as long as there are as many. */
export function useTradesSoFar({ run_id }: Pick<Run, "run_id">, trades: Trades): Trades {
  const closed = useSyncExternalStore(played.follow, () => {
    const now = played.get();
    return now?.runId === run_id && !now.atEnd ? closedBy(trades, now.clock) : trades.trades.length;
  });
  const hidden = trades.trades.length - closed;
  return hidden === 0 ? trades : { trades: trades.trades.slice(hidden), total: trades.total - hidden };
}

/** How many of the trades, which are newest first, were closed by then. */
function closedBy({ trades }: Trades, clock: number): number {
  const newest = trades.findIndex((trade) => seconds(trade.exit_time) <= clock);
  return newest < 0 ? 0 : trades.length - newest;
}
