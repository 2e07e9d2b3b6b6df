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
