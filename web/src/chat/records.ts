/** What the server keeps of conversations and bots, as the queries know it. */
import { announce, tellOtherTabs } from "@/api/changes";
import { queries, queryClient, type Schemas } from "@/api/client";

export function conversationQuery(conversationId: string) {
  return queries.queryOptions("get", "/api/conversations/{conversation_id}", {
    params: { path: { conversation_id: conversationId } },
  });
}

export function keepConversation(conversation: Schemas["ConversationView"]): void {
  queryClient.setQueryData(conversationQuery(conversation.id).queryKey, conversation);
  tellOtherTabs({ kind: "conversation", id: conversation.id });
}

/** Whatever shows bots or their runs looks again. */
export function refreshBots(): void {
  void announce({ kind: "bots" });
}

/** The list of conversations looks again; not the conversations, which know best what was said in them. */
export function refreshConversations(): void {
  void queryClient.invalidateQueries({ queryKey: ["get", "/api/conversations"] });
}
