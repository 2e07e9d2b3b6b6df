import { queries } from "@/api/client";
import type { Call } from "@/chat/answer";
import { facts } from "@/chat/words";
import { Note } from "@/design/States";
import { ChangeNotice, type Version } from "@/strategy/Diff";
import type { Strategy } from "@/strategy/words";

type Change = { botId: string; before: Version; after: Version };

/** What a tool call changed in a strategy; null when it changed none. */
export function versionsIn(call: Call): Change | null {
  const result = facts(call.result);
  const botId = facts(result.bot).id;
  if (call.name !== "update_trading_strategy" || call.state !== "done") return null;
  if (typeof botId !== "string" || typeof result.revision !== "number") return null;
  return {
    botId,
    before: { revision: result.revision - 1, strategy: (result.before ?? null) as Strategy | null },
    after: { revision: result.revision, strategy: (result.strategy ?? null) as Strategy | null },
  };
}

/** A change made in the chat. The bot is asked for: only its newest change can be undone. */
export function StrategyChange({ botId, before, after }: Change) {
  const { data: bot } = queries.useQuery("get", "/api/bots/{bot_id}", { params: { path: { bot_id: botId } } });
  const warnings = bot?.revision === after.revision ? (bot.warnings ?? []) : [];
  return (
    <>
      <ChangeNotice after={after} before={before} botId={botId} />
      {warnings.map((warning) => (
        <Note key={warning}>{warning}</Note>
      ))}
    </>
  );
}
