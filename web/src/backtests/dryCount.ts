/** How often a strategy would buy: asked for before a visitor's one backtest, so that it is not wasted. */
import { useQuery } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { useSession } from "@/session/store";

type Request = Schemas["PreviewRequest"];
type Preview = Schemas["PreviewView"];

/** Moments are the same for a minute: a question a second would be a new one each time. */
const A_MINUTE = 60;

export async function dryCount(botId: string, request: Request): Promise<Preview> {
  const { data } = await api.POST("/api/bots/{bot_id}/preview", {
    params: { path: { bot_id: botId } },
    body: { ...request, candles: 0 },
  });
  return data as Preview;
}

/** Null for whoever has an account: they may test as often as they like. */
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
