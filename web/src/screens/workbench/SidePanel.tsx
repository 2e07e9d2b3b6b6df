/** The right of the workbench: the strategy in a sentence, its result, and the editor. */
import type { ReactNode } from "react";
import type { Schemas } from "@/api/client";
import { CostNotes } from "@/backtests/CostNotes";
import { tokenId } from "@/backtests/filtering";
import { gainTone } from "@/backtests/gainTone";
import { TokenName } from "@/backtests/instrument";
import { KeyMetrics, KeyMetricsSkeleton } from "@/backtests/MetricCards";
import { meaning } from "@/backtests/meaning";
import { OldResult } from "@/backtests/OldResult";
import { RunIdentity } from "@/backtests/RunIdentity";
import { isGoing, type Run } from "@/backtests/runs";
import { VerdictHeadline } from "@/backtests/Verdict";
import { Note } from "@/design/States";
import { unbroken } from "@/format/numbers";
import { classes } from "@/kit/classes";
import { useSoFar } from "@/playback/played";
import { SoFarFigures } from "@/playback/SoFarFigures";
import { PurseNotes } from "@/purse/PurseResult";
import { usePlace } from "@/screens/workbench/place";
import { useShownSimulation } from "@/screens/workbench/shown";
import { ExportButton } from "@/strategy/ExportButton";
import { StrategyEditor } from "@/strategy/StrategyEditor";

type SidePanelProps = { bot: Schemas["BotView"]; run: Run | undefined };

export function SidePanel({ bot, run }: SidePanelProps) {
  const [{ tab }] = usePlace();
  // Next to a simulation the result is that of a backtest, so it says of which.
  const isAside = tab === "simulation";
  return (
    <div className="stack">
      {bot.strategy_summary && (
        <Part title="Strategy">
          <p>{unbroken(bot.strategy_summary)}</p>
          {bot.warnings.map((warning) => (
            <Note key={warning}>{warning}</Note>
          ))}
          <ExportButton bot={bot} />
        </Part>
      )}
      {run && (isGoing(run) || run.metrics) && (
        <Part title={isAside ? "Result of the backtest" : "Result"}>
          {isAside && <Beside run={run} />}
          <Result bot={bot} run={run} />
        </Part>
      )}
      <Part title={bot.strategy ? "Conditions and risk" : "Strategy"}>
        <StrategyEditor bot={bot} instrument={run ? { address: run.token, chain: run.chain } : null} />
      </Part>
    </div>
  );
}

/** Which backtest stands beside the simulation, and whether it can be compared with it. */
function Beside({ run }: { run: Run }) {
  const { data: simulation } = useShownSimulation(run.bot_id);
  const isOther =
    simulation &&
    (tokenId(simulation) !== tokenId(run) ||
      Boolean(simulation.tokens) !== Boolean(run.tokens) ||
      simulation.kline_interval !== run.kline_interval);
  return (
    <>
      <RunIdentity brief run={run} />
      {isOther && (
        <Note>
          The simulation trades <TokenName {...simulation} /> on {simulation.kline_interval} candles, this backtest{" "}
          <TokenName {...run} /> on {run.kline_interval} candles: do not compare the two.
        </Note>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="stack gap-2 border-b border-line p-4 last:border-0">
      <h2 className="text-small text-ink-faint">{title}</h2>
      {children}
    </section>
  );
}

function Result({ bot, run }: SidePanelProps & { run: Run }) {
  const soFar = useSoFar(run.run_id);
  if (soFar && !soFar.atEnd) {
    return (
      <div className={gainTone(run.costs)}>
        <SoFarFigures soFar={soFar} />
      </div>
    );
  }
  if (!run.metrics) return <KeyMetricsSkeleton />;
  const result = meaning(run.metrics, run);
  const isSaid = result === (run.verdict && unbroken(run.verdict.sentence));
  return (
    <OldResult bot={bot} className={classes("*:gap-3", gainTone(run.costs))} run={run} test={run}>
      <VerdictHeadline run={run} />
      {!isSaid && <p>{result}</p>}
      <PurseNotes notes={run.portfolio_notes?.slice(0, 1)} />
      <CostNotes costs={run.costs} notes={run.cost_notes} />
      <KeyMetrics metrics={run.metrics} notes={run.metric_notes} />
    </OldResult>
  );
}
