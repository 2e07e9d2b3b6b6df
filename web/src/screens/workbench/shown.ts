import { useState } from "react";
import { useBacktest, useBacktests, useKlines, useTrades } from "@/backtests/runs";
import { usePlace } from "@/screens/workbench/place";
import { useSimulation, useSimulations } from "@/simulations/runs";

/**
 * The selected backtest with the data of its chart. Everything is fetched as soon as the list is loaded: one after another
 * would take twice as long.
 */
export function useShownBacktest(botId: string) {
  const [place] = usePlace();
  const list = useBacktests(botId);
  const newest = list.data?.backtests[0]?.run_id ?? null;
  const runId = place.run ?? newest;
  const backtest = useBacktest(botId, runId);
  const known = backtest.data ?? list.data?.backtests.find((run) => run.run_id === runId);
  const isMany = (known?.tokens_total ?? 1) > 1;
  useKlines(isMany ? undefined : known);
  return { list, newest, backtest, trades: useTrades(known) };
}

/** The selected simulation, or the newest. */
export function useShownSimulation(botId: string) {
  const [place] = usePlace();
  const { isLoading, data } = useSimulations(botId);
  const shown = useSimulation(botId, place.simulation ?? data?.simulations[0]?.run_id ?? null);
  return { ...shown, isLoading: isLoading || shown.isLoading };
}

/**
 * Whether it is known what the workbench shows first. Its tabs and its editor are below, and would move away when it comes.
 * Later runs change nothing: what is typed stays.
 */
export function useShownIsKnown(botId: string): boolean {
  const [{ tab }] = usePlace();
  const { list, backtest } = useShownBacktest(botId);
  const simulation = useShownSimulation(botId);
  const isLoading = list.isLoading || backtest.isLoading || (tab === "simulation" && simulation.isLoading);
  const [known, setKnown] = useState<string | null>(null);
  if (!isLoading && known !== botId) setKnown(botId);
  return known === botId;
}
