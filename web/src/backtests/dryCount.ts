/** How often a strategy would buy. It is fetched before a visitor's only backtest, so that it is not wasted. */
import { useQuery } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { useSession } from "@/session/store";

type Request = Schemas["PreviewRequest"];
type Preview = Schemas["PreviewView"];

/** Times are rounded to this many seconds, so that the query key does not change every second. */
const A_MINUTE = 60;

export async function dryCount(botId: string, request: Request): Promise<Preview> {
  const { data } = await api.POST("/api/bots/{bot_id}/preview", {
    params: { path: { bot_id: botId } },
    body: { ...request, candles: 0 },
  });
  return data as Preview;
}

/** Null for a user with an account, who may test as often as they like. */
export function useDryCount(botId: string, request: Request | null): Preview | null {
  const { accessToken } = useSession();
  const asked = request && { ...request, start_time: rounded(request.start_time) };
  const { data } = useQuery({
    queryKey: ["dry count", botId, JSON.stringify(asked)],
    enabled: asked !== null && accessToken === null,
    retry: false,
    queryFn: () => dryCount(botId, asked as Request),
  });
  return data ?? null;
}

function rounded(moment: Request["start_time"]): Request["start_time"] {
  return typeof moment === "number" ? moment - (moment % A_MINUTE) : moment;
}
