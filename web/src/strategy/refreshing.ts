import { queryClient } from "@/api/client";

type Keyed = { params?: { path?: { bot_id?: string } } };

/** After anything about a bot has changed, by form or by chat: whatever is on the screen about it is read again. */
export async function refreshBot(botId: string): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [, path, init] }) =>
      path === "/api/bots" || (init as Keyed | undefined)?.params?.path?.bot_id === botId,
  });
}
