/** The backtests of a bot, as queries. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, queries, type Schemas } from "@/api/client";
import { curves } from "@/chart/curves";
import type { ChartData } from "@/chart/Drawing";
import { refreshBot } from "@/strategy/refreshing";
import { REASONS } from "@/strategy/words";

export type Summary = Schemas["BacktestSummary"];
export type Run = Schemas["BacktestView"];
export type Trade = Schemas["TradeView"];

const ASK_EVERY = 500;
const CANDLES_DRAWN = 2000;
const TRADES_A_PAGE = 100;
export const MOST_TRADES = 2000;

export function isGoing({ status }: { status: Run["status"] }): boolean {
  return status === "pending" || status === "running";
}

export function useBacktests(botId: string) {
  return queries.useQuery(
    "get",
    "/api/bots/{bot_id}/backtests",
    { params: { path: { bot_id: botId } } },
    { refetchInterval: ({ state }) => (state.data?.backtests.some(isGoing) ? 2 * ASK_EVERY : false) },
  );
}

export function useBacktest(botId: string, runId: string | null) {
  return queries.useQuery(
    "get",
    "/api/bots/{bot_id}/backtest/{run_id}",
    { params: { path: { bot_id: botId, run_id: runId ?? "" } } },
    {
      enabled: runId !== null,
      refetchInterval: ({ state }) => (state.data && isGoing(state.data) ? ASK_EVERY : false),
    },
  );
}

export function useStart(botId: string, onStart: () => void) {
  return useMutation({
    mutationFn: (body: Schemas["BacktestRequest"]) =>
      api.POST("/api/bots/{bot_id}/backtest", { params: { path: { bot_id: botId } }, body }),
    onSuccess: async () => {
      onStart();
      await refreshBot(botId);
    },
  });
}

export function useStop(run: Pick<Run, "bot_id" | "run_id">) {
  const path = { bot_id: run.bot_id, run_id: run.run_id };
  return useMutation({
    mutationFn: () => api.POST("/api/bots/{bot_id}/backtest/{run_id}/stop", { params: { path } }),
    // Also when it had just finished by itself.
    onSettled: () => refreshBot(run.bot_id),
  });
}

export type Trades = { trades: Trade[]; total: number };

/** Every trade of a finished run, newest first; of very many, the newest ones. */
export function useTrades(run: Run | undefined) {
  const path = { bot_id: run?.bot_id ?? "", run_id: run?.run_id ?? "" };
  return useQuery({
    queryKey: ["get", "all trades", { params: { path } }, run?.status],
    enabled: run !== undefined && !isGoing(run),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => allTrades(path),
  });
}

async function allTrades(path: { bot_id: string; run_id: string }): Promise<Trades> {
  const read = async (page: number) => {
    const params = { path, query: { page, per_page: TRADES_A_PAGE } };
    const { data } = await api.GET("/api/bots/{bot_id}/backtest/{run_id}/trades", { params });
    return data as Schemas["TradesPage"];
  };
  const first = await read(1);
  const last = first.total_pages;
  const earliest = Math.max(2, last - MOST_TRADES / TRADES_A_PAGE + 1);
  const rest = await Promise.all(
    Array.from({ length: Math.max(0, last - earliest + 1) }, (_, i) => read(earliest + i)),
  );
  const pages = earliest > 2 ? rest : [first, ...rest];
  return { trades: pages.flatMap(({ trades }) => trades).reverse(), total: first.total_trades };
}

export function useKlines(run: Run | undefined) {
  return queries.useQuery(
    "get",
    "/api/bots/{bot_id}/backtest/{run_id}/klines",
    {
      params: {
        path: { bot_id: run?.bot_id ?? "", run_id: run?.run_id ?? "" },
        query: { limit: CANDLES_DRAWN },
      },
    },
    { enabled: run !== undefined && !isGoing(run) && run.status !== "failed", staleTime: Number.POSITIVE_INFINITY },
  );
}

const seconds = (moment: string) => Date.parse(moment) / 1000;

/** What the chart of a run shows. */
export function useChartData(
  run: Run | undefined,
  klines: Schemas["Kline"][] | undefined,
  trades: Trade[] | undefined,
) {
  return useMemo(() => (run && klines && trades ? chartData(run, klines, trades) : null), [run, klines, trades]);
}

export function chartData(run: Run, candles: Schemas["Kline"][], newestFirst: Trade[]): ChartData {
  const trades = newestFirst.toReversed();
  const open = run.open_position;
  return {
    candles,
    fills: [
      ...trades.flatMap((trade) => [
        { time: seconds(trade.entry_time), side: "buy" as const, why: trade.entry_reason },
        { time: seconds(trade.exit_time), side: "sell" as const, why: REASONS[trade.exit_reason] },
      ]),
      ...(open ? [{ time: seconds(open.entry_time), side: "buy" as const, why: open.entry_reason }] : []),
    ].sort((one, other) => one.time - other.time),
    trades: trades.flatMap((trade) =>
      trade.entry_price === null || trade.exit_price === null
        ? []
        : {
            number: trade.number,
            entryTime: seconds(trade.entry_time),
            entryPrice: trade.entry_price,
            exitTime: seconds(trade.exit_time),
            exitPrice: trade.exit_price,
            won: (trade.pnl ?? 0) > 0,
          },
    ),
    curves: run.equity_curve ? curves(candles, run.equity_curve, run) : null,
  };
}

/** Where a trade lies on the chart. */
export function stretchOf(trade: Trade) {
  return { number: trade.number, from: seconds(trade.entry_time), to: seconds(trade.exit_time) };
}
