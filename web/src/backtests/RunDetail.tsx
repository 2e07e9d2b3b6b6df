import type { Schemas } from "@/api/client";
import { gainTone } from "@/backtests/gainTone";
import { AllMetrics } from "@/backtests/MetricCards";
import { OldResult } from "@/backtests/OldResult";
import { isGoing, type Run, useStop } from "@/backtests/runs";
import { VerdictDetail } from "@/backtests/Verdict";
import { Button } from "@/design/Button";
import { StopIcon } from "@/design/icons";
import { Progress } from "@/design/Meter";
import { Note, ProblemNote } from "@/design/States";
import { Change, Money, Price, Time } from "@/format/Figures";
import { count } from "@/format/numbers";
import { duration } from "@/format/times";
import { classes } from "@/kit/classes";
import { PurseResult } from "@/purse/PurseResult";
import type { Bot } from "@/strategy/versions";

type RunDetailProps = {
  bot: Bot;
  run: Run;
  /** Of many tokens, the one whose chart is shown. */
  shownToken: string | null;
  onToken: (tokenId: string) => void;
};

/** Everything about one run but its chart and its trades, and on wide screens without the result that stands beside. */
export function RunDetail({ bot, run, shownToken, onToken }: RunDetailProps) {
  if (isGoing(run)) return <UnderWay run={run} />;
  return (
    <div className={classes("stack gap-4", gainTone(run.costs))}>
      {run.status === "failed" && <ProblemNote error={new Error(run.error ?? "The run failed.")} />}
      {run.status === "stopped" && (
        <Note>You stopped this run. What it did until then is kept; it has no metrics.</Note>
      )}
      {run.metrics && (
        <OldResult bot={bot} className="*:gap-4" run={run} test={run}>
          <VerdictDetail isBeside run={run} />
          <AllMetrics isBeside metrics={run.metrics} notes={run.metric_notes} />
          <PurseResult onShow={onToken} purse={run} shown={shownToken} />
        </OldResult>
      )}
      {run.open_position && <OpenPosition position={run.open_position} />}
      {run.data_report && <DataReport report={run.data_report} run={run} />}
    </div>
  );
}

/** The progress of a run, with a button to stop it. */
export function UnderWay({ run }: { run: Run }) {
  const stop = useStop(run);
  return (
    <div className="stack gap-2">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <Progress label="Progress of the backtest" percent={run.progress} />
        </div>
        <span className="figures w-10 text-right text-small text-ink-soft">{Math.round(run.progress)}%</span>
        <Button busy={stop.isPending} look="danger" onClick={() => stop.mutate()} size="small">
          <StopIcon size={14} />
          Stop
        </Button>
      </div>
      <p className="text-small text-ink-soft">
        {run.status === "pending" ? "Waiting for its turn…" : "Reading candles and trading through them…"}
      </p>
      <ProblemNote error={stop.error} />
    </div>
  );
}

function OpenPosition({ position }: { position: Schemas["OpenPosition"] }) {
  return (
    <p className="text-small text-ink-soft">
      Still open at the end: bought <Time at={position.entry_time} /> at <Price value={position.entry_price} />, now
      worth <Money value={position.value} /> (<Change value={position.unrealized_pnl_percent} />
      ).
    </p>
  );
}

type Repair = "dropped" | "duplicates" | "completed" | "repaired" | "unknown_volumes" | "filled";

const REPAIRS: [Repair, string][] = [
  ["dropped", "unusable and left out"],
  ["duplicates", "sent twice"],
  ["completed", "completed"],
  ["repaired", "repaired"],
  ["unknown_volumes", "without a known volume"],
  ["filled", "missing and filled with the last price"],
];

/** The candles of the provider, and how they were corrected. */
function DataReport({ report, run }: { report: Schemas["DataReport"]; run: Run }) {
  const repairs = REPAIRS.flatMap(([name, words]) => (report[name] ? `${count(report[name])} ${words}` : []));
  return (
    <section aria-label="Data" className="stack gap-1 border-t border-line pt-3 text-small text-ink-soft">
      <p>
        <strong className="font-medium text-ink">Data.</strong> {count(report.candles ?? report.received)} candles of{" "}
        {run.kline_interval} from <Time at={run.start_time} /> to <Time at={run.end_time} />
        {report.warm_up_candles ? `, after ${count(report.warm_up_candles)} to warm up` : ""}
        {repairs.length > 0 ? `: ${repairs.join(", ")}.` : ", none missing, none repaired."}
        {report.longest_gap_seconds ? ` The longest gap was ${duration(report.longest_gap_seconds)}.` : ""}
      </p>
      <p>
        Traded with <Money value={run.initial_cash} />, a fee of {run.fee_percent}% and slippage of{" "}
        {run.slippage_percent}% on each buy and each sale.
      </p>
      {report.warm_up_summary && <p>{report.warm_up_summary}</p>}
      {report.fills_summary && <p>{report.fills_summary}</p>}
      {report.guards_summary && <p>{report.guards_summary}</p>}
    </section>
  );
}
