/** The state of the workbench in the address, so that a reload or a link restores it. */
import { useCallback } from "react";
import { useSearchParams } from "wouter";

export const TABS = ["backtests", "simulation", "watch", "trades", "explore", "revisions"] as const;
export type TabName = (typeof TABS)[number];
/**
 * `run` and `simulation` are the ids of those shown; null is the newest. `token` and `paperToken` are the ids of those whose chart
 * is shown, of the many tokens of the backtest and of the simulation.
 */
export type Place = {
  tab: TabName;
  run: string | null;
  simulation: string | null;
  token: string | null;
  paperToken: string | null;
};

export function usePlace(): [Place, (part: Partial<Place>) => void] {
  const [search, setSearch] = useSearchParams();
  const tab = TABS.find((name) => name === search.get("tab")) ?? "backtests";
  const go = useCallback(
    (part: Partial<Place>) => {
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(part)) {
            if (value) next.set(name, value);
            else next.delete(name);
          }
          return next;
        },
        { replace: true },
      );
    },
    [setSearch],
  );
  return [
    {
      tab,
      run: search.get("run"),
      simulation: search.get("simulation"),
      token: search.get("token"),
      paperToken: search.get("paperToken"),
    },
    go,
  ];
}
