import { useState } from "react";
import { samePoolCosts } from "@/backtests/costs";
import { oldWords } from "@/backtests/OldResult";
import { Button } from "@/design/Button";
import { Confirm } from "@/design/Confirm";
import { RetryIcon } from "@/design/icons";
import { ProblemNote } from "@/design/States";
import { sameTokens } from "@/purse/many";
import type { Simulation } from "@/simulations/following";
import { useStart } from "@/simulations/runs";
import { Ended } from "@/simulations/SimulationForm";
import { diff } from "@/strategy/Diff";
import { useEdits } from "@/strategy/edits";
import type { Bot } from "@/strategy/versions";

type KeptRulesProps = { bot: Bot; run: Simulation; onStart: (runId: string) => void };

/** A simulation keeps the rules it was started with; after an edit it can be started again with the new ones. */
export function KeptRules({ bot, run, onStart }: KeptRulesProps) {
  const { changed } = useEdits(bot);
  const [asks, setAsks] = useState(false);
  const { mode, check_interval, kline_interval, initial_cash, fee_percent, slippage_percent, intrabar } = run;
  const start = useStart(bot, (started) => onStart(started.run_id));
  const isOther = changed || diff(run.strategy, bot.strategy).length > 0;
  if (!isOther || !bot.strategy) return null;
  const isOver = run.status === "stopped";
  const again = () => {
    setAsks(false);
    start.mutate({
      ...sameTokens(run),
      mode,
      check_interval: check_interval as 10 | 30 | 60,
      kline_interval,
      initial_cash,
      fee_percent,
      slippage_percent,
      intrabar,
      ...samePoolCosts(run.costs),
    });
  };
  return (
    <section
      aria-label="Rules of the simulation"
      className="stack gap-2 rounded-control bg-accent-soft px-3 py-2 text-small"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-60">
          {isOver ? (
            <>{oldWords(run)}.</>
          ) : (
            <>
              You have edited the strategy. This simulation keeps the rules it started with
              {run.strategy_revision !== null && ` (revision ${run.strategy_revision})`}.
            </>
          )}
        </p>
        <Button busy={start.isPending} onClick={isOver ? again : () => setAsks(true)} size="small">
          <RetryIcon size={14} />
          {isOver ? "Start with the new rules" : "Restart with the new rules"}
        </Button>
      </div>
      <ProblemNote error={start.error} />
      <Confirm
        no="Keep it"
        onClose={() => setAsks(false)}
        onYes={again}
        open={asks}
        title="End the current simulation?"
        yes="End it and start again"
      >
        <Ended run={run} />
      </Confirm>
    </section>
  );
}
