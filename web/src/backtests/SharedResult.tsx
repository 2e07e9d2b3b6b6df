/** What a reader of a shared backtest sees: the strategy, the result, its chart and its trades. */
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Schemas } from "@/api/client";
import { CostNotes } from "@/backtests/CostNotes";
import { chartData, stretchOf } from "@/backtests/chart";
import { gainTone } from "@/backtests/gainTone";
import { AllMetrics } from "@/backtests/MetricCards";
import { meaning } from "@/backtests/meaning";
import { RunIdentity } from "@/backtests/RunIdentity";
import type { Trade, Trades } from "@/backtests/runs";
import { TradesTable } from "@/backtests/TradesTable";
import { VerdictDetail } from "@/backtests/Verdict";
import { Chart } from "@/chart/Chart";
import { Button } from "@/design/Button";
import { Card } from "@/design/Card";
import { Note, ProblemNote, Skeleton } from "@/design/States";
import { Money } from "@/format/Figures";
import { count, unbroken } from "@/format/numbers";
import { classes } from "@/kit/classes";
import { PurseChart } from "@/purse/PurseChart";
import { PurseResult } from "@/purse/PurseResult";
import { type OnToken, onToken, tradesOn } from "@/purse/result";

export type Shared = Schemas["SharedBacktest"];

type SharedResultProps = {
  shared: Shared;
  /** The name of a saved picture. */
  name: string;
  /** Loads the candles of one token of a purse; those of the only token are `undefined`. */
  load: (tokenId: string | undefined) => Promise<Schemas["ChartView"]>;
};

export function SharedResult({ shared, name, load }: SharedResultProps) {
  const [chosen, setChosen] = useState<Trade | null>(null);
  const [tokenId, setTokenId] = useState<string | null>(null);
  const chart = useRef<HTMLDivElement>(null);
  const trades = { trades: shared.trades.toReversed(), total: shared.total_trades };
  const row = shared.tokens?.find((each) => each.token_id === tokenId);

  function show(tokenId: string | null, trade: Trade | null = null) {
    setTokenId(tokenId);
    setChosen(trade);
    chart.current?.scrollIntoView({ block: "start" });
  }
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
          <VerdictDetail isShared run={{ ...shared, holdout: null }} />
          {shared.metrics && (
            <>
              <p>{meaning(shared.metrics, shared)}</p>
              <CostNotes costs={shared.costs} notes={shared.cost_notes} />
              <AllMetrics metrics={shared.metrics} notes={shared.metric_notes} />
              <PurseResult onShow={show} purse={shared} shown={tokenId} />
              {shared.data_report?.warm_up_summary && (
                <p className="text-small text-ink-soft">{shared.data_report.warm_up_summary}</p>
              )}
            </>
          )}
        </div>
      </Card>
      <div className="scroll-mt-16" ref={chart}>
        {shared.tokens && !row ? (
          <PurseChart className="h-72" isCard run={shared} />
        ) : (
          <SharedChart
            chosen={chosen}
            load={load}
            name={name}
            shared={row ? onToken(shared, row) : shared}
            trades={row ? tradesOn(trades, row) : trades}
          />
        )}
        {row && (
          <Button className="mt-2" onClick={() => show(null)} size="small">
            Show the whole purse
          </Button>
        )}
      </div>
      <Card title="Trades">
        <TradesTable
          chosen={chosen?.number ?? null}
          onChoose={(trade) => show(trade.token_id ?? null, trade)}
          run={shared}
          trades={trades}
        />
      </Card>
    </>
  );
}

type SharedChartProps = Omit<SharedResultProps, "shared"> & {
  shared: OnToken<Shared>;
  trades: Trades;
  chosen: Trade | null;
};

function SharedChart({ shared, trades, name, load, chosen }: SharedChartProps) {
  const { token_id } = shared;
  const { data: chart, error } = useQuery({
    queryKey: ["shared chart", name, token_id],
    queryFn: () => load(token_id),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <ProblemNote error={error} />;
  if (!chart) return <Skeleton className="h-96" />;
  if (chart.klines.length === 0) return null;
  return (
    <div className="overflow-hidden rounded-card border border-line">
      <Chart
        caption={`${token_id ? `${shared.token_symbol}, ` : ""}${shared.kline_interval} candles, ${count(trades.total)} ${trades.total === 1 ? "trade" : "trades"}`}
        className="h-96"
        data={chartData(shared, chart, trades.trades)}
        focus={chosen && stretchOf(chosen)}
        isDemo={shared.data_source === "demo"}
        name={name}
      />
    </div>
  );
}
