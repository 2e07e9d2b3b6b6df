/** Moves from the first page to the workbench of the bot that was just made there. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { queries, queryClient } from "@/api/client";
import { answerIn, type Call } from "@/chat/answer";
import { conversationQuery } from "@/chat/records";
import type { Thread } from "@/chat/thread";
import { facts } from "@/chat/words";
import { useStore } from "@/kit/store";

const MAKE_BOTS = new Set(["create_bot", "update_trading_strategy", "set_bot"]);
/** The id of the conversation's place on the first page. */
export const BEGINNING = "beginning";
const MOST_MILLISECONDS = 600;

/** The bot that these calls have made or changed, once it has a strategy to show. */
export function botMadeBy(calls: readonly Call[]): string | null {
  const made = calls.findLast(
    ({ name, state, result }) =>
      MAKE_BOTS.has(name) && state === "done" && facts(result).strategy != null && facts(result).dry_run !== true,
  );
  const id = made && facts(facts(made.result).bot).id;
  return typeof id === "string" ? id : null;
}

/** The bot that a conversation has made, while it is being answered or since. */
export function useMadeBot(thread: Thread): string | null {
  const { conversationId, turns } = useStore(thread.state);
  const stored = useQuery({ ...conversationQuery(conversationId ?? ""), enabled: false });
  const kept = stored.data?.messages.flatMap((message) => answerIn(message).calls) ?? [];
  return botMadeBy([...kept, ...turns.flatMap((turn) => turn.answer.calls)]);
}

/** Opens the workbench as soon as there is a bot. The chat moves with it, even while an answer is written. */
export function useWalkToWorkbench(botId: string | null): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    if (!botId) return;
    let isLeft = false;
    void ready(botId).then(() => {
      if (!isLeft) walk(() => navigate(`/bots/${botId}`));
    });
    return () => {
      isLeft = true;
    };
  }, [botId, navigate]);
}

async function ready(botId: string): Promise<unknown> {
  return Promise.allSettled([
    import("@/screens/workbench/WorkbenchScreen"),
    queryClient.prefetchQuery(
      queries.queryOptions("get", "/api/bots/{bot_id}", { params: { path: { bot_id: botId } } }),
    ),
  ]);
}

function walk(go: () => void): void {
  if (!("startViewTransition" in document)) {
    go();
    return;
  }
  document.startViewTransition(async () => {
    go();
    await arrival();
  });
}

/** Waits until the workbench is shown, but not for long: the view transition freezes the first page meanwhile. */
async function arrival(): Promise<void> {
  const end = performance.now() + MOST_MILLISECONDS;
  const isUnderWay = () => document.getElementById(BEGINNING) || !document.querySelector("[aria-label=Chat]");
  while (isUnderWay() && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 16));
  }
}
