/** What a strategy would have bought on recent candles. It is no backtest, and free. */
import { useQuery } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import type { Instrument } from "@/backtests/instrument";
import type { ChartData } from "@/chart/Drawing";
import { worthDrawing } from "@/chart/lines";
import { count } from "@/format/numbers";
import type { Bot } from "@/strategy/versions";

export type Previewed = Schemas["PreviewView"];

const CANDLES = 300;

/** `typed` is the strategy as JSON; `on` is a token for a bot that has none. */
export function usePreview(bot: Bot, typed: string, on: Instrument | null, enabled: boolean) {
  return useQuery({
    queryKey: ["preview", bot.id, bot.token, on, typed],
    enabled: enabled && (bot.token !== null || on !== null),
    retry: false,
    staleTime: 60_000,
    placeholderData: (before: Previewed | undefined) => before,
    queryFn: async () => {
      const { data } = await api.POST("/api/bots/{bot_id}/preview", {
        params: { path: { bot_id: bot.id } },
        body: { strategy: JSON.parse(typed), token: on?.address, chain: on?.chain, candles: CANDLES },
      });
      return data as Previewed;
    },
  });
}

export function boughtWords({ total_entries: total, klines, kline_interval }: Previewed, name: string): string {
  if (klines.length === 0) return `There are no candles of ${name} to show.`;
  const times = total === 1 ? "once" : `${count(total)} times`;
  const did = total === 0 ? "It would not have bought" : `It would have bought ${times}`;
  return `${did} on the last ${count(klines.length)} ${kline_interval} candles of ${name}.`;
}

export function previewChart({ klines, series, entries }: Previewed): ChartData {
  return {
    candles: klines,
    fills: entries.map(({ time, reason }) => ({ time, side: "buy", why: reason })),
    trades: [],
    curves: null,
    lines: worthDrawing(series),
  };
}
