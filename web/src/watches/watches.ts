/** The watches of a bot, as queries. */
import { useMutation } from "@tanstack/react-query";
import { api, queries, type Schemas } from "@/api/client";
import { ASK_EVERY } from "@/backtests/runs";
import { saveEdits } from "@/strategy/edits";
import { refreshBot } from "@/strategy/refreshing";

export type Watch = Schemas["WatchView"];
export type WatchSummary = Schemas["WatchSummary"];

/** Newest first. */
export function useWatches(botId: string) {
  return queries.useQuery("get", "/api/bots/{bot_id}/watches", { params: { path: { bot_id: botId } } });
}

export function useWatch(botId: string, runId: string | null) {
  return queries.useQuery(
    "get",
    "/api/bots/{bot_id}/watch/{run_id}",
    { params: { path: { bot_id: botId, run_id: runId ?? "" } } },
    {
      enabled: runId !== null,
      refetchInterval: ({ state }) => (state.data?.status === "running" ? ASK_EVERY : false),
    },
  );
}

export function useStartWatch(botId: string, onStart: (runId: string) => void) {
  return useMutation({
    mutationFn: async (body: Schemas["WatchRequest"]) => {
      await saveEdits(botId);
      const { data } = await api.POST("/api/bots/{bot_id}/watch", { params: { path: { bot_id: botId } }, body });
      return data as Watch;
    },
    onSuccess: async ({ run_id }) => {
      onStart(run_id);
      await refreshBot(botId);
    },
  });
}

export function useStopWatch({ bot_id, run_id }: Watch) {
  return useMutation({
    mutationFn: () => api.POST("/api/bots/{bot_id}/watch/{run_id}/stop", { params: { path: { bot_id, run_id } } }),
    onSettled: () => refreshBot(bot_id),
  });
}
