import { useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { hasOtherRules, oldWords } from "@/backtests/OldResult";
import { useBacktest, useBacktests } from "@/backtests/runs";
import { botQuery } from "@/strategy/refreshing";

/** The id of the bot that a chat is about. */
export const BotOfChat = createContext<string | undefined>(undefined);

type Found = { run_id?: unknown; strategy_revision?: unknown };

/** The words below a backtest that a tool has found, if it is of the chat's bot and the bot has other rules now. */
export function useOldRun({ run_id, strategy_revision }: Found): string | null {
  const botId = useContext(BotOfChat);
  const isRun = botId !== undefined && typeof strategy_revision === "number";
  const { data: bot } = useQuery({ ...botQuery(botId ?? ""), enabled: isRun });
  const listed = useBacktests(isRun ? botId : null).data?.backtests.some((run) => run.run_id === run_id);
  const isOlder = isRun && listed && bot?.revision !== strategy_revision;
  const { data: run } = useBacktest(botId ?? "", isOlder ? String(run_id) : null);
  return bot && run && hasOtherRules(bot, run) ? `${oldWords(run)}.` : null;
}
