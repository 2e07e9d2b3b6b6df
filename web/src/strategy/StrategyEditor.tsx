/** A bot's strategy as cards that can be edited. A change, whoever made it, shows as a diff with a way back. */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, type Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import { Button } from "@/design/Button";
import { Empty, Note, ProblemNote } from "@/design/States";
import { ConditionList } from "@/strategy/ConditionList";
import { ChangeNotice, Diff, diff, type Version } from "@/strategy/Diff";
import { type Draft, FIRST_STRATEGY, same, toDraft, toStrategy } from "@/strategy/draft";
import { RiskFields } from "@/strategy/RiskFields";
import { refreshBot } from "@/strategy/refreshing";
import type { Strategy } from "@/strategy/words";

type Bot = Schemas["BotView"];
type Editing = { base: Version; draft: Draft | null };

const begin = ({ revision, strategy }: Version): Editing => ({
  base: { revision, strategy },
  draft: strategy && toDraft(strategy),
});

const isChanged = ({ base, draft }: Editing) =>
  draft !== null && (base.strategy === null || !same(draft, toDraft(base.strategy)));

export function StrategyEditor({ bot }: { bot: Bot }) {
  const [editing, setEditing] = useState<Editing>(() => begin(bot));
  const [saved, setSaved] = useState<{ before: Version; after: Version } | null>(null);
  const save = useMutation({
    mutationFn: (strategy: Strategy) => write(bot.id, strategy),
    onSuccess: async (after) => {
      setSaved({ before: editing.base, after });
      setEditing(begin(after));
      await refreshBot(bot.id);
    },
  });
  const changed = isChanged(editing);
  const movedOn = bot.revision !== editing.base.revision;
  // Changed elsewhere, by the chat or an undo: whoever has typed nothing follows at once.
  if (movedOn && bot.revision > editing.base.revision && !changed) setEditing(begin(bot));
  const { draft } = editing;
  const edit = (part: Partial<Draft>) => draft && setEditing({ ...editing, draft: { ...draft, ...part } });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (draft) save.mutate(toStrategy(draft));
  }

  if (!draft) {
    return <NoStrategy onWrite={() => setEditing({ ...editing, draft: toDraft(FIRST_STRATEGY) })} />;
  }
  const problem = save.error ? problemOf(save.error) : null;
  const wrong = (member: string) => problem?.field(`strategy.${member}`);
  return (
    <form aria-label="Strategy" className="stack gap-4" noValidate onSubmit={submit}>
      {movedOn && changed && (
        <Note>
          The strategy has changed meanwhile.{" "}
          <button className="text-accent underline" onClick={() => setEditing(begin(bot))} type="button">
            Take the new one
          </button>{" "}
          or save yours over it.
        </Note>
      )}
      {saved && !changed && (
        <ChangeNotice
          after={saved.after}
          before={saved.before}
          botId={bot.id}
          key={saved.after.revision}
          onDismiss={() => setSaved(null)}
          title="Saved"
        />
      )}
      <ConditionList
        conditions={draft.conditions}
        empty="Without a condition it never buys."
        error={wrong("conditions")}
        match={draft.match}
        onChange={(conditions) => edit({ conditions })}
        onMatch={(match) => edit({ match })}
        title="Buy when"
        wrong={(member) => wrong(`conditions.${member}`)}
      />
      <ConditionList
        conditions={draft.exit_conditions}
        empty="No condition: only the risk settings sell."
        error={wrong("exit_conditions")}
        match={draft.exit_match}
        onChange={(exit_conditions) => edit({ exit_conditions })}
        onMatch={(exit_match) => edit({ exit_match })}
        title="Sell when"
        wrong={(member) => wrong(`exit_conditions.${member}`)}
      />
      <RiskFields
        onPositionPercent={(position_percent) => edit({ position_percent })}
        onRisk={(risk) => edit({ risk })}
        positionPercent={draft.position_percent}
        risk={draft.risk}
        wrong={wrong}
      />
      {changed && (
        <SaveBar
          before={editing.base.strategy}
          busy={save.isPending}
          draft={draft}
          error={save.error}
          onDiscard={() => {
            save.reset();
            setEditing(begin(bot));
          }}
        />
      )}
    </form>
  );
}

function NoStrategy({ onWrite }: { onWrite: () => void }) {
  return (
    <Empty
      action={
        <Button look="primary" onClick={onWrite}>
          Write the first condition
        </Button>
      }
      title="No strategy yet."
    >
      Describe one in the chat, or begin with a condition here.
    </Empty>
  );
}

type SaveBarProps = {
  before: Strategy | null;
  draft: Draft;
  busy: boolean;
  error: unknown;
  onDiscard: () => void;
};

/** What saving would change, and the choice to do so. It stays in sight. */
function SaveBar({ before, draft, busy, error, onDiscard }: SaveBarProps) {
  const after = toStrategy(draft);
  const changes = diff(before, after).length;
  return (
    <div className="sticky bottom-0 -mx-4 -mb-4 stack gap-2 rounded-b-card border-t border-line bg-raised p-3 shadow-raised">
      <ProblemNote error={error} />
      <div className="flex items-center gap-2">
        <details className="min-w-0 flex-1">
          <summary className="rounded-small text-small text-ink-soft">
            {changes} {changes === 1 ? "change" : "changes"}
          </summary>
          <div className="mt-2 max-h-48 overflow-y-auto">
            <Diff after={after} before={before} />
          </div>
        </details>
        <Button className="self-start" look="ghost" onClick={onDiscard} size="small">
          Discard
        </Button>
        <Button busy={busy} className="self-start" look="primary" size="small" type="submit">
          Save
        </Button>
      </div>
    </div>
  );
}

async function write(botId: string, strategy: Strategy): Promise<Version> {
  const { data } = await api.PATCH("/api/bots/{bot_id}", {
    params: { path: { bot_id: botId } },
    body: { strategy },
  });
  return data as Bot;
}
