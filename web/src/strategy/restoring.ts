import { useMutation } from "@tanstack/react-query";
import { api } from "@/api/client";
import { toast } from "@/design/Toast";
import { keepBot, keepNewerBot, refreshBot } from "@/strategy/refreshing";
import { type Bot, revisionHeader } from "@/strategy/versions";

/** Brings an earlier revision back as a new one. Refused if the bot is no longer the one on the screen. */
export function useRestore(bot: Bot) {
  return useMutation({
    mutationFn: async (revision: number) => {
      const { data } = await api.POST("/api/bots/{bot_id}/revisions/{revision}/restore", {
        params: { path: { bot_id: bot.id, revision }, header: revisionHeader(bot.revision) },
      });
      if (data) keepBot(data);
    },
    onSuccess: (_, revision) => toast(`Revision ${revision} is back`),
    onError: keepNewerBot,
    onSettled: () => refreshBot(bot.id),
  });
}
