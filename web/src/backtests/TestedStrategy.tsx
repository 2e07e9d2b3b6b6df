import { hasOtherRules, oldWords } from "@/backtests/OldResult";
import type { Run } from "@/backtests/runs";
import { Button } from "@/design/Button";
import { UndoIcon } from "@/design/icons";
import { ProblemNote } from "@/design/States";
import { unbroken } from "@/format/numbers";
import { Diff } from "@/strategy/Diff";
import { useRestore } from "@/strategy/restoring";
import type { Bot } from "@/strategy/versions";

/** If the shown run tested another strategy than the bot has now: that strategy, the differences, and a button to restore it. */
export function TestedStrategy({ bot, run }: { bot: Bot; run: Run }) {
  const restore = useRestore(bot);
  const tested = run.strategy_revision;
  if (!hasOtherRules(bot, run)) return null;
  return (
    <section
      aria-label="Tested strategy"
      className="stack gap-2 border-b border-line bg-accent-soft px-4 py-3 text-small"
    >
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-72">
          <strong className="font-medium">
            {oldWords(run)}: the bot is at revision {bot.revision} now.
          </strong>{" "}
          {unbroken(run.strategy_summary)}
        </p>
        {tested !== null && (
          <Button busy={restore.isPending} onClick={() => restore.mutate(tested)} size="small">
            <UndoIcon size={14} />
            Restore revision {tested}
          </Button>
        )}
      </div>
      <details>
        <summary className="w-fit rounded-small text-accent">What has changed since</summary>
        <div className="mt-2 max-w-xl rounded-control bg-raised p-2.5">
          <Diff after={bot.strategy} before={run.strategy} />
        </div>
      </details>
      <ProblemNote error={restore.error} />
    </section>
  );
}
