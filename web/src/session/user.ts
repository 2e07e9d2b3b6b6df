/** The user behind the session, and their settings. */
import { queries, type Schemas } from "@/api/client";
import { useSession } from "@/session/store";

export type Settings = Required<Schemas["UserSettings"]>;

export const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The settings of a visitor: the server's defaults, and the time zone of the browser. */
export const VISITOR_SETTINGS: Settings = {
  default_chain: "solana",
  default_kline_interval: "1h",
  default_check_interval: 60,
  initial_cash: 10_000,
  fee_percent: 0.1,
  slippage_percent: 0.05,
  theme: "system",
  timezone: BROWSER_ZONE as Settings["timezone"],
};

export function useMe() {
  const { accessToken } = useSession();
  return queries.useQuery("get", "/api/auth/me", {}, { enabled: accessToken !== null });
}

export function useSettings(): Settings {
  const { accessToken } = useSession();
  const { data } = queries.useQuery(
    "get",
    "/api/auth/settings",
    {},
    { enabled: accessToken !== null, staleTime: 60_000 },
  );
  return accessToken && data ? { ...VISITOR_SETTINGS, ...data } : VISITOR_SETTINGS;
}
