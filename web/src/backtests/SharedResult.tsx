/** What a reader of a shared backtest sees: the strategy, the result, its chart and its trades. */
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { CostNotes } from "@/backtests/CostNotes";
import { chartData, stretchOf } from "@/backtests/chart";
import { gainTone } from "@/backtests/gainTone";
import { AllMetrics } from "@/backtests/MetricCards";
import { meaning } from "@/backtests/meaning";
import { RunIdentity } from "@/backtests/RunIdentity";
import type { Trade } from "@/backtests/runs";
import { TradesTable } from "@/backtests/TradesTable";
import { VerdictDetail } from "@/backtests/Verdict";
import { Chart } from "@/chart/Chart";
import { Card } from "@/design/Card";
import { Note, ProblemNote, Skeleton } from "@/design/States";
import { Money } from "@/format/Figures";
import { count, unbroken } from "@/format/numbers";
import { classes } from "@/kit/classes";
import { PurseChart } from "@/purse/PurseChart";
import { PurseResult } from "@/purse/PurseResult";

export type Shared = Schemas["SharedBacktest"];

type SharedResultProps = {
  shared: Shared;
  /** The name of a saved picture. */
  name: string;
  /** Undefined until it is loaded. */
  chart: Schemas["ChartView"] | undefined;
  error?: unknown;
};

export function SharedResult({ shared, name, chart, error }: SharedResultProps) {
  const [chosen, setChosen] = useState<Trade | null>(null);
  return (
    <>
      {shared.data_source === "demo" && <Note>Made with demo prices: they are invented, and so is the result.</Note>}
      <Card title="Strategy">
        <div className="stack gap-2">
          <p className="text-lead">{unbroken(shared.strategy_summary)}</p>
          <RunIdentity run={{ ...shared, strategy_revision: null }} />
          <p className="text-small text-ink-soft">
            Traded with <Money value={shared.initial_cash} />.
          </p>
        </div>
      </Card>
      <Card title="Result">
        <div className={classes("stack gap-4", gainTone(shared.costs))}>
          <VerdictDetail run={{ ...shared, holdout: null }} />
          {shared.metrics && (
            <>
              <p>{meaning(shared.metrics, shared)}</p>
              <CostNotes costs={shared.costs} notes={shared.cost_notes} />
              <AllMetrics metrics={shared.metrics} notes={shared.metric_notes} />
              <PurseResult purse={shared} />
              {shared.data_report?.warm_up_summary && (
                <p className="text-small text-ink-soft">{shared.data_report.warm_up_summary}</p>
              )}
            </>
          )}
        </div>
      </Card>
      <SharedChart chart={chart} chosen={chosen} error={error} name={name} shared={shared} />
      <Card title="Trades">
        <TradesTable
          chosen={chosen?.number ?? null}
          onChoose={shared.tokens ? undefined : setChosen}
          run={shared}
          trades={{ trades: shared.trades.toReversed(), total: shared.total_trades }}
        />
      </Card>
    </>
  );
}

function SharedChart({ shared, name, chart, error, chosen }: SharedResultProps & { chosen: Trade | null }) {
  if (shared.tokens) return <PurseChart className="h-72" isCard run={shared} />;
  if (error) return <ProblemNote error={error} />;
  if (!chart) return <Skeleton className="h-96" />;
  if (chart.klines.length === 0) return null;
  return (
    <div className="overflow-hidden rounded-card border border-line">
      <Chart
        caption={`${shared.kline_interval} candles, ${count(shared.total_trades)} ${shared.total_trades === 1 ? "trade" : "trades"}`}
        className="h-96"
        data={chartData(shared, chart, shared.trades.toReversed())}
        focus={chosen && stretchOf(chosen)}
        isDemo={shared.data_source === "demo"}
        name={name}
      />
    </div>
  );
}
