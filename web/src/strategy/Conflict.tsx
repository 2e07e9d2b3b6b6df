import { useMutation } from "@tanstack/react-query";
import { Button } from "@/design/Button";
import { ProblemNote } from "@/design/States";
import { Diff } from "@/strategy/Diff";
import { discardEdits, saveEdits } from "@/strategy/edits";
import type { Bot, Strategy, Version } from "@/strategy/versions";

type ConflictProps = { bot: Bot; base: Version; mine: Strategy };

export const TWO_VERSIONS = "two-versions";

/** The strategy was saved elsewhere while it was edited here. Both versions are shown, and one is chosen. */
export function Conflict({ bot, base, mine }: ConflictProps) {
  const keep = useMutation({ mutationFn: () => saveEdits(bot.id, { revision: bot.revision, strategy: bot.strategy }) });
  return (
    <section
      aria-label="Two versions"
      className="stack scroll-mt-4 gap-3 rounded-control border border-warn bg-warn-soft p-3"
      id={TWO_VERSIONS}
    >
      <p className="text-small font-medium" role="alert">
        This strategy was also changed elsewhere, in another tab or in the chat. Which one do you want?
      </p>
      <div className="stack gap-1.5 rounded-control bg-raised p-2.5">
        <h3 className="text-small">The other one changed (revision {bot.revision})</h3>
        <Diff after={bot.strategy} before={base.strategy} />
        <Button className="self-start" onClick={() => discardEdits(bot.id)} size="small">
          Take the other one
        </Button>
      </div>
      <div className="stack gap-1.5 rounded-control bg-raised p-2.5">
        <h3 className="text-small">You changed</h3>
        <Diff after={mine} before={base.strategy} />
        <p className="text-tiny text-ink-faint">
          Saving yours takes the other one's changes back. It stays in the revisions.
        </p>
        <Button busy={keep.isPending} className="self-start" onClick={() => keep.mutate()} size="small">
          Save mine instead
        </Button>
      </div>
      <ProblemNote error={keep.error} />
    </section>
  );
}
