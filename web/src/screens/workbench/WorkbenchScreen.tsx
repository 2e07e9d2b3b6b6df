/** One bot: talk about it, see it tested on the chart, change it, and let it trade with invented money. */
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { queries, type Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import { BacktestsTab } from "@/backtests/BacktestsTab";
import { instrumentOf, TokenName } from "@/backtests/instrument";
import { stretchOf, type Trade, useBacktest, useBacktests, useTrades } from "@/backtests/runs";
import { TradesTable } from "@/backtests/TradesTable";
import type { Stretch } from "@/chart/Canvas";
import { Badge } from "@/design/Badge";
import { ButtonLink } from "@/design/Button";
import { Choice } from "@/design/Field";
import { useTitle } from "@/design/Page";
import { Empty, ErrorState, Loading, Skeleton } from "@/design/States";
import { Tabs } from "@/design/Tabs";
import { classes } from "@/kit/classes";
import { ChartArea } from "@/screens/workbench/ChartArea";
import { type TabName, usePlace } from "@/screens/workbench/place";
import { SidePanel } from "@/screens/workbench/SidePanel";
import { useSettings } from "@/session/user";
import { useSimulation, useSimulations } from "@/simulations/runs";
import { SimulationTab } from "@/simulations/SimulationTab";
import { RevisionsTab } from "@/strategy/RevisionsTab";

const ChatPanel = lazy(() => import("@/chat/ChatPanel"));

type Bot = Schemas["BotView"];

export default function WorkbenchScreen({ botId }: { botId: string }) {
  const {
    data: bot,
    error,
    refetch,
  } = queries.useQuery("get", "/api/bots/{bot_id}", {
    params: { path: { bot_id: botId } },
  });
  useTitle(bot?.name ?? "Workbench");
  if (bot) return <Workbench bot={bot} />;
  if (!error) return <LoadingWorkbench />;
  if (problemOf(error).status !== 404) return <ErrorState error={error} onRetry={refetch} />;
  return (
    <Empty action={<ButtonLink href="/bots">See your bots</ButtonLink>} title="There is no such bot.">
      It was deleted, or it belongs to someone else.
    </Empty>
  );
}

/** What a narrow window shows; a wide one shows all three. */
type Area = "chat" | "chart" | "strategy";

const AREAS: { value: Area; label: string }[] = [
  { value: "chat", label: "Chat" },
  { value: "chart", label: "Chart" },
  { value: "strategy", label: "Strategy" },
];

/** Nothing is taken away when another area is chosen: an answer that is being written goes on. */
function Workbench({ bot }: { bot: Bot }) {
  const [area, setArea] = useState<Area>("chart");
  const [place] = usePlace();
  const newest = useBacktests(bot.id).data?.backtests[0]?.run_id ?? null;
  const { data: run } = useBacktest(bot.id, place.run ?? newest);
  return (
    <div className="stack flex-1 lg:relative lg:min-h-[38rem]">
      <div className="stack flex-1 lg:absolute lg:inset-0">
        <Heading area={area} bot={bot} onArea={setArea} />
        <div className="grid min-h-0 flex-1 lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[19rem_minmax(0,1fr)_22rem] 2xl:grid-cols-[24rem_minmax(0,1fr)_25rem]">
          <div
            className={classes(
              "relative stack min-h-0 border-line max-lg:h-[calc(100dvh-10rem)] max-lg:min-h-96 lg:max-xl:order-last lg:max-xl:border-l xl:border-r",
              area !== "chat" && "max-xl:hidden",
            )}
          >
            <Suspense fallback={<Skeleton className="m-4 h-40" />}>
              <ChatPanel botId={bot.id} />
            </Suspense>
          </div>
          <div className={classes("relative stack min-h-0 overflow-y-auto", area !== "chart" && "max-lg:hidden")}>
            <Centre bot={bot} />
          </div>
          <aside
            aria-label="Strategy and result"
            className={classes(
              "relative min-h-0 min-w-0 overflow-y-auto border-line bg-surface lg:border-l",
              area === "chat" && "max-xl:hidden",
              area === "chart" && "max-lg:hidden",
            )}
          >
            <SidePanel bot={bot} run={run} />
          </aside>
        </div>
      </div>
    </div>
  );
}

function Heading({ bot, area, onArea }: { bot: Bot; area: Area; onArea: (area: Area) => void }) {
  const { default_chain } = useSettings();
  const running = useSimulations(bot.id).data?.simulations[0]?.status === "running";
  const instrument = bot.token ? instrumentOf(bot.token, bot.chain, default_chain) : null;
  return (
    <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2">
      <h1 className="min-w-0 truncate text-lead">{bot.name}</h1>
      {instrument && (
        <span className="truncate text-small text-ink-faint max-sm:hidden">
          <TokenName chain={instrument.chain} token={instrument.address} /> on {instrument.chain}
        </span>
      )}
      {running && (
        <Badge live tone="accent">
          Simulating
        </Badge>
      )}
      <Choice
        className="ml-auto xl:hidden"
        label="Part of the workbench"
        onChange={onArea}
        options={AREAS}
        value={area}
      />
    </header>
  );
}

function Centre({ bot }: { bot: Bot }) {
  const [place, go] = usePlace();
  const chart = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState<Stretch | null>(null);
  const list = useBacktests(bot.id);
  const newest = list.data?.backtests[0]?.run_id ?? null;
  const backtest = useBacktest(bot.id, place.run ?? newest);
  const run = backtest.data;
  const trades = useTrades(run);
  useNewRunInSight(newest, () => go({ run: null }));
  const simulations = useSimulations(bot.id);
  const simulationId = place.simulation ?? simulations.data?.simulations[0]?.run_id ?? null;
  const simulation = useSimulation(bot.id, simulationId);

  const jump = useCallback((trade: Trade) => {
    setFocus(stretchOf(trade));
    chart.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const show = (part: Parameters<typeof go>[0]) => {
    setFocus(null);
    go(part);
  };

  return (
    <>
      <div className="bg-surface" ref={chart}>
        {place.tab === "simulation" ? (
          <ChartArea
            error={simulation.error}
            isLoading={simulations.isLoading || simulation.isLoading}
            of="simulation"
            onRetry={simulation.refetch}
            run={simulation.data}
          />
        ) : (
          <ChartArea
            error={list.error ?? backtest.error}
            focus={focus}
            hasStrategy={bot.strategy !== null}
            isLoading={list.isLoading || backtest.isLoading}
            of="backtest"
            onRetry={() => (list.error ? list.refetch() : backtest.refetch())}
            run={run}
            trades={trades.data}
          />
        )}
      </div>
      <Tabs
        className="flex-1 border-t border-line bg-surface"
        label="About this bot"
        onChange={(tab) => go({ tab: tab as TabName })}
        tabs={[
          {
            id: "backtests",
            label: "Backtests",
            panel: (
              <BacktestsTab
                bot={bot}
                onShow={(id) => show({ run: id === newest ? null : id })}
                onStart={() => show({ run: null })}
                run={run}
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
                run={simulation.data}
              />
            ),
          },
          {
            id: "trades",
            label: "Trades",
            panel: (
              <TradesPanel
                chosen={focus?.number ?? null}
                error={trades.error}
                onChoose={jump}
                onRetry={trades.refetch}
                run={run}
                trades={trades.data}
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

/** Whoever started it, here or in the chat, wants to see it. */
function useNewRunInSight(newest: string | null, onNew: () => void): void {
  const known = useRef(newest);
  useEffect(() => {
    if (known.current !== null && newest !== known.current) onNew();
    known.current = newest;
  });
}

type TradesPanelProps = {
  run: ReturnType<typeof useBacktest>["data"];
  trades: ReturnType<typeof useTrades>["data"];
  error: unknown;
  chosen: number | null;
  onChoose: (trade: Trade) => void;
  onRetry: () => void;
};

function TradesPanel({ run, trades, error, chosen, onChoose, onRetry }: TradesPanelProps) {
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
  return <TradesTable chosen={chosen} onChoose={onChoose} run={run} trades={trades} />;
}

function LoadingWorkbench() {
  return (
    <Loading className="stack flex-1" label="Loading the bot…">
      <div className="flex h-12 items-center border-b border-line px-4">
        <Skeleton className="h-5 w-40" />
      </div>
      <div className="grid flex-1 gap-4 p-4 xl:grid-cols-[19rem_minmax(0,1fr)_22rem]">
        <Skeleton className="min-h-64 max-xl:hidden" />
        <Skeleton className="min-h-96" />
        <Skeleton className="min-h-64 max-xl:hidden" />
      </div>
    </Loading>
  );
}
