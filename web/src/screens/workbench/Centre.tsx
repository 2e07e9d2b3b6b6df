import { type CSSProperties, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Schemas } from "@/api/client";
import { BacktestsTab } from "@/backtests/BacktestsTab";
import { CostNotes } from "@/backtests/CostNotes";
import { neighbour, stretchesOf, stretchOf } from "@/backtests/chart";
import { gainTone } from "@/backtests/gainTone";
import { meaning } from "@/backtests/meaning";
import { OldResult } from "@/backtests/OldResult";
import { RunIdentity } from "@/backtests/RunIdentity";
import { type Run, type Trade, type Trades, useCourses, useKlines } from "@/backtests/runs";
import { TestedStrategy } from "@/backtests/TestedStrategy";
import { CsvButton, TradesTable } from "@/backtests/TradesTable";
import type { Stretch } from "@/chart/Canvas";
import { Divider } from "@/design/Divider";
import { lazyPart } from "@/design/lazyPart";
import { Empty, ErrorState, Loading, Skeleton } from "@/design/States";
import { Tabs } from "@/design/Tabs";
import { usePreference } from "@/kit/preference";
import { useHiddenRun, useTradesSoFar } from "@/playback/played";
import { type OnToken, onToken, tradesOn } from "@/purse/result";
import { TokenSelect } from "@/purse/TokenSelect";
import { BacktestArea } from "@/screens/workbench/BacktestArea";
import { type TabName, usePlace } from "@/screens/workbench/place";
import { SimulationArea } from "@/screens/workbench/SimulationArea";
import { useShownBacktest, useShownSimulation } from "@/screens/workbench/shown";
import { SimulationTab } from "@/simulations/SimulationTab";
import { RevisionsTab } from "@/strategy/RevisionsTab";

const Analysis = lazyPart(() => import("@/backtests/Analysis"), { name: "The summary of the trades" });
const ExploreTab = lazyPart(() => import("@/explore/ExploreTab"));
const WatchTab = lazyPart(() => import("@/watches/WatchTab"));

type Bot = Schemas["BotView"];

const CHART_HEIGHTS = [240, 1600] as const;
/** Nothing of them is on the chart, so a link to one of them leads below it. */
const WITHOUT_CHART: TabName[] = ["watch", "explore", "revisions"];

