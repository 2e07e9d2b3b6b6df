/** The simulations of a bot, as queries. */
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, queries, queryClient, type Schemas } from "@/api/client";
import type { ChartData } from "@/chart/Drawing";
import type { Rules } from "@/chart/RuleLines";
import type { TradeLine } from "@/chart/TradeLines";
import { useSession } from "@/session/store";
import { joined, lastSeen, type OnToken, type Simulation, walked } from "@/simulations/following";
import { saveEdits } from "@/strategy/edits";
import { keepNewerBot, refreshBot } from "@/strategy/refreshing";
import { type Bot, revisionHeader } from "@/strategy/versions";

/** The polling interval while there is no stream of events. */
const ASK_EVERY = 30_000;

type LogEntry = Schemas["LogEntryView"];

/** Newest first. Visitors have none. */
export function useSimulations(botId: string) {
  const { accessToken } = useSession();
  return queries.useQuery(
    "get",
    "/api/bots/{bot_id}/simulations",
    { params: { path: { bot_id: botId } } },
    {
      enabled: accessToken !== null,
      refetchInterval: ({ state }) => (state.data?.simulations[0]?.status === "running" ? ASK_EVERY : false),
    },
  );
}

const keyOf = (botId: string, runId: string, tokenId?: string) => [
  "get",
  "simulation",
  { params: { path: { bot_id: botId, run_id: runId }, ...(tokenId && { query: { token_id: tokenId } }) } },
];

/** `tokenId` says whose candles it has, where the run trades many tokens; those of the first without it. */
export function simulationQuery(botId: string, runId: string, tokenId?: string) {
  const queryKey = keyOf(botId, runId, tokenId);
  return queryOptions({
    queryKey,
    queryFn: () => readOn({ botId, runId, tokenId }, queryClient.getQueryData<Simulation>(queryKey)),
    refetchInterval: ({ state }) => (state.data?.status === "running" ? ASK_EVERY : false),
  });
}

export function useSimulation(botId: string, runId: string | null, tokenId?: string) {
  return useQuery({ ...simulationQuery(botId, runId ?? "", tokenId), enabled: runId !== null });
}

/** For a simulation that has ended: nothing else refetches it. */
export function refreshSimulation({ bot_id, run_id }: Pick<Simulation, "bot_id" | "run_id">): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keyOf(bot_id, run_id) });
}

type Asked = { botId: string; runId: string; tokenId: string | undefined };

async function readOn({ botId, runId, tokenId }: Asked, known: Simulation | undefined): Promise<Simulation> {
  const since = known && lastSeen(known);
  const { data } = await api.GET("/api/bots/{bot_id}/simulate/{run_id}", {
    params: { path: { bot_id: botId, run_id: runId }, query: { since, token_id: tokenId } },
  });
  const news = data as Simulation;
  return known && since !== undefined ? joined(known, news) : news;
}

/** Simulates what is on the screen: unsaved edits of the strategy are saved first. */
export function useStart({ id: botId, revision }: Pick<Bot, "id" | "revision">, onStart: (run: Simulation) => void) {
  return useMutation({
    mutationFn: async (body: Schemas["SimulationRequest"]) => {
      const saved = await saveEdits(botId);
      const header = revisionHeader(saved?.revision ?? revision);
      const path = { bot_id: botId };
      const { data } = await api.POST("/api/bots/{bot_id}/simulate", { params: { path, header }, body });
      return data as Simulation;
    },
    onError: keepNewerBot,
    onSuccess: async (run) => {
      queryClient.setQueryData(keyOf(botId, run.run_id), run);
      onStart(run);
      await refreshBot(botId);
    },
  });
}

export type Change = "pause" | "resume" | "stop";

export function useChange({ bot_id, run_id }: Pick<Simulation, "bot_id" | "run_id">) {
  return useMutation({
    mutationFn: (change: Change) =>
      api.POST(`/api/bots/{bot_id}/simulate/{run_id}/${change}`, { params: { path: { bot_id, run_id } } }),
    onSuccess: () => refreshBot(bot_id),
  });
}

