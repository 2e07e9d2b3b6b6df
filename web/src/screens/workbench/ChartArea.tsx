/** The chart of the selected run, or why there is none yet. */
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { queries } from "@/api/client";
import { around, hasSeries, INTERVALS, useChartData } from "@/backtests/chart";
import { samePoolCosts } from "@/backtests/costs";
import { useRunTokenName } from "@/backtests/instrument";
import { UnderWay } from "@/backtests/RunDetail";
import {
  isGoing,
  type Run,
  type Span,
  seconds,
  type Trades,
  useKlines,
  useRules,
  useSeries,
  useStart,
} from "@/backtests/runs";
import { partFor } from "@/backtests/zoom";
import type { Stretch } from "@/chart/Canvas";
import { Chart } from "@/chart/Chart";
import type { ChartData } from "@/chart/Drawing";
import { worthDrawing } from "@/chart/lines";
import type { View } from "@/chart/places";
import type { Rules } from "@/chart/RuleLines";
import { Button } from "@/design/Button";
import { lazyPart, notLoaded } from "@/design/lazyPart";
import { Empty, ErrorState, Loading, ProblemNote, Skeleton } from "@/design/States";
import { Time } from "@/format/Figures";
import { count } from "@/format/numbers";
import { duration, period } from "@/format/times";
import type { Simulation } from "@/simulations/following";
import { useChartData as useSimulationChart } from "@/simulations/runs";
import type { Bot } from "@/strategy/versions";

const Playback = lazyPart(() => import("@/playback/Playback"), { Failed: NoPlayback });

/** The height of the window without the frame and the top of the part below. */
const HEIGHT =
  "h-[calc(20rem+var(--below,0rem))] sm:h-[calc(24rem+var(--below,0rem))] lg:h-[max(calc(24rem+var(--below,0rem)),calc(100dvh-24rem))]";

const NO_RULES: Rules[] = [];

/** As high as a chart with its caption, whatever stands in it. */
function Frame({ children }: { children: ReactNode }) {
  return <div className={`stack justify-center ${HEIGHT} mb-9`}>{children}</div>;
}

/** The chart library is large, so it is loaded in parallel with the data. */
function LoadingChart() {
  useEffect(() => {
    import("@/chart/Canvas").catch(() => {}); // the chart itself says that it could not be loaded
  }, []);
  return (
    <Frame>
      <Loading className="h-full p-4" label="Loading the chart…">
        <Skeleton className="h-full" />
      </Loading>
    </Frame>
  );
}

const PlaybackNotLoaded = notLoaded("The playback");

function NoPlayback({ onClose, onRetry }: { onClose: () => void; onRetry: () => void }) {
  return (
    <Frame>
      <PlaybackNotLoaded onRetry={onRetry} />
      <Button className="self-center" look="ghost" onClick={onClose} size="small">
        Back to the chart
      </Button>
    </Frame>
  );
}

type BacktestChartProps = {
  bot: Bot;
  run: Run;
  trades: Trades | undefined;
  /** The selected trade. */
  focus: Stretch | null;
  onWhole: () => void;
  /** Selects the next or the previous trade. */
  onStep: (by: 1 | -1) => void;
};

export function BacktestChart({ bot, run, trades, focus, onWhole, onStep }: BacktestChartProps) {
  const whole = useKlines(run);
  const [played, setPlayed] = useState<string | null>(null);
  const isMerged = (whole.data?.interval_seconds ?? 0) > INTERVALS[run.kline_interval];
  const { part, closeUp, error, onView } = useCloseUp(run, isMerged, focus);
  const shown = closeUp ?? whole.data;
  const lines = useSeries(run, part ?? undefined, hasSeries(run.strategy));
  const rules = useRules(run, focus?.number ?? null).data?.rules;
  const data = useChartData(run, shown, whole.data, trades?.trades, {
    lines: lines.data,
    rules: focus && rules ? rules : NO_RULES,
  });
  if (isGoing(run)) {
    return (
      <Frame>
        <div className="mx-auto w-full max-w-md px-6">
          <UnderWay run={run} />
        </div>
      </Frame>
    );
  }
  if (run.status === "failed") return <FailedRun bot={bot} run={run} />;
  if (whole.error) {
    return (
      <Frame>
        <ErrorState error={whole.error} onRetry={whole.refetch} />
      </Frame>
    );
  }
  if (!data || !shown) return <LoadingChart />;
  if (data.candles.length === 0) {
    return (
      <Frame>
        <Empty title="It was stopped before the first candle.">Run it again to see its trades here.</Empty>
      </Frame>
    );
  }
  if (played === run.run_id && trades) {
    return (
      <Playback
        className={HEIGHT}
        fallback={<LoadingChart />}
        firstOpen={whole.data?.klines[0]?.open}
        key={run.run_id}
        onClose={() => setPlayed(null)}
        run={run}
        trades={trades}
      />
    );
  }
  return (
    <>
      <Chart
        caption={<Caption drawnAs={shown.interval_seconds} focus={focus} onWhole={onWhole} run={run} trades={trades} />}
        className={HEIGHT}
        data={data}
        focus={focus}
        isDemo={run.data_source === "demo"}
        name={focus && shown !== whole.data ? `${run.run_id} ${focus.number}` : run.run_id}
        onStep={trades?.total || run.open_position ? onStep : undefined}
        onView={onView}
        tools={
          run.details_kept && (
            <Button look="ghost" onClick={() => setPlayed(run.run_id)} size="small">
              Play
            </Button>
          )
        }
      />
      <ProblemNote error={error} />
    </>
  );
}

