/** A result of rules that the bot no longer has: it is grey, and says of which rules it is. */
import type { ReactNode } from "react";
import { againOf } from "@/backtests/choices";
import { type Run, useStart } from "@/backtests/runs";
import { ProblemNote } from "@/design/States";
import { classes } from "@/kit/classes";
import { diff } from "@/strategy/Diff";
import type { Bot } from "@/strategy/versions";

type Ruled = Pick<Run, "strategy" | "strategy_revision">;

export function hasOtherRules(bot: Pick<Bot, "strategy">, run: Pick<Run, "strategy">): boolean {
  return diff(run.strategy, bot.strategy).length > 0;
}

export function oldWords({ strategy_revision: revision }: Pick<Run, "strategy_revision">): string {
  return `Result of ${revision === null ? "an earlier revision" : `revision ${revision}`}, rules have changed`;
}

type OldResultProps = {
  bot: Bot;
  run: Ruled;
  /** The backtest that can be run again with the rules of now. */
  test?: Run;
  className?: string;
  children: ReactNode;
};

/** `children`, as they are if the bot still has the rules of the run. */
export function OldResult({ bot, run, test, className, children }: OldResultProps) {
  const isOld = hasOtherRules(bot, run);
  return (
    <div className={classes("stack", className)}>
      {isOld && <OldNote bot={bot} run={run} test={test} />}
      <div className={classes("stack", isOld && "greyed")}>{children}</div>
    </div>
  );
}

function OldNote({ bot, run, test }: Pick<OldResultProps, "bot" | "run" | "test">) {
  const start = useStart(bot);
  return (
    <div className="stack gap-2 pb-2 text-small">
      <p className="font-medium text-warn">
        {oldWords(run)}
        {test && (
          <>
            {" · "}
            <button
              className="rounded-small text-accent underline underline-offset-2"
              disabled={start.isPending}
              onClick={() => start.mutate(againOf(test))}
              type="button"
            >
              Run again
            </button>
          </>
        )}
      </p>
      <ProblemNote error={start.error} />
    </div>
  );
}
