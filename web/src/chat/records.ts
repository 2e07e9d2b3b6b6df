/** What the server keeps of conversations and bots, as the queries know it. */
import { queries, queryClient, type Schemas } from "@/api/client";

export function conversationQuery(conversationId: string) {
  return queries.queryOptions("get", "/api/conversations/{conversation_id}", {
    params: { path: { conversation_id: conversationId } },
  });
}

export function keepConversation(conversation: Schemas["ConversationView"]): void {
  queryClient.setQueryData(conversationQuery(conversation.id).queryKey, conversation);
}

/** Whatever shows bots, their runs or the list of conversations looks again. */
export function lookAgain(...paths: string[]): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => paths.some((path) => String(queryKey[1]).startsWith(path)),
  });
}