/** The middle of the workbench: the chart, and below it tabs with all details. */
export function Centre({ bot }: { bot: Bot }) {
  const [place, go] = usePlace();
  const top = useRef<HTMLDivElement>(null);
  const chart = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState<Stretch | null>(null);
  const [chartHeight, setChartHeight] = usePreference<number | null>("chart-height", null);
  const { list, newest, backtest, trades } = useShownBacktest(bot.id);
  const run = backtest.data;
  const drawn = useDrawn(run, trades.data, place.token);
  useNewRunInSight(newest, () => go({ run: null, token: null }));
  const simulation = useShownSimulation(bot.id);
  const isOnlySimulated = list.data?.backtests.length === 0 && simulation.data !== undefined;
  useEffect(() => {
    if (isOnlySimulated && !new URLSearchParams(location.search).has("tab")) go({ tab: "simulation" });
  }, [isOnlySimulated, go]);
  const tabs = useTabsInSight(place.tab);

  const look = useCallback((stretch: Stretch) => {
    setFocus(stretch);
    chart.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const jump = useCallback(
    (trade: Trade) => {
      if (trade.token_id) go({ token: trade.token_id });
      look(stretchOf(trade));
    },
    [look, go],
  );
  const step = (by: 1 | -1) => {
    if (!drawn.run || !drawn.trades || !trades.data) return;
    // The number of an open position must not be that of another token's trade.
    const own = { ...drawn.trades, total: trades.data.total };
    const next = neighbour(stretchesOf(drawn.run, own), focus?.number ?? null, by);
    if (next) look(next);
  };
  const showToken = (token: string | null) => {
    setFocus(null);
    go({ token });
    chart.current?.scrollIntoView({ block: "nearest" });
  };
  const show = (part: Parameters<typeof go>[0]) => {
    setFocus(null);
    go({ token: null, paperToken: null, ...part });
    top.current?.scrollIntoView({ block: "nearest" });
  };

  return (
    <>
      <div className="scroll-mt-30" ref={top} />
      {run && place.tab !== "simulation" && (
        <>
          <RunIdentity className="border-b border-line bg-surface px-4 py-2" run={run} />
          <TestedStrategy bot={bot} key={run.run_id} run={run} />
          <Verdict bot={bot} run={run} />
        </>
      )}
      {simulation.data && place.tab === "simulation" && (
        <RunIdentity className="border-b border-line bg-surface px-4 py-2" run={simulation.data} />
      )}
      <div className="bg-surface" ref={chart} style={{ "--chart": chartHeight && `${chartHeight}px` } as CSSProperties}>
        {place.tab === "simulation" ? (
          <SimulationArea
            error={simulation.error}
            isLoading={simulation.isLoading}
            onRetry={simulation.refetch}
            onToken={(paperToken) => go({ paperToken })}
            run={simulation.data}
            token={place.paperToken}
          />
        ) : (
          <BacktestArea
            bot={bot}
            error={list.error ?? backtest.error}
            focus={focus}
            isLoading={list.isLoading || backtest.isLoading}
            onRetry={() => (list.error ? list.refetch() : backtest.refetch())}
            onStep={step}
            onWhole={() => setFocus(null)}
            run={drawn.run}
            select={
              run?.tokens && (
                <TokenSelect hasPurse onChange={showToken} tokens={run.tokens} value={drawn.run?.token_id ?? null} />
              )
            }
            trades={drawn.trades}
          />
        )}
      </div>
      <Divider
        axis="y"
        before
        className="max-lg:hidden"
        label="Height of the chart"
        limits={CHART_HEIGHTS}
        onSize={setChartHeight}
        part={() => chart.current?.querySelector("figure > div") ?? chart.current}
      />
      <Tabs
        className="flex-1 border-t border-line bg-surface max-lg:scroll-mt-30"
        label="About this bot"
        onChange={(tab) => {
          go({ tab: tab as TabName });
          // The chart itself changes to the simulation.
          if (tab !== "simulation" || !simulation.data) tabs.show();
        }}
        place={tabs.place}
        tabs={[
          {
            id: "backtests",
            label: "Backtests",
            panel: (
              <BacktestsTab
                bot={bot}
                onShow={(id) => show({ run: id === newest ? null : id })}
                onStart={() => show({ run: null })}
                onToken={showToken}
                run={run}
                shownToken={drawn.run?.token_id ?? null}
              />
            ),
          },
          {
            id: "simulation",
            label: "Simulation",
            panel: (
              <SimulationTab
                bot={bot}
                error={simulation.data ? null : simulation.error}
                onRetry={simulation.refetch}
                onShow={(id) => show({ simulation: id })}
                onToken={(paperToken) => {
                  go({ paperToken });
                  chart.current?.scrollIntoView({ block: "nearest" });
                }}
                run={simulation.data}
                tested={run}
              />
            ),
          },
          {
            id: "watch",
            label: "Watch",
            panel: <WatchTab bot={bot} fallback={<Skeleton className="m-4 h-60" />} />,
          },
          {
            id: "trades",
            label: "Trades",
            panel: (
              <TradesPanel
                bot={bot}
                chosen={focus?.number ?? null}
                drawn={drawn.run}
                error={trades.error}
                onChoose={jump}
                onRetry={trades.refetch}
                run={run}
                trades={trades.data}
              />
            ),
          },
          {
            id: "explore",
            label: "Explore",
            panel: (
              <ExploreTab
                bot={bot}
                fallback={<Skeleton className="m-4 h-60" />}
                onTest={() => show({ tab: "backtests", run: null })}
                run={run}
              />
            ),
          },
          { id: "revisions", label: "Revisions", panel: <RevisionsTab bot={bot} /> },
        ]}
        value={place.tab}
      />
    </>
  );
}

/** What the chart draws: the run itself, or one of its tokens with its trades. */
function useDrawn(run: Run | undefined, trades: Trades | undefined, tokenId: string | null) {
  return useMemo<{ run: OnToken | undefined; trades: Trades | undefined }>(() => {
    const row = run?.tokens?.find(({ token_id, error }) => token_id === tokenId && !error);
    return run && row ? { run: onToken(run, row), trades: trades && tradesOn(trades, row) } : { run, trades };
  }, [run, trades, tokenId]);
}

/** On narrow screens, where the result is not beside the chart, its summary is above. */
function Verdict({ bot, run }: { bot: Bot; run: Run }) {
  const hidden = useHiddenRun();
  if (!run.metrics || run.run_id === hidden) return null;
  const isImpossible = run.costs?.can_be_sold === false;
  const notes = <CostNotes costs={run.costs} notes={run.cost_notes} />;
  return (
    <OldResult bot={bot} className="border-b border-line bg-surface px-4 py-3 *:gap-2 lg:hidden" run={run}>
      {isImpossible && notes}
      <p className="text-lead">{meaning(run.metrics, run)}</p>
      {!isImpossible && notes}
    </OldResult>
  );
}

/** Scrolls to the tabs if little of the chosen panel is in sight: the chart fills the window. */
function useTabsInSight(tab: TabName) {
  const place = useRef<HTMLDivElement>(null);
  const show = useCallback(() => {
    const top = place.current?.getBoundingClientRect().top ?? 0;
    if (top > innerHeight / 2) place.current?.scrollIntoView({ block: "start" });
  }, []);
  const [first] = useState(tab);
  useEffect(() => {
    if (WITHOUT_CHART.includes(first)) show();
  }, [first, show]);
  return { place, show };
}

/** Shows a run that was just started, here or in the chat. */
function useNewRunInSight(newest: string | null, onNew: () => void): void {
  const known = useRef(newest);
  useEffect(() => {
    if (known.current !== null && newest !== known.current) onNew();
    known.current = newest;
  });
}

type TradesPanelProps = {
  bot: Bot;
  run: Run | undefined;
  /** The run as the chart shows it. */
  drawn: OnToken | undefined;
  trades: Trades | undefined;
  error: unknown;
  chosen: number | null;
  onChoose: (trade: Trade) => void;
  onRetry: () => void;
};

function TradesPanel({ bot, run, drawn = run, trades, error, chosen, onChoose, onRetry }: TradesPanelProps) {
  if (error) return <ErrorState error={error} onRetry={onRetry} />;
  if (!run) return <Empty title="No trades yet.">Run a backtest: every trade is listed here with its reasons.</Empty>;
  if (!trades) {
    return (
      <Loading className="stack gap-2 p-4" label="Loading the trades…">
        <Skeleton className="h-8" />
        <Skeleton className="h-60" />
      </Loading>
    );
  }
  return (
    <OldResult bot={bot} className="[&>:first-child:not(:last-child)]:p-4" run={run} test={run}>
      <KnownTrades chosen={chosen} drawn={drawn} onChoose={onChoose} run={run} trades={trades} />
    </OldResult>
  );
}

type KnownTradesProps = {
  run: Run;
  drawn: OnToken | undefined;
  trades: Trades;
  chosen: number | null;
  onChoose: (trade: Trade) => void;
};

function KnownTrades({ run, drawn, trades, chosen, onChoose }: KnownTradesProps) {
  // Of many tokens, the candles of one are known while its chart is shown; the months are those of the purse.
  const isKnown = !run.tokens || drawn?.token_id !== undefined;
  const courses = useCourses(run.details_kept && isKnown ? drawn : undefined);
  const chart = useKlines(run.tokens ? undefined : run);
  const isHidden = useHiddenRun() === run.run_id;
  const known = useTradesSoFar(run, trades);
  if (isHidden && known.total === 0) {
    return <Empty title="No trade was closed yet.">They are listed here as the run is played.</Empty>;
  }
  return (
    <>
      <TradesTable
        action={!isHidden && <CsvButton run={run} />}
        chosen={chosen}
        courses={courses.data?.courses ?? []}
        onChoose={onChoose}
        run={run}
        trades={known}
      />
      {trades.total > 0 && !isHidden && (
        <div className={gainTone(run.costs)}>
          <Analysis chart={chart.data} fallback={<Skeleton className="m-4 h-60" />} run={run} trades={trades.trades} />
        </div>
      )}
    </>
  );
}