/** Why the run failed, with a button that runs it again with the same parameters. */
function FailedRun({ bot, run }: { bot: Bot; run: Run }) {
  const { token, chain, kline_interval, start_time, end_time } = run;
  const { initial_cash, fee_percent, slippage_percent, intrabar } = run;
  const costs = { initial_cash, fee_percent, slippage_percent, intrabar, ...samePoolCosts(run.costs) };
  const same = { token, chain, kline_interval, start_time, end_time, ...costs };
  const start = useStart(bot);
  const why = start.error ?? new Error(run.error ?? "The backtest failed.");
  return (
    <Frame>
      <ErrorState error={why} onRetry={() => start.mutate(same)} />
    </Frame>
  );
}

/** The original candles around a trade or in the zoomed view, if the whole run has too many to draw each. */
function useCloseUp(run: Run, isMerged: boolean, focus: Stretch | null) {
  const [zoom, setZoom] = useState<{ of: Stretch | null; part: Span | null } | null>(null);
  const beside = focus ? around(focus, run.kline_interval) : null;
  const isZoomed = zoom !== null && zoom.of === focus;
  const part = isMerged ? (isZoomed ? zoom.part : beside) : null;
  const { data, error, isFetching, isPlaceholderData } = useKlines(part ? run : undefined, part ?? undefined, true);
  // The candles around the previous trade do not contain this one.
  const closeUp = part && (isZoomed || !isPlaceholderData) ? data : undefined;
  const limits = { start_time: seconds(run.start_time), end_time: seconds(run.end_time) };
  const onView = (view: View) => {
    if (!isMerged || isFetching) return;
    const next = partFor(view, part, limits);
    if (next?.start_time !== part?.start_time || next?.end_time !== part?.end_time) setZoom({ of: focus, part: next });
  };
  return { part, closeUp, error, onView };
}

type CaptionProps = Omit<BacktestChartProps, "bot" | "onStep"> & { drawnAs: number };

function Caption({ run, trades, focus, onWhole, drawnAs }: CaptionProps) {
  const name = useRunTokenName(run);
  const merged = drawnAs > INTERVALS[run.kline_interval] && `, drawn as ${duration(drawnAs)} candles`;
  const token = <strong className="font-medium text-ink">{name}</strong>;
  if (focus) {
    return (
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span>
          {token}, {focus.isOpen ? "the open position" : `trade #${focus.number}`} on {run.kline_interval} candles
          {merged}
        </span>
        <Button onClick={onWhole} size="small">
          Show the whole run
        </Button>
      </span>
    );
  }
  return (
    <>
      {token}, {run.kline_interval} candles over {period(run)}: {count(trades?.total)}{" "}
      {trades?.total === 1 ? "trade" : "trades"}
      {merged}
      {run.data_source === "demo" && ", invented prices"}
    </>
  );
}

export function SimulationChart({ run }: { run: Simulation }) {
  const data = useSimulationScene(run);
  const name = useRunTokenName(run);
  const clock = run.trade_log.at(-1)?.time;
  if (!data) return <LoadingChart />;
  return (
    <Chart
      caption={
        <>
          <strong className="font-medium text-ink">{name}</strong>, {run.kline_interval} candles,{" "}
          {run.status === "running" ? "one more each time it checks" : "as the simulation saw them"}
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

type ChartAreaProps = BacktestChartSource | SimulationSource;
type BacktestChartSource = {
  of: "backtest";
  bot: Bot;
  run: Run | undefined;
  trades: Trades | undefined;
  focus: Stretch | null;
  onWhole: () => void;
  onStep: (by: 1 | -1) => void;
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
    <BacktestChart
      bot={props.bot}
      focus={props.focus}
      onStep={props.onStep}
      onWhole={props.onWhole}
      run={props.run}
      trades={props.trades}
    />
  ) : (
    <Frame>
      {props.bot.strategy ? (
        <Empty title="Not tested yet.">Run a backtest below: the candles, the trades and the equity appear here.</Empty>
      ) : (
        <Empty title="It has no strategy yet.">
          Describe one in the chat or write its first condition; then a backtest shows here what it would have done.
        </Empty>
      )}
    </Frame>
  );
}
