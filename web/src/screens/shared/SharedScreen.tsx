/** A shared backtest, readable without a login. Its strategy can be copied into an own bot. */
import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, queries, type Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import { type Shared, SharedResult } from "@/backtests/SharedResult";
import { Button, ButtonLink } from "@/design/Button";
import { Card } from "@/design/Card";
import { Page } from "@/design/Page";
import { Empty, ErrorState, Loading, ProblemNote, Skeleton } from "@/design/States";
import { learnNames } from "@/market/names";
import { useMakeBot } from "@/market/useMakeBot";
import { becomeVisitor, session } from "@/session/store";

export default function SharedScreen({ shareId }: { shareId: string }) {
  const params = { path: { share_id: shareId } };
  const { data, error, refetch } = queries.useQuery("get", "/api/shares/{share_id}", { params });
  useEffect(() => {
    if (data?.tokens) learnNames(data.tokens);
    else if (data) learnNames({ token_id: `${data.token}-${data.chain}`, symbol: data.token_symbol });
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
  const load = async (token_id: string | undefined) => {
    const params = { path: { share_id: shareId }, query: { token_id } };
    const { data } = await api.GET("/api/shares/{share_id}/klines", { params });
    return data as Schemas["ChartView"]; // a refusal is thrown
  };
  return <SharedResult load={load} name={shareId} shared={shared} />;
}

/** Copies the strategy into an own bot; a reader without an account becomes a visitor first. */
function TryButton({ shared }: { shared: Shared }) {
  const make = useMakeBot();
  const { strategy, token_symbol, tokens } = shared;
  const universe = tokens?.map(({ token, chain }) => ({ token, chain }));
  const traded = universe ? { universe } : { token: shared.token, chain: shared.chain };
  const attempt = useMutation({
    mutationFn: async () => {
      await becomeSomebody();
      return make.mutateAsync({ name: `Shared ${token_symbol ?? "strategy"}`.slice(0, 80), ...traded, strategy });
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
