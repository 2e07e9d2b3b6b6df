/** The chart of the selected simulation, or why there is none yet. */
import { type ReactNode, useMemo } from "react";
import { queries } from "@/api/client";
import { hasSeries, INTERVALS } from "@/backtests/chart";
import { useRunTokenName } from "@/backtests/instrument";
import { Chart } from "@/chart/Chart";
import type { ChartData } from "@/chart/Drawing";
import { worthDrawing } from "@/chart/lines";
import { Empty, ErrorState } from "@/design/States";
import { Time } from "@/format/Figures";
import { TokenSelect } from "@/purse/TokenSelect";
import { Fetched, type Fetching, Frame, HEIGHT, LoadingChart, NoChart } from "@/screens/workbench/ChartFrame";
import { drawnToken, MODE_NAMES, type OnToken, onToken, type Simulation } from "@/simulations/following";
import { useSimulation, useChartData as useSimulationChart } from "@/simulations/runs";

type SimulationAreaProps = Fetching & {
  run: Simulation | undefined;
  /** Of many tokens, the one whose chart was chosen. */
  token: string | null;
  onToken: (tokenId: string | null) => void;
};

export function SimulationArea(props: SimulationAreaProps) {
  const empty = (
    <NoChart>
      <Empty title="Nothing is simulated yet.">
        A simulation trades with invented money, candle by candle, and tells the reason of each decision. Start one
        below.
      </Empty>
    </NoChart>
  );
  return (
    <Fetched {...props} empty={empty}>
      {(run) =>
        run.tokens ? (
          <PurseSimulation chosen={props.token} onToken={props.onToken} run={run} />
        ) : (
          <SimulationChart run={run} />
        )
      }
    </Fetched>
  );
}

type PurseSimulationProps = { run: Simulation; chosen: string | null; onToken: (tokenId: string | null) => void };

/** The chart of one of many tokens. */
function PurseSimulation({ run, chosen, onToken: onChoose }: PurseSimulationProps) {
  const row = drawnToken(run, chosen);
  const { data, error, refetch } = useSimulation(run.bot_id, row ? run.run_id : null, row?.token_id);
  const drawn = useMemo(() => (data && row ? onToken(data, row) : undefined), [data, row]);
  if (error && !drawn) {
    return (
      <Frame>
        <ErrorState error={error} onRetry={refetch} />
      </Frame>
    );
  }
  if (!drawn) return <LoadingChart />;
  const select = <TokenSelect onChange={onChoose} tokens={run.tokens ?? []} value={drawn.token_id ?? null} />;
  return <SimulationChart key={drawn.token_id} run={drawn} tools={select} />;
}

function SimulationChart({ run, tools }: { run: OnToken; tools?: ReactNode }) {
  const data = useSimulationScene(run);
  const name = useRunTokenName(run);
  const clock = run.trade_log.at(-1)?.time;
  if (!data) return <LoadingChart />;
  return (
    <Chart
      caption={
        <>
          {MODE_NAMES[run.mode]}: <strong className="font-medium text-ink">{name}</strong>, {run.kline_interval} candles
          {run.status !== "running" && ", as the simulation saw them"}
          {run.data_source === "demo" && ", invented prices"}
          {clock !== undefined && (
            <>
              . <span className="text-ink-faint">Last candle</span>{" "}
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
      name={[run.run_id, run.token_id].filter(Boolean).join(" ")}
      tools={tools}
    />
  );
}

const CANDLES_BEFORE = 200;

/** What the simulation has seen, with the candles before its start and the series of its conditions. */
function useSimulationScene(run: OnToken): ChartData | null {
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
    {
      params: {
        path: { bot_id: run.bot_id, run_id: run.run_id },
        query: { to: last === undefined ? 0 : last + 1, token_id: run.token_id },
      },
    },
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
