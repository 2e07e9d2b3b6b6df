/** The chart of the selected backtest, or why there is none yet. */
import { type ReactNode, useState } from "react";
import { around, hasSeries, INTERVALS, useChartData } from "@/backtests/chart";
import { againOf } from "@/backtests/choices";
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
import type { View } from "@/chart/places";
import type { Rules } from "@/chart/RuleLines";
import { Button } from "@/design/Button";
import { lazyPart, notLoaded } from "@/design/lazyPart";
import { Empty, ErrorState, ProblemNote } from "@/design/States";
import { count } from "@/format/numbers";
import { duration, period } from "@/format/times";
import { PurseChart } from "@/purse/PurseChart";
import { type OnToken, placeOf } from "@/purse/result";
import { Fetched, type Fetching, Frame, HEIGHT, LoadingChart, NoChart } from "@/screens/workbench/ChartFrame";
import { FirstLook } from "@/screens/workbench/FirstLook";
import type { Bot } from "@/strategy/versions";

const Playback = lazyPart(() => import("@/playback/Playback"), { Failed: NoPlayback });
const NO_RULES: Rules[] = [];

type BacktestAreaProps = Omit<BacktestChartProps, "run"> & Fetching & { run: OnToken | undefined };

export function BacktestArea({ isLoading, error, onRetry, run, ...rest }: BacktestAreaProps) {
  const empty = rest.bot.strategy ? (
    <FirstLook bot={rest.bot} strategy={rest.bot.strategy} />
  ) : (
    <NoChart>
      <Empty title="It has no strategy yet.">
        Describe one in the chat or write its first condition; then a backtest shows here what it would have done.
      </Empty>
    </NoChart>
  );
  return (
    <Fetched empty={empty} error={error} isLoading={isLoading} onRetry={onRetry} run={run}>
      {(found) => <AnyChart {...rest} run={found} />}
    </Fetched>
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
  run: OnToken;
  trades: Trades | undefined;
  /** The selected trade. */
  focus: Stretch | null;
  onWhole: () => void;
  /** Selects the next or the previous trade. */
  onStep: (by: 1 | -1) => void;
  /** Of many tokens: chooses the one whose chart is shown. */
  select: ReactNode;
};

function AnyChart(props: BacktestChartProps) {
  const { bot, run, trades, select } = props;
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
  if (!run.tokens || run.token_id) return <BacktestChart {...props} />;
  if (!run.equity_curve?.length) {
    return (
      <NoChart>
        <Empty title="There is no curve of this run.">
          It was stopped, or is so old that only its figures are kept.
        </Empty>
      </NoChart>
    );
  }
  const caption = (
    <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <span>
        <Summary run={run} trades={trades} />
      </span>
      {select}
    </span>
  );
  return <PurseChart caption={caption} className={HEIGHT} run={run} />;
}

function BacktestChart({ run, trades, focus, onWhole, onStep, select }: BacktestChartProps) {
  const whole = useKlines(run);
  const [played, setPlayed] = useState<string | null>(null);
  const isMerged = (whole.data?.interval_seconds ?? 0) > INTERVALS[run.kline_interval];
  const { part, closeUp, error, onView } = useCloseUp(run, isMerged, focus);
  const shown = closeUp ?? whole.data;
  const lines = useSeries(run, part ?? undefined, hasSeries(run.strategy));
  const place = focus && (run.token_id && trades ? placeOf(trades, focus.number) : focus.number);
  const rules = useRules(run, place).data?.rules;
  const data = useChartData(run, shown, whole.data, trades?.trades, {
    lines: lines.data,
    rules: focus && rules ? rules : NO_RULES,
  });
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
        name={[run.run_id, run.token_id, focus && shown !== whole.data && focus.number].filter(Boolean).join(" ")}
        onStep={trades?.total || run.open_position ? onStep : undefined}
        onView={onView}
        tools={
          select ??
          (run.details_kept && (
            <Button look="ghost" onClick={() => setPlayed(run.run_id)} size="small">
              Play
            </Button>
          ))
        }
      />
      <ProblemNote error={error} />
    </>
  );
}

/** Why the run failed, with a button that runs it again with the same parameters. */
function FailedRun({ bot, run }: { bot: Bot; run: Run }) {
  const start = useStart(bot);
  const why = start.error ?? new Error(run.error ?? "The backtest failed.");
  return (
    <Frame>
      <ErrorState error={why} onRetry={() => start.mutate(againOf(run))} />
    </Frame>
  );
}

/** The original candles around a trade or in the zoomed view, if the whole run has too many to draw each. */
function useCloseUp(run: OnToken, isMerged: boolean, focus: Stretch | null) {
  const [zoom, setZoom] = useState<{ of: Stretch | null; part: Span | null } | null>(null);
  const beside = focus ? around(focus, run.kline_interval) : null;
  const isZoomed = zoom !== null && zoom.of === focus;
  const part = isMerged ? (isZoomed ? zoom.part : beside) : null;
  const { data, error, isFetching, isPlaceholderData } = useKlines(part ? run : undefined, part ?? undefined, true);
  // The candles around the previous trade do not contain this one.
  const closeUp = part && (isZoomed || !isPlaceholderData) ? data : undefined;
  const limits = { start_time: seconds(run.start_time), end_time: seconds(run.end_time) };
  const onView = (view: View | null) => {
    if (!view) setZoom(null);
    if (!view || !isMerged || isFetching) return;
    const next = partFor(view, part, limits);
    if (next?.start_time !== part?.start_time || next?.end_time !== part?.end_time) setZoom({ of: focus, part: next });
  };
  return { part, closeUp, error, onView };
}

type CaptionProps = Omit<BacktestChartProps, "bot" | "onStep" | "select"> & { drawnAs: number };

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
  return <Summary merged={merged} run={run} trades={trades} />;
}

type SummaryProps = { run: OnToken; trades: Trades | undefined; merged?: string | false };

function Summary({ run, trades, merged }: SummaryProps) {
  return (
    <>
      <strong className="font-medium text-ink">{useRunTokenName(run)}</strong>, {run.kline_interval} candles over{" "}
      {period(run)}: {count(trades?.total)} {trades?.total === 1 ? "trade" : "trades"}
      {merged}
      {run.data_source === "demo" && ", invented prices"}
    </>
  );
}
