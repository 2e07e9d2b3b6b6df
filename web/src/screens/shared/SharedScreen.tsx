/** A shared backtest, readable without a login. Its strategy can be copied into an own bot. */
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, queries, type Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
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
import { Button, ButtonLink } from "@/design/Button";
import { Card } from "@/design/Card";
import { Page } from "@/design/Page";
import { Empty, ErrorState, Loading, Note, ProblemNote, Skeleton } from "@/design/States";
import { Money } from "@/format/Figures";
import { count, unbroken } from "@/format/numbers";
import { classes } from "@/kit/classes";
import { learnNames } from "@/market/names";
import { useMakeBot } from "@/market/useMakeBot";
import { becomeVisitor, session } from "@/session/store";

type Shared = Schemas["SharedBacktest"];

export default function SharedScreen({ shareId }: { shareId: string }) {
  const params = { path: { share_id: shareId } };
  const { data, error, refetch } = queries.useQuery("get", "/api/shares/{share_id}", { params });
  useEffect(() => {
    if (data) learnNames({ token_id: `${data.token}-${data.chain}`, symbol: data.token_symbol });
  }, [data]);
  if (error) return <NotShown error={error} onRetry={refetch} />;
  return (
    <Page
      actions={data && <TryButton shared={data} />}
      lead="Somebody shared this test of a strategy. It is about the past, and no advice."
      title="A shared backtest"
    >
      {data ? <Found shared={data} shareId={shareId} /> : <Waiting />}
    </Page>
  );
}

function NotShown({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const gone = problemOf(error).status === 404;
  const home = (
    <ButtonLink href="/" look="primary">
      Test an idea of your own
    </ButtonLink>
  );
  return (
    <Page title={gone ? "Not shared" : "A shared backtest"}>
      <Card>
        {gone ? (
          <Empty action={home} title="This backtest is not shared, or not any more.">
            Whoever shared it can share it again, under another address.
          </Empty>
        ) : (
          <ErrorState error={error} onRetry={onRetry} />
        )}
      </Card>
    </Page>
  );
}

function Waiting() {
  return (
    <Loading className="stack gap-4" label="Loading the backtest…">
      <Skeleton className="h-24" />
      <Skeleton className="h-96" />
    </Loading>
  );
}

function Found({ shared, shareId }: { shared: Shared; shareId: string }) {
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
              {shared.data_report?.warm_up_summary && (
                <p className="text-small text-ink-soft">{shared.data_report.warm_up_summary}</p>
              )}
            </>
          )}
        </div>
      </Card>
      <SharedChart chosen={chosen} shared={shared} shareId={shareId} />
      <Card title="Trades">
        <TradesTable
          chosen={chosen?.number ?? null}
          onChoose={setChosen}
          run={shared}
          trades={{ trades: shared.trades.toReversed(), total: shared.total_trades }}
        />
      </Card>
    </>
  );
}

function SharedChart({ shared, shareId, chosen }: { shared: Shared; shareId: string; chosen: Trade | null }) {
  const params = { path: { share_id: shareId } };
  const klines = queries.useQuery("get", "/api/shares/{share_id}/klines", { params });
  if (klines.error) return <ProblemNote error={klines.error} />;
  if (!klines.data) return <Skeleton className="h-96" />;
  if (klines.data.klines.length === 0) return null;
  return (
    <div className="overflow-hidden rounded-card border border-line">
      <Chart
        caption={`${shared.kline_interval} candles, ${count(shared.total_trades)} ${shared.total_trades === 1 ? "trade" : "trades"}`}
        className="h-96"
        data={chartData(shared, klines.data, shared.trades.toReversed())}
        focus={chosen && stretchOf(chosen)}
        isDemo={shared.data_source === "demo"}
        name={shareId}
      />
    </div>
  );
}

/** Copies the strategy into an own bot; a reader without an account becomes a visitor first. */
function TryButton({ shared }: { shared: Shared }) {
  const make = useMakeBot();
  const { token, chain, strategy, token_symbol } = shared;
  const attempt = useMutation({
    mutationFn: async () => {
      await becomeSomebody();
      return make.mutateAsync({ name: `Shared ${token_symbol ?? "strategy"}`.slice(0, 80), token, chain, strategy });
    },
  });
  return (
    <div className="stack items-end gap-2">
      <Button busy={attempt.isPending} look="primary" onClick={() => attempt.mutate()}>
        Try this strategy
      </Button>
      <ProblemNote error={attempt.error} />
    </div>
  );
}

async function becomeSomebody(): Promise<void> {
  const { accessToken, anonymousToken } = session.get();
  if (accessToken || anonymousToken) return;
  const { data } = await api.POST("/api/conversations", { body: {} });
  if (data && "anonymous_token" in data) becomeVisitor(data.anonymous_token);
}
