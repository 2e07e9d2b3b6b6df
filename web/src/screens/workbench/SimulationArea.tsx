/** The chart of the selected simulation, or why there is none yet. */
import { useMemo } from "react";
import { queries } from "@/api/client";
import { hasSeries, INTERVALS } from "@/backtests/chart";
import { useRunTokenName } from "@/backtests/instrument";
import { Chart } from "@/chart/Chart";
import type { ChartData } from "@/chart/Drawing";
import { worthDrawing } from "@/chart/lines";
import { Empty } from "@/design/States";
import { Time } from "@/format/Figures";
import { Fetched, type Fetching, HEIGHT, LoadingChart, NoChart } from "@/screens/workbench/ChartFrame";
import { MODE_NAMES, type Simulation } from "@/simulations/following";
import { useChartData as useSimulationChart } from "@/simulations/runs";

type SimulationAreaProps = Fetching & { run: Simulation | undefined };

export function SimulationArea(props: SimulationAreaProps) {
  const empty = (
    <NoChart>
      <Empty title="Nothing is simulated yet.">Start a simulation below: its candles and decisions appear here.</Empty>
    </NoChart>
  );
  return (
    <Fetched {...props} empty={empty}>
      {(run) => <SimulationChart run={run} />}
    </Fetched>
  );
}

function SimulationChart({ run }: { run: Simulation }) {
  const data = useSimulationScene(run);
  const name = useRunTokenName(run);
  const clock = run.trade_log.at(-1)?.time;
  if (!data) return <LoadingChart />;
  return (
    <Chart
      caption={
        <>
          {MODE_NAMES[run.mode]}: <strong className="font-medium text-ink">{name}</strong>, {run.kline_interval}{" "}
          candles, {run.status === "running" ? "one more each time it checks" : "as the simulation saw them"}
          {run.data_source === "demo" && ", invented prices"}
          {clock !== undefined && (
            <>
              . <span className="text-ink-faint">Clock</span>{" "}
              <strong className="figures font-medium text-ink">
                <Time at={clock} />
              </strong>
            </>
          )}
        </>
      }
      className={HEIGHT}
      data={data}
      isDemo={run.data_source === "demo"}
      name={run.run_id}
    />
  );
}

const CANDLES_BEFORE = 200;

/** What the simulation has seen, with the candles before its start and the series of its conditions. */
function useSimulationScene(run: Simulation): ChartData | null {
  const data = useSimulationChart(run);
  const first = run.klines[0]?.time ?? 0;
  const last = data?.candles.at(-1)?.time;
  const before = queries.useQuery(
    "get",
    "/api/market/klines/{token_id}",
    {
      params: {
        path: { token_id: `${run.token}-${run.chain}` },
        query: {
          interval: run.kline_interval,
          limit: CANDLES_BEFORE,
          start_time: Math.max(0, first - CANDLES_BEFORE * INTERVALS[run.kline_interval]),
          end_time: first,
        },
      },
    },
    { enabled: first > 0, staleTime: Number.POSITIVE_INFINITY, retry: false },
  ).data;
  const series = queries.useQuery(
    "get",
    "/api/bots/{bot_id}/simulate/{run_id}/series",
    { params: { path: { bot_id: run.bot_id, run_id: run.run_id }, query: { to: last === undefined ? 0 : last + 1 } } },
    {
      enabled: last !== undefined && run.details_kept && hasSeries(run.strategy),
      staleTime: Number.POSITIVE_INFINITY,
      placeholderData: (known) => known,
    },
  ).data;
  return useMemo(() => {
    const early = before && "klines" in before ? before.klines.filter(({ time }) => time < first) : [];
    return data && { ...data, candles: [...early, ...data.candles], lines: worthDrawing(series?.series ?? []) };
  }, [data, before, series, first]);
}
