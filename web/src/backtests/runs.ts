/** The backtests of a bot, as queries. */
import { useMutation, useQueries, useQuery } from "@tanstack/react-query";
import { api, queries, type Schemas } from "@/api/client";
import { saveEdits } from "@/strategy/edits";
import { keepNewerBot, refreshBot } from "@/strategy/refreshing";
import { type Bot, revisionHeader } from "@/strategy/versions";

export type Summary = Schemas["BacktestSummary"];
export type Run = Schemas["BacktestView"];
export type Trade = Schemas["TradeView"];
/** The fields that are needed to fetch the results; the list has them before the run itself is loaded. */
export type Named = Pick<Run, "bot_id" | "run_id" | "status"> & {
  /** Of a run on many tokens: the one whose candles and trades are asked for. */
  token_id?: string;
};

/** The polling interval while there is no stream of events. */
export const ASK_EVERY = 30_000;
const TRADES_A_PAGE = 100;
export const MOST_TRADES = 2000;
/** If there are more candles, the server merges them to at most this many. */
export const CANDLES_DRAWN = 2000;

export function isGoing({ status }: { status: Run["status"] }): boolean {
  return status === "pending" || status === "running";
}

/** Whether the end, the verdict or the test on other tokens is still missing. */
function isAwaited(run: Run): boolean {
  if (isGoing(run)) return true;
  if (run.status !== "completed" || run.verdict_error) return false;
  return !run.verdict || run.verdict.other_tokens_pending;
}

export function useBacktests(botId: string | null) {
  return queries.useQuery(
    "get",
    "/api/bots/{bot_id}/backtests",
    { params: { path: { bot_id: botId ?? "" } } },
    {
      enabled: botId !== null,
      refetchInterval: ({ state }) => (state.data?.backtests.some(isGoing) ? ASK_EVERY : false),
    },
  );
}

/** All backtests of the bot, newest first: those of the first page until the older ones are here too. */
export function useAllBacktests(botId: string) {
  const first = useBacktests(botId);
  const pages = first.data?.total_pages ?? 1;
  const older = useQueries({
    queries: Array.from({ length: Math.max(0, pages - 1) }, (_, i) =>
      queries.queryOptions("get", "/api/bots/{bot_id}/backtests", {
        params: { path: { bot_id: botId }, query: { page: i + 2 } },
      }),
    ),
  });
  const known = [first, ...older].flatMap(({ data }) => data?.backtests ?? []);
  const error = first.data ? (older.find((page) => page.error)?.error ?? null) : first.error;
  // A run that was started in between moves the last one of a page to the next.
  const runs = first.data && [...new Map(known.map((run) => [run.run_id, run])).values()];
  return { runs, total: first.data?.total_backtests ?? 0, error, refetch: () => void retry([first, ...older]) };
}

function retry(pages: { error: unknown; refetch: () => Promise<unknown> }[]) {
  return Promise.all(pages.filter(({ error }) => error).map(({ refetch }) => refetch()));
}

export function useBacktest(botId: string, runId: string | null) {
  return queries.useQuery(
    "get",
    "/api/bots/{bot_id}/backtest/{run_id}",
    { params: { path: { bot_id: botId, run_id: runId ?? "" } } },
    {
      enabled: runId !== null,
      refetchInterval: ({ state }) => (state.data && isAwaited(state.data) ? ASK_EVERY : false),
    },
  );
}

/** Tests what is on the screen: unsaved edits of the strategy are saved first. */
export function useStart({ id: botId, revision }: Pick<Bot, "id" | "revision">, onStart?: () => void) {
  return useMutation({
    mutationFn: async (body: Schemas["BacktestRequest"]) => {
      const saved = await saveEdits(botId);
      const header = revisionHeader(saved?.revision ?? revision);
      return api.POST("/api/bots/{bot_id}/backtest", { params: { path: { bot_id: botId }, header }, body });
    },
    onError: keepNewerBot,
    onSuccess: async () => {
      onStart?.();
      await refreshBot(botId);
    },
  });
}

export function useStop(run: Pick<Run, "bot_id" | "run_id">) {
  const path = { bot_id: run.bot_id, run_id: run.run_id };
  return useMutation({
    mutationFn: () => api.POST("/api/bots/{bot_id}/backtest/{run_id}/stop", { params: { path } }),
    // Also if it had just finished by itself.
    onSettled: () => refreshBot(run.bot_id),
  });
}

export type Trades = { trades: Trade[]; total: number };

