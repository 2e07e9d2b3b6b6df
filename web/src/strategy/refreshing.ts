import { announce } from "@/api/changes";
import { queries, queryClient, type Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";

/** Refetches everything that shows a bot, in all tabs, after a change by form or by chat. */
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

/** A change that is refused because the bot has a newer strategy returns the current bot, which is shown at once. */
export function keepNewerBot(error: unknown): void {
  const { current } = problemOf(error);
  if (current) keepBot(current);
}
