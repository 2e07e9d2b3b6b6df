/** What a user comes back to: what happened, and all bots. A newcomer sees examples. */
import type { ReactNode } from "react";
import { queries } from "@/api/client";
import { Bots } from "@/screens/bots/BotsScreen";

export default function Home({ children }: { children: ReactNode }) {
  const { data } = queries.useQuery("get", "/api/bots", { params: { query: { page: 1, per_page: 100, runs: true } } });
  return data?.total_bots === 0 ? children : <Bots />;
}
