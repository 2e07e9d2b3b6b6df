/** Which token a run is about. */
import { queries } from "@/api/client";
import { useKnownName } from "@/market/names";
import { useSession } from "@/session/store";

export type Instrument = { address: string; chain: string };

/** A bot's token may be an address, or a whole token id that ends with its chain. */
export function instrumentOf(token: string, chain: string | null, defaultChain: string): Instrument {
  const known = chain ?? /-([a-z0-9_]+)$/.exec(token)?.[1];
  if (!known) return { address: token, chain: defaultChain };
  const ending = `-${known}`;
  return { address: token.endsWith(ending) ? token.slice(0, -ending.length) : token, chain: known };
}

export function shortAddress(address: string): string {
  return address.length > 14 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;
}

/**
 * The token's symbol: as its run has it, from the browser's memory, or from the market; otherwise its shortened address.
 */
export function useTokenName(instrument: Instrument | null, symbol?: string | null): string {
  const { accessToken } = useSession();
  const token_id = `${instrument?.address}-${instrument?.chain}`;
  const remembered = useKnownName(token_id);
  const known = symbol ?? remembered;
  const { data } = queries.useQuery(
    "get",
    "/api/market/tokens/{token_id}",
    { params: { path: { token_id } } },
    {
      enabled: accessToken !== null && instrument !== null && known === undefined,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    },
  );
  const demo = queries.useQuery(
    "get",
    "/api/market/demo-tokens",
    { params: { query: { query: instrument?.address, limit: 1 } } },
    {
      enabled: accessToken === null && instrument !== null && known === undefined,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    },
  ).data?.tokens[0];
  const token = data && "token" in data ? data.token : demo;
  return known || token?.symbol || shortAddress(instrument?.address ?? "");
}

/** What a run says of its token; its symbol is null until the run begins. */
type Named = { token: string; chain: string; token_symbol?: string | null; tokens_total?: number };

/** Of a run on many tokens, how many there are. */
export function useRunTokenName({ token, chain, token_symbol, tokens_total = 1 }: Named): string {
  return useTokenName({ address: token, chain }, tokens_total > 1 ? `${tokens_total} tokens` : token_symbol);
}

export function TokenName(run: Named) {
  return useRunTokenName(run);
}
