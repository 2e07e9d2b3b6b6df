import { useState } from "react";
import { Link } from "wouter";
import { queries, type Schemas } from "@/api/client";
import { Button, ButtonLink } from "@/design/Button";
import { Card, Figure } from "@/design/Card";
import { Choice } from "@/design/Field";
import { PlusIcon } from "@/design/icons";
import { lazyPart } from "@/design/lazyPart";
import { Page, useTitle } from "@/design/Page";
import { Empty, ErrorState, Loading, ProblemNote, Skeleton } from "@/design/States";
import { Table } from "@/design/Table";
import { toast } from "@/design/Toast";
import { Change, Price, Time } from "@/format/Figures";
import { count, price, roundMoney } from "@/format/numbers";
import { chainName } from "@/market/chains";
import { TokenMark } from "@/market/TokenMark";
import { useMakeBot } from "@/market/useMakeBot";
import { RiskCard } from "@/screens/market/RiskCard";
import { SignedIn } from "@/session/SignedIn";

const PriceChart = lazyPart(() => import("@/screens/market/PriceChart"), { name: "The chart" });

type TokenDetail = Schemas["TokenDetail"];
type Interval = "1m" | "5m" | "15m" | "1h" | "4h" | "1d";

const SECONDS_BETWEEN_PRICES = 30;

export default function TokenScreen({ tokenId }: { tokenId: string }) {
  return (
    <SignedInOrTitled>
      <Token tokenId={tokenId} />
    </SignedInOrTitled>
  );
}

function SignedInOrTitled({ children }: { children: React.ReactNode }) {
  return (
    <SignedIn
      otherwise={(gate) => <Page title="Token">{gate}</Page>}
      why="Market data is fetched for people with an account."
    >
      {children}
    </SignedIn>
  );
}

function Token({ tokenId }: { tokenId: string }) {
  const { data, error, refetch } = queries.useQuery(
    "get",
    "/api/market/tokens/{token_id}",
    { params: { path: { token_id: tokenId } } },
    { refetchInterval: SECONDS_BETWEEN_PRICES * 1000 },
  );
  const token = data && "token" in data ? data.token : null;
  if (token) return <TokenPage token={token} />;
  return (
    <Page title="Token">
      <Card>
        {error ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : data ? (
          <Empty action={<ButtonLink href="/market">Search the market</ButtonLink>} title="No such token." />
        ) : (
          <Loading>
            <Skeleton className="h-120" />
          </Loading>
        )}
      </Card>
    </Page>
  );
}

function TokenPage({ token }: { token: TokenDetail }) {
  useTitle(`${token.symbol} $${price(token.price_usd)}`);
  return (
    <div className="mx-auto stack w-full max-w-6xl gap-5 px-4 py-6 sm:px-6 sm:py-8">
      <Heading token={token} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="stack gap-5">
          <ChartCard token={token} />
          <PairsCard pairs={token.pairs} />
        </div>
        <div className="stack gap-5">
          <FactsCard token={token} />
          <RiskCard tokenId={token.token_id} />
        </div>
      </div>
    </div>
  );
}

function Heading({ token }: { token: TokenDetail }) {
  const makeBot = useMakeBot();
  return (
    <header className="stack gap-4">
      <Link className="self-start text-small text-ink-soft hover:text-ink" href="/market">
        ← Market
      </Link>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <TokenMark size={44} symbol={token.symbol} />
        <div className="stack flex-1 basis-40">
          <h1 className="truncate text-title">
            {token.symbol} <span className="font-normal text-ink-soft">{token.name}</span>
          </h1>
          <p className="text-small text-ink-faint">{chainName(token.chain)}</p>
        </div>
        <p className="stack text-right max-sm:text-left">
          <Price className="text-figure font-semibold tracking-tight" value={token.price_usd} />
          <span className="text-small">
            <Change value={token.price_change_24h_percent} /> <span className="text-ink-faint">24 h</span>
          </span>
        </p>
        <Button
          busy={makeBot.isPending}
          look="primary"
          onClick={() => makeBot.mutate({ name: `${token.symbol} bot`, token: token.address, chain: token.chain })}
        >
          <PlusIcon />
          Make a bot for this
        </Button>
      </div>
      <ProblemNote error={makeBot.error} />
    </header>
  );
}

const INTERVALS = (["1m", "5m", "15m", "1h", "4h", "1d"] as const).map((value) => ({ value, label: value }));

function ChartCard({ token }: { token: TokenDetail }) {
  const [interval, setInterval] = useState<Interval>("1h");
  const { data, error, refetch } = queries.useQuery("get", "/api/market/klines/{token_id}", {
    params: { path: { token_id: token.token_id }, query: { interval, limit: 300 } },
  });
  return (
    <Card
      actions={<Choice label="Candles" onChange={setInterval} options={INTERVALS} value={interval} />}
      padded={false}
      title="Price"
    >
      <div className="stack h-90 justify-center">
        {error ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : !data ? (
          <ChartPlaceholder />
        ) : data.klines.length === 0 ? (
          <Empty title="No candles.">The provider has none for this token at {interval}. Try another interval.</Empty>
        ) : (
          <PriceChart
            fallback={<ChartPlaceholder />}
            klines={data.klines}
            name={`${token.symbol}, candles of ${interval}`}
          />
        )}
      </div>
    </Card>
  );
}

function ChartPlaceholder() {
  return (
    <Loading className="stack h-full p-4" label="Loading candles…">
      <Skeleton className="flex-1" />
    </Loading>
  );
}

function FactsCard({ token }: { token: TokenDetail }) {
  return (
    <Card title="Facts">
      <dl className="grid grid-cols-2 gap-4">
        <Figure name="Volume, 24 hours">{roundMoney(token.volume_24h_usd)}</Figure>
        <Figure name="Liquidity">{roundMoney(token.liquidity_usd)}</Figure>
        <Figure name="Market cap">{roundMoney(token.market_cap_usd)}</Figure>
        <Figure name="Holders">{count(token.holders)}</Figure>
        {token.created_at && (
          <Figure className="col-span-2" name="Since">
            <Time at={token.created_at} />
          </Figure>
        )}
      </dl>
      <div className="mt-4 flex items-center gap-2 border-t border-line pt-3">
        <code className="min-w-0 flex-1 truncate font-mono text-small text-ink-soft">{token.address}</code>
        <Button onClick={() => copy(token.address)} size="small">
          Copy address
        </Button>
      </div>
    </Card>
  );
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast("The address is on your clipboard.");
  } catch {
    toast("Your browser does not allow it. Please copy it by hand.", { tone: "failed" });
  }
}

function PairsCard({ pairs }: { pairs: TokenDetail["pairs"] }) {
  return (
    <Card padded={false} title="Pairs">
      {pairs.length === 0 ? (
        <Empty title="No pair is known." />
      ) : (
        <Table
          caption="Trading pairs"
          columns={[
            { name: "Pair", cell: (pair) => `${pair.base ?? "?"} / ${pair.quote ?? "?"}` },
            { name: "Exchange", cell: (pair) => pair.exchange ?? "–" },
            { name: "Price", numeric: true, cell: (pair) => <Price value={pair.price_usd} /> },
            { name: "Liquidity", numeric: true, cell: (pair) => roundMoney(pair.liquidity_usd) },
            { name: "Volume", numeric: true, minor: true, cell: (pair) => roundMoney(pair.volume_24h_usd) },
          ]}
          rowKey={(pair) => pair.pair}
          rows={pairs}
        />
      )}
    </Card>
  );
}