export function useParity({ bot_id, run_id }: Pick<Simulation, "bot_id" | "run_id">) {
  return useMutation({
    mutationFn: async () => {
      const { data } = await api.GET("/api/bots/{bot_id}/simulate/{run_id}/parity", {
        params: { path: { bot_id, run_id } },
      });
      return data as Schemas["ParityView"];
    },
  });
}

export function useChartData(run: OnToken | undefined): ChartData | null {
  return useMemo(() => (run ? chartData(run) : null), [run]);
}

/** The buys and sales; of many tokens, those of the one that is drawn. */
function movesOf({ trade_log, token_id }: Pick<OnToken, "trade_log" | "token_id">): LogEntry[] {
  return trade_log.filter((entry) => entry.action !== "HOLD" && (!token_id || entry.token_id === token_id));
}

export function chartData(run: OnToken): ChartData {
  const moves = movesOf(run);
  return {
    ...walked(run),
    fills: moves.map(({ time, action, reason }) => ({ time, side: action === "BUY" ? "buy" : "sell", why: reason })),
    trades: tradeLines(moves, run.costs?.can_be_sold !== false),
    curves: null,
    rules: openRules(run),
  };
}

/** The average price and the levels of the position. Earlier levels are not known here. */
function openRules(run: OnToken): Rules[] {
  const { next_exit, portfolio, trade_log, klines } = run;
  const [first, last] = [klines[0]?.time, trade_log.at(-1)?.time];
  if (portfolio.entry_price === null || first === undefined || last === undefined) return [];
  const moves = movesOf(run);
  const bought = positionsIn(moves).at(-1)?.[0]?.time ?? first;
  const lastMove = moves.at(-1)?.time ?? first;
  const limitOf = (...names: string[]) => next_exit.find(({ condition }) => names.includes(condition))?.limit ?? null;
  const [fixed, moving] = [limitOf("stop loss"), limitOf("trailing stop", "break even")];
  const stop = fixed ?? moving;
  const ladder = limitOf("ladder");
  return [
    {
      number: 0,
      entry_decided_at: bought,
      entry_filled_at: bought,
      entry_price: portfolio.entry_price,
      exit_decided_at: null,
      exit_filled_at: null,
      entry: [],
      exit: [],
      stop: stop === null ? [] : [{ time: fixed === null ? last : lastMove, price: stop }],
      target: limitOf("take profit"),
      average: [],
      targets: [],
      ladder: ladder === null ? [] : [{ time: lastMove, price: ladder }],
      fills: [],
    },
  ];
}

/** What is left of a position that was sold in parts, of all that was bought, by rounding. */
const ROUNDING = 1e-9;

/** The buys and sales of each position, as far as the log has them; the last one may be open. */
function positionsIn(moves: LogEntry[]): LogEntry[][] {
  const positions: LogEntry[][] = [];
  let [held, bought] = [0, 0];
  for (const move of moves) {
    if (held <= ROUNDING * bought) {
      positions.push([]);
      [held, bought] = [0, 0];
    }
    positions.at(-1)?.push(move);
    const quantity = move.quantity ?? 1; // null where a number is too large for JSON
    held += move.action === "BUY" ? quantity : -quantity;
    bought += move.action === "BUY" ? quantity : 0;
  }
  return positions;
}

/** Each sale with the first purchase of its position, at the average price of what was held. */
function tradeLines(moves: LogEntry[], canBeSold: boolean): TradeLine[] {
  return positionsIn(moves).flatMap(([purchase, ...rest]) =>
    rest.flatMap((sale) => {
      const entryPrice = sale.entry_price ?? purchase?.price ?? null;
      if (sale.action !== "SELL" || purchase?.action !== "BUY" || entryPrice === null || sale.price === null) return [];
      return {
        number: sale.number,
        entryTime: purchase.time,
        entryPrice,
        exitTime: sale.time,
        exitPrice: sale.price,
        won: (sale.pnl ?? 0) > 0 && canBeSold,
      };
    }),
  );
}
