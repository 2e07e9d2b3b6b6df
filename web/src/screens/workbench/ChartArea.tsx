/** The middle of the workbench: the shown run on its candles, or why there is nothing to see yet. */
import type { ReactNode } from "react";
import { useTokenName } from "@/backtests/instrument";
import { UnderWay } from "@/backtests/RunDetail";
import { period } from "@/backtests/RunTable";
import { isGoing, type Run, type Trades, useChartData, useKlines } from "@/backtests/runs";
import type { Stretch } from "@/chart/Canvas";
import { Chart } from "@/chart/Chart";
import { Empty, ErrorState, Loading, Skeleton } from "@/design/States";
import { count } from "@/format/numbers";
import { duration } from "@/format/times";
import type { Simulation } from "@/simulations/following";
import { useChartData as useSimulationChart } from "@/simulations/runs";

const HEIGHT = "h-80 sm:h-96 xl:h-[27rem] 2xl:h-[34rem]";

const INTERVALS: Record<Run["kline_interval"], number> = {
  "1m": 60,
  "5m": 300,
  "15m": 900,
  "1h": 3600,
  "4h": 14_400,
  "1d": 86_400,
};

/** As high as a chart with its caption, whatever stands in it. */
function Frame({ children }: { children: ReactNode }) {
  return <div className={`stack justify-center ${HEIGHT} mb-9`}>{children}</div>;
}

function LoadingChart() {
  return (
    <Frame>
      <Loading className="h-full p-4" label="Loading the chart…">
        <Skeleton className="h-full" />
      </Loading>
    </Frame>
  );
}

type BacktestChartProps = { run: Run; trades: Trades | undefined; focus: Stretch | null };

export function BacktestChart({ run, trades, focus }: BacktestChartProps) {
  const klines = useKlines(run);
  const data = useChartData(run, klines.data?.klines, trades?.trades);
  const name = useTokenName({ address: run.token, chain: run.chain });
  const drawn = klines.data?.interval_seconds ?? 0;
  if (isGoing(run)) {
    return (
      <Frame>
        <div className="mx-auto w-full max-w-md px-6">
          <UnderWay run={run} />
        </div>
      </Frame>
    );
  }
  if (run.status === "failed") {
    return (
      <Frame>
        <ErrorState error={new Error(run.error ?? "The backtest failed.")} />
      </Frame>
    );
  }
  if (klines.error) {
    return (
      <Frame>
        <ErrorState error={klines.error} onRetry={klines.refetch} />
      </Frame>
    );
  }
  if (!data) return <LoadingChart />;
  if (data.candles.length === 0) {
    return (
      <Frame>
        <Empty title="It was stopped before the first candle.">Run it again to see its trades here.</Empty>
      </Frame>
    );
  }
  return (
    <Chart
      caption={
        <>
          <strong className="font-medium text-ink">{name}</strong>, {run.kline_interval} candles over {period(run)}:{" "}
          {count(trades?.total)} {trades?.total === 1 ? "trade" : "trades"}
          {drawn > INTERVALS[run.kline_interval] && `, drawn as ${duration(drawn)} candles`}
        </>
      }
      className={HEIGHT}
      data={data}
      focus={focus}
      name={run.run_id}
    />
  );
}

export function SimulationChart({ run }: { run: Simulation }) {
  const data = useSimulationChart(run);
  const name = useTokenName({ address: run.token, chain: run.chain });
  if (!data) return <LoadingChart />;
  return (
    <Chart
      caption={
        <>
          <strong className="font-medium text-ink">{name}</strong>, {run.kline_interval} candles,{" "}
          {run.status === "running" ? "one more each time it checks" : "as the simulation saw them"}
        </>
      }
      className={HEIGHT}
      data={data}
      name={run.run_id}
    />
  );
}

type ChartAreaProps = BacktestChartSource | SimulationSource;
type BacktestChartSource = {
  of: "backtest";
  run: Run | undefined;
  trades: Trades | undefined;
  focus: Stretch | null;
  hasStrategy: boolean;
  isLoading: boolean;
  error: unknown;
  onRetry: () => void;
};
type SimulationSource = {
  of: "simulation";
  run: Simulation | undefined;
  isLoading: boolean;
  error: unknown;
  onRetry: () => void;
};

export function ChartArea(props: ChartAreaProps) {
  if (props.error && !props.run) {
    return (
      <Frame>
        <ErrorState error={props.error} onRetry={props.onRetry} />
      </Frame>
    );
  }
  if (props.isLoading) return <LoadingChart />;
  if (props.of === "simulation") {
    return props.run ? (
      <SimulationChart run={props.run} />
    ) : (
      <Frame>
        <Empty title="Nothing is simulated yet.">
          Start a simulation below: its candles and decisions appear here.
        </Empty>
      </Frame>
    );
  }
  return props.run ? (
    <BacktestChart focus={props.focus} run={props.run} trades={props.trades} />
  ) : (
    <Frame>
      {props.hasStrategy ? (
        <Empty title="Not tested yet.">Run a backtest below: the candles, the trades and the equity appear here.</Empty>
      ) : (
        <Empty title="It has no strategy yet.">
          Describe one in the chat or write its first condition; then a backtest shows here what it would have done.
        </Empty>
      )}
    </Frame>
  );
}
