/** The tokens of the market: for visitors those of the demo market, where there is one. */
import { queries } from "@/api/client";
import { useDebounced } from "@/kit/useDebounced";
import { useSession } from "@/session/store";

/** An empty query returns the trending tokens. While it is searching, the data is that of the query before, or none. */
export function useTokens(query: string, chain: string | undefined, limit: number) {
  const { accessToken } = useSession();
  const isSearch = query !== "";
  const options = { enabled: accessToken !== null };
  const found = queries.useQuery(
    "get",
    "/api/market/tokens",
    { params: { query: { query, chain, limit } } },
    { enabled: options.enabled && isSearch, placeholderData: (before) => before },
  );
  const trending = queries.useQuery(
    "get",
    "/api/market/tokens/trending",
    { params: { query: { chain, limit } } },
    { enabled: options.enabled && !isSearch },
  );
  const demo = queries.useQuery(
    "get",
    "/api/market/demo-tokens",
    { params: { query: { query: query || undefined, chain, limit } } },
    { enabled: !options.enabled, placeholderData: (before) => before },
  );
  const { data, error, refetch, isPending, isPlaceholderData } = options.enabled ? (isSearch ? found : trending) : demo;
  return { data, error, refetch, isSearching: isPending || isPlaceholderData };
}

/** The tokens for what is being typed: each search may cost a call to the provider, so it waits for a pause between letters. */
export function useTypedTokens(typed: string, limit: number) {
  const query = useDebounced(typed);
  const found = useTokens(query, undefined, limit);
  return { ...found, isSearching: found.isSearching || query !== typed };
}

/** Whether this person may see tokens: everybody in the demo market, otherwise users who are logged in. Undefined until known. */
export function useSeesTokens() {
  const { accessToken } = useSession();
  const info = queries.useQuery("get", "/api/info", {}, { staleTime: Number.POSITIVE_INFINITY });
  if (accessToken !== null) return { sees: true, error: null, refetch: info.refetch };
  return { sees: info.data && info.data.provider === "demo", error: info.error, refetch: info.refetch };
}
