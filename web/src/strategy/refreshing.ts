import { announce } from "@/api/changes";
import { queries, queryClient, type Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";

/** After anything about a bot has changed, by form or by chat: whatever shows it, in any tab, reads it again. */
export async function refreshBot(botId: string): Promise<void> {
  await announce({ kind: "bot", id: botId });
}

export function botQuery(botId: string) {
  return queries.queryOptions("get", "/api/bots/{bot_id}", { params: { path: { bot_id: botId } } });
}

/** Show this state of the bot at once, unless a newer one is known. */
export function keepBot(bot: Schemas["BotView"]): void {
  queryClient.setQueryData<Schemas["BotView"]>(botQuery(bot.id).queryKey, (known) =>
    known && known.revision > bot.revision ? known : bot,
  );
}

/** A change that was refused because the bot has moved on says how it is now: that is shown at once. */
export function keepNewerBot(error: unknown): void {
  const { current } = problemOf(error);
  if (current) keepBot(current);
}
