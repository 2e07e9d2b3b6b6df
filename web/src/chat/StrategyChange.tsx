import { queries } from "@/api/client";
import type { Call } from "@/chat/answer";
import { facts } from "@/chat/words";
import { CheckIcon } from "@/design/icons";
import { ChangeNotice, Diff, diff, type Version } from "@/strategy/Diff";
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

/** A change made in the chat: as long as it is the last one it can be undone; afterwards it is history. */
export function StrategyChange({ botId, before, after }: Change) {
  const { data: bot } = queries.useQuery("get", "/api/bots/{bot_id}", { params: { path: { bot_id: botId } } });
  if (bot?.revision === after.revision) return <ChangeNotice after={after} before={before} botId={botId} />;
  const isUndone = bot?.revision === after.revision + 1 && diff(before.strategy, bot.strategy).length === 0;
  return (
    <section className="stack gap-2.5 rounded-control border border-line bg-raised p-3">
      <p className="flex min-h-7 items-center gap-2 text-small font-medium">
        <span className="text-up">
          <CheckIcon size={14} />
        </span>
        {isUndone ? "Undone: the earlier strategy is back" : "Strategy changed"}
      </p>
      <div className={isUndone ? "opacity-60" : undefined}>
        <Diff after={after.strategy} before={before.strategy} />
      </div>
    </section>
  );
}
