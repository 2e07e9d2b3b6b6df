/** Refetches the queries of conversations and bots. */
import { announce, tellOtherTabs } from "@/api/changes";
import { queries, queryClient, type Schemas } from "@/api/client";

export function conversationQuery(conversationId: string) {
  return queries.queryOptions("get", "/api/conversations/{conversation_id}", {
    params: { path: { conversation_id: conversationId } },
  });
}

export function keepConversation(conversation: Schemas["ConversationView"]): void {
  const { queryKey } = conversationQuery(conversation.id);
  const isBeingRead = queryClient.isFetching({ queryKey }) > 0;
  queryClient.setQueryData(queryKey, conversation);
  // What is on its way may be older than this: it is read anew instead.
  if (isBeingRead) void queryClient.invalidateQueries({ queryKey });
  tellOtherTabs({ kind: "conversation", id: conversation.id });
}

/** Refetches everything that shows bots or their runs. */
export function refreshBots(): void {
  void announce({ kind: "bots" });
}

/** Refetches the list of conversations, but not the conversations, which are up to date. */
export function refreshConversations(): void {
  void queryClient.invalidateQueries({ queryKey: ["get", "/api/conversations"] });
}
