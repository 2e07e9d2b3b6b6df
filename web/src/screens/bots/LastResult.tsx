import type { Schemas } from "@/api/client";
import { countsPool } from "@/backtests/costs";
import { gainTone } from "@/backtests/gainTone";
import { hasOtherRules, oldWords } from "@/backtests/OldResult";
import { useBacktest } from "@/backtests/runs";
import { Sparkline } from "@/design/Sparkline";
import { Change, Time } from "@/format/Figures";
import { classes } from "@/kit/classes";

type LastResultProps = { bot: Schemas["ListedBot"]; run: Schemas["BacktestSummary"]; chartHeight: number };

/**
 * The result of the last backtest with its verdict and equity curve. A result without tax and impact, or of a token that
 * cannot be sold, says so; one of rules that have changed is grey.
 */
export default function LastResult({ bot, run, chartHeight }: LastResultProps) {
  const { data } = useBacktest(run.bot_id, run.run_id);
  const values = (data?.equity_curve ?? []).map((point) => point.equity).filter((equity) => equity !== null);
  const isDoubtful = !countsPool(run.costs) || run.costs?.can_be_sold === false;
  const isOld = data !== undefined && hasOtherRules(bot, data);
  const trades = run.metrics?.total_trades ?? 0;
  return (
    <>
      {isOld && <p className="px-4 pb-1 text-small font-medium text-warn">{oldWords(run)}</p>}
      <div className={classes("stack gap-2", isOld && "greyed", gainTone(run.costs))}>
        <div className="flex h-5 items-center justify-between gap-2 px-4 text-small">
          <span className="text-ink-faint">
            Last backtest, {trades} {trades === 1 ? "trade" : "trades"}
          </span>
          <Change className="font-medium" value={run.metrics?.total_return} />
        </div>
        {data?.verdict && (
          <p className="px-4 text-small">
            Verdict: {data.verdict.headline} <Time at={data.verdict.graded_at} className="text-ink-faint" relative />
          </p>
        )}
        {data && isDoubtful && <p className="px-4 text-small text-ink-soft">{data.cost_notes[0]}</p>}
        <Sparkline height={chartHeight} values={values} />
      </div>
    </>
  );
}