/** Every trade of a finished run, newest first; of very many, the newest ones. */
export function useTrades(run: Named | undefined) {
  const path = { bot_id: run?.bot_id ?? "", run_id: run?.run_id ?? "" };
  return useQuery({
    queryKey: ["get", "all trades", { params: { path } }, run?.status],
    enabled: run !== undefined && !isGoing(run),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => allTrades(path),
  });
}

/** Really every trade of a finished run; until the rest is here, the newest ones. */
export function useEveryTrade({ bot_id, run_id }: Named, newest: Trades): Trades {
  const path = { bot_id, run_id };
  const { data } = useQuery({
    queryKey: ["get", "every trade", { params: { path } }],
    enabled: newest.trades.length < newest.total,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => allTrades(path, Number.POSITIVE_INFINITY),
  });
  return data ?? newest;
}

async function allTrades(path: { bot_id: string; run_id: string }, most = MOST_TRADES): Promise<Trades> {
  const read = async (page: number) => {
    const params = { path, query: { page, per_page: TRADES_A_PAGE } };
    const { data } = await api.GET("/api/bots/{bot_id}/backtest/{run_id}/trades", { params });
    return data as Schemas["TradesPage"];
  };
  const first = await read(1);
  const last = first.total_pages;
  const earliest = Math.max(2, last - most / TRADES_A_PAGE + 1);
  const rest = await Promise.all(
    Array.from({ length: Math.max(0, last - earliest + 1) }, (_, i) => read(earliest + i)),
  );
  const pages = earliest > 2 ? rest : [first, ...rest];
  return { trades: pages.flatMap(({ trades }) => trades).reverse(), total: first.total_trades };
}

/** In unix seconds. */
export type Span = { start_time: number; end_time: number };

/** The series of a run's conditions at the candles that `useKlines` gives. */
export function useSeries(run: Named | undefined, span: Span | undefined, enabled: boolean) {
  return queries.useQuery(
    "get",
    "/api/bots/{bot_id}/backtest/{run_id}/series",
    {
      params: {
        path: { bot_id: run?.bot_id ?? "", run_id: run?.run_id ?? "" },
        query: { limit: CANDLES_DRAWN, from: span?.start_time, to: span?.end_time, token_id: run?.token_id },
      },
    },
    {
      enabled: enabled && run !== undefined && hasCandles(run),
      staleTime: Number.POSITIVE_INFINITY,
      placeholderData: (before, query) => (isOf(query?.queryKey, run) ? before : undefined),
    },
  );
}

/** Why one trade was made, with its stop and its target. `place` is that of the trade among those of the token. */
export function useRules(run: Named, place: number | null) {
  return queries.useQuery(
    "get",
    "/api/bots/{bot_id}/backtest/{run_id}/rules",
    {
      params: {
        path: { bot_id: run.bot_id, run_id: run.run_id },
        query: { page: place ?? 1, per_page: 1, token_id: run.token_id },
      },
    },
    { enabled: place !== null && hasCandles(run), staleTime: Number.POSITIVE_INFINITY },
  );
}

/** How the trades of a run rose and fell while they were held, and what slippage cost them. */
export function useCourses(run: Named | undefined) {
  return queries.useQuery(
    "get",
    "/api/bots/{bot_id}/backtest/{run_id}/courses",
    {
      params: {
        path: { bot_id: run?.bot_id ?? "", run_id: run?.run_id ?? "" },
        query: { token_id: run?.token_id },
      },
    },
    { enabled: run !== undefined && hasCandles(run), staleTime: Number.POSITIVE_INFINITY },
  );
}

function hasCandles(run: Named): boolean {
  return !isGoing(run) && run.status !== "failed";
}

/** The candles of a run, or of a part of its time; `keep` shows the part before until this one is here. */
export function useKlines(run: Named | undefined, span?: Span, keep = false) {
  return queries.useQuery(
    "get",
    "/api/bots/{bot_id}/backtest/{run_id}/klines",
    {
      params: {
        path: { bot_id: run?.bot_id ?? "", run_id: run?.run_id ?? "" },
        query: { limit: CANDLES_DRAWN, ...span, token_id: run?.token_id },
      },
    },
    {
      enabled: run !== undefined && hasCandles(run),
      staleTime: Number.POSITIVE_INFINITY,
      placeholderData: (before, query) => (keep && isOf(query?.queryKey, run) ? before : undefined),
    },
  );
}

/** Whether the query is about this run, and about the same token of many. */
function isOf(queryKey: unknown, run: Named | undefined): boolean {
  const text = JSON.stringify(queryKey ?? null);
  return run !== undefined && text.includes(run.run_id) && text.includes(run.token_id ?? "");
}

export const seconds = (moment: string) => Date.parse(moment) / 1000;
