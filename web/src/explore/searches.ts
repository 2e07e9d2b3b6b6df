/** The searches and surveys of a bot, as queries. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { api, queries, type Schemas } from "@/api/client";
import { samePoolCosts } from "@/backtests/costs";
import { ASK_EVERY, isGoing } from "@/backtests/runs";
import { toast } from "@/design/Toast";
import type { Search, Variant } from "@/explore/grid";
import { isSame, saveEdits } from "@/strategy/edits";
import { keepBot, keepNewerBot, refreshBot } from "@/strategy/refreshing";
import { type Bot, revisionHeader, type Strategy } from "@/strategy/versions";

export type SearchSummary = Schemas["OptimisationSummary"];
export type Survey = Schemas["SurveyView"];
export type SurveySummary = Schemas["SurveySummary"];

const VARIANTS_A_PAGE = 5000;

export function useSearches(botId: string) {
  return queries.useQuery(
    "get",
    "/api/bots/{bot_id}/optimisations",
    { params: { path: { bot_id: botId } } },
    { refetchInterval: ({ state }) => (state.data?.optimisations.some(isGoing) ? ASK_EVERY : false) },
  );
}

export function useSearch(botId: string, runId: string | null) {
  return queries.useQuery(
    "get",
    "/api/bots/{bot_id}/optimise/{run_id}",
    { params: { path: { bot_id: botId, run_id: runId ?? "" } } },
    {
      enabled: runId !== null,
      refetchInterval: ({ state }) => (state.data && isAwaited(state.data) ? ASK_EVERY : false),
    },
  );
}

/** Whether the search is not finished, or its verdict still waits for the other tokens. */
function isAwaited(search: Search): boolean {
  return isGoing(search) || (search.verdict?.other_tokens_pending ?? false);
}

/** All variants of a search that has ended, by number. */
export function useVariants(search: Search) {
  const path = { bot_id: search.bot_id, run_id: search.run_id };
  return useQuery({
    queryKey: ["get", "all variants", { params: { path } }, search.status],
    enabled: !isGoing(search) && search.details_kept && search.variants_done > 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async (): Promise<Variant[]> => {
      const pages = Math.ceil(search.variants_total / VARIANTS_A_PAGE);
      const read = async (page: number) => {
        const params = { path, query: { page, per_page: VARIANTS_A_PAGE } };
        const { data } = await api.GET("/api/bots/{bot_id}/optimise/{run_id}/variants", { params });
        return (data as Schemas["VariantsPage"]).variants;
      };
      const found = await Promise.all(Array.from({ length: pages }, (_, i) => read(i + 1)));
      return found.flat();
    },
  });
}

/** Starts a search of the strategy on the screen: unsaved edits are saved first. */
export function useStartSearch(botId: string, onStart: (runId: string) => void) {
  return useMutation({
    mutationFn: async (body: Schemas["OptimiseRequest"]) => {
      await saveEdits(botId);
      const { data } = await api.POST("/api/bots/{bot_id}/optimise", { params: { path: { bot_id: botId } }, body });
      return data as Search;
    },
    onSuccess: async ({ run_id }) => {
      onStart(run_id);
      await refreshBot(botId);
    },
  });
}

type Named = { bot_id: string; run_id: string };

export function useStopSearch({ bot_id, run_id }: Named) {
  return useMutation({
    mutationFn: () => api.POST("/api/bots/{bot_id}/optimise/{run_id}/stop", { params: { path: { bot_id, run_id } } }),
    // Also when it had just finished by itself.
    onSettled: () => refreshBot(bot_id),
  });
}

/** Writes a strategy as the bot's next revision, unless it has it already. Refused if the bot is no longer the one shown. */
async function apply(bot: Bot, strategy: Strategy): Promise<number> {
  if (isSame(bot.strategy, strategy)) return bot.revision;
  const { data } = await api.PATCH("/api/bots/{bot_id}", {
    params: { path: { bot_id: bot.id }, header: revisionHeader(bot.revision) },
    body: { strategy },
  });
  keepBot(data as Bot);
  return (data as Bot).revision;
}

export function useApply(bot: Bot) {
  return useMutation({
    mutationFn: (strategy: Strategy) => apply(bot, strategy),
    onSuccess: (revision) => toast(`Applied as revision ${revision}`),
    onError: keepNewerBot,
    onSettled: () => refreshBot(bot.id),
  });
}

/** Applies a variant and runs a backtest of it on the candles of its search. */
export function useTestVariant(bot: Bot, search: Search, onStart: () => void) {
  const { token, chain, kline_interval, start_time, end_time, initial_cash, fee_percent, slippage_percent } = search;
  return useMutation({
    mutationFn: async (strategy: Strategy) => {
      const header = revisionHeader(await apply(bot, strategy));
      const costs = { initial_cash, fee_percent, slippage_percent, ...samePoolCosts(search.costs) };
      const body = { token, chain, kline_interval, start_time, end_time, ...costs };
      return api.POST("/api/bots/{bot_id}/backtest", { params: { path: { bot_id: bot.id }, header }, body });
    },
    onSuccess: onStart,
    onError: keepNewerBot,
    onSettled: () => refreshBot(bot.id),
  });
}

export function useSurveys(botId: string) {
  return queries.useQuery(
    "get",
    "/api/bots/{bot_id}/surveys",
    { params: { path: { bot_id: botId } } },
    { refetchInterval: ({ state }) => (state.data?.surveys.some(isGoing) ? ASK_EVERY : false) },
  );
}

export function useSurvey(botId: string, runId: string | null) {
  return queries.useQuery(
    "get",
    "/api/bots/{bot_id}/survey/{run_id}",
    { params: { path: { bot_id: botId, run_id: runId ?? "" } } },
    {
      enabled: runId !== null,
      refetchInterval: ({ state }) => (state.data && isGoing(state.data) ? ASK_EVERY : false),
    },
  );
}

export function useStartSurvey(botId: string, onStart: (runId: string) => void) {
  return useMutation({
    mutationFn: async (body: Schemas["SurveyRequest"]) => {
      await saveEdits(botId);
      const { data } = await api.POST("/api/bots/{bot_id}/survey", { params: { path: { bot_id: botId } }, body });
      return data as Survey;
    },
    onSuccess: async ({ run_id }) => {
      onStart(run_id);
      await refreshBot(botId);
    },
  });
}

export function useStopSurvey({ bot_id, run_id }: Named) {
  return useMutation({
    mutationFn: () => api.POST("/api/bots/{bot_id}/survey/{run_id}/stop", { params: { path: { bot_id, run_id } } }),
    onSettled: () => refreshBot(bot_id),
  });
}
