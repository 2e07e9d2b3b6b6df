import { Link, useSearchParams } from "wouter";
import type { Schemas } from "@/api/client";
import { Badge } from "@/design/Badge";
import { Card } from "@/design/Card";
import { Choice } from "@/design/Field";
import { SearchIcon } from "@/design/icons";
import { Page } from "@/design/Page";
import { Empty, ErrorState, Loading, Skeleton } from "@/design/States";
import { type Column, Table } from "@/design/Table";
import { Change, Price } from "@/format/Figures";
import { roundMoney } from "@/format/numbers";
import { useDebounced } from "@/kit/useDebounced";
import { CHAINS, chainName } from "@/market/chains";
import { RISK_WORDS, riskLevel } from "@/market/risk";
import { TokenMark } from "@/market/TokenMark";
import { useSeesTokens, useTokens } from "@/market/tokens";
import { SignedIn } from "@/session/SignedIn";
import { useSession } from "@/session/store";

type Token = Schemas["Token"];

const MOST_TOKENS = 30;
const EVERYWHERE = "all";
const CHAIN_OPTIONS = [
  { value: EVERYWHERE, label: "All chains" },
  ...Object.entries(CHAINS).map(([value, label]) => ({ value, label })),
];

export default function MarketScreen() {
  return (
    <Page lead="Find a token, look at its history and its risks, and make a bot for it." title="Market">
      <MarketOrGate />
    </Page>
  );
}

/** Until the provider is known, a visitor sees the market without its tokens: the gate would be wrong in the demo market. */
function MarketOrGate() {
  const { sees, error, refetch } = useSeesTokens();
  if (error) {
    return (
      <Card>
        <ErrorState error={error} onRetry={refetch} />
      </Card>
    );
  }
  if (sees !== false) return <Market ready={sees === true} />;
  return (
    <SignedIn why="Market data is fetched for people with an account; a backtest in the chat works without.">
      <Market ready />
    </SignedIn>
  );
}

/** The query is kept in the address, so that it survives a reload and the back button. */
function Market({ ready }: { ready: boolean }) {
  const [search, setSearch] = useSearchParams();
  const words = search.get("q") ?? "";
  const chain = search.get("chain") ?? EVERYWHERE;

  function change(name: string, value: string) {
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value && value !== EVERYWHERE) after.set(name, value);
        else after.delete(name);
        return after;
      },
      { replace: true },
    );
  }

  return (
    <div className="stack gap-4">
      <div className="flex flex-wrap gap-3">
        <label className="relative min-w-0 flex-1 basis-72">
          <span className="sr-only">Search by symbol, name or address</span>
          <span className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-ink-faint">
            <SearchIcon />
          </span>
          <input
            className="h-9 w-full rounded-control border border-line-strong/70 bg-surface pr-3 pl-9 placeholder:text-ink-faint hover:border-line-strong"
            maxLength={100}
            onChange={(event) => change("q", event.target.value)}
            placeholder="Symbol, name or address"
            type="search"
            value={words}
          />
        </label>
        <Choice label="Chain" onChange={(value) => change("chain", value)} options={CHAIN_OPTIONS} value={chain} />
      </div>
      <Tokens chain={chain === EVERYWHERE ? undefined : chain} ready={ready} words={words.trim()} />
    </div>
  );
}

type TokensProps = { words: string; chain: string | undefined; ready: boolean };

function Tokens({ words, chain, ready }: TokensProps) {
  const query = useDebounced(words);
  const isSearch = query !== "";
  const { data, error, refetch } = useTokens(query, chain, MOST_TOKENS);
  return (
    <Card
      padded={false}
      title={isSearch ? `Results for “${query}”` : `Trending${chain ? ` on ${chainName(chain)}` : ""}`}
    >
      {!ready ? (
        <TokensPlaceholder />
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <TokensPlaceholder />
      ) : data.tokens.length === 0 ? (
        <NoTokens isSearch={isSearch} />
      ) : (
        <Table caption="Tokens" columns={COLUMNS} rowKey={(token) => token.token_id} rows={data.tokens} />
      )}
    </Card>
  );
}

function NoTokens({ isSearch }: { isSearch: boolean }) {
  return isSearch ? (
    <Empty title="No token matches.">
      Try its symbol, a part of its name, or paste its address; or look on all chains.
    </Empty>
  ) : (
    <Empty title="Nothing is trending here.">Choose another chain, or search for a token.</Empty>
  );
}

const COLUMNS: Column<Token>[] = [
  { name: "Token", cell: (token) => <TokenName token={token} /> },
  {
    name: "Price",
    numeric: true,
    cell: (token) => <PriceAndChange token={token} />,
    sortBy: (token) => token.price_usd ?? null,
  },
  {
    name: "24 hours",
    numeric: true,
    minor: true,
    cell: (token) => <Change value={token.price_change_24h_percent} />,
    sortBy: (token) => token.price_change_24h_percent ?? null,
  },
  {
    name: "Volume",
    numeric: true,
    minor: true,
    cell: (token) => roundMoney(token.volume_24h_usd),
    sortBy: (token) => token.volume_24h_usd ?? null,
  },
  {
    name: "Liquidity",
    numeric: true,
    minor: true,
    cell: (token) => roundMoney(token.liquidity_usd),
    sortBy: (token) => token.liquidity_usd ?? null,
  },
  {
    name: "Market cap",
    numeric: true,
    minor: true,
    cell: (token) => roundMoney(token.market_cap_usd),
    sortBy: (token) => token.market_cap_usd ?? null,
  },
  {
    name: "Risk",
    minor: true,
    cell: (token) => <RiskBadge score={token.risk_score} />,
    sortBy: (token) => token.risk_score ?? null,
  },
];

/** On a phone both share a column. */
function PriceAndChange({ token }: { token: Token }) {
  return (
    <span className="stack items-end">
      <Price value={token.price_usd} />
      <Change className="text-tiny sm:hidden" value={token.price_change_24h_percent} />
    </span>
  );
}

function RiskBadge({ score }: { score: number | null | undefined }) {
  const { text, tone } = RISK_WORDS[riskLevel(score)];
  return <Badge tone={tone}>{text}</Badge>;
}

/** Its page requires a login. */
function TokenName({ token }: { token: Token }) {
  const { accessToken } = useSession();
  const look = "flex max-w-40 items-center gap-2.5 rounded-small sm:max-w-72";
  if (!accessToken) {
    return (
      <span className={look}>
        <Names token={token} />
      </span>
    );
  }
  return (
    <Link className={look} href={`/market/${token.token_id}`}>
      <Names token={token} />
    </Link>
  );
}

function Names({ token }: { token: Token }) {
  return (
    <>
      <TokenMark symbol={token.symbol} />
      <span className="stack">
        <span className="truncate font-medium">{token.symbol}</span>
        <span className="truncate text-tiny text-ink-faint">
          {token.name} · {chainName(token.chain)}
        </span>
      </span>
    </>
  );
}

function TokensPlaceholder() {
  return (
    <Loading className="stack gap-3 p-4" label="Looking for tokens…">
      {Array.from({ length: 10 }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move
        <Skeleton className="h-9" key={place} />
      ))}
    </Loading>
  );
}
