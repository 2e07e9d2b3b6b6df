/** The first strategy of a bot is tested at once, on a token that suits it: nobody should have to ask for that. */
import { api, queries, queryClient, type Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import { dryCount } from "@/backtests/dryCount";
import { reasonIn } from "@/chat/answer";
import { refreshBots } from "@/chat/records";
import { toast } from "@/design/Toast";
import { learnNames } from "@/market/names";
import { session } from "@/session/store";

type Strategy = NonNullable<Schemas["BotView"]["strategy"]>;
type Interval = NonNullable<Schemas["BacktestRequest"]["kline_interval"]>;

/** What a bot without a token is tested on, in the demo market. */
export type LentToken = { symbol: string; token: string; chain: string };

const MAKES_STRATEGIES = new Set(["create_bot", "update_trading_strategy"]);
const SOL: LentToken = { symbol: "SOL", token: "So11111111111111111111111111111111111111112", chain: "solana" };
/** What a backtest without dates covers. */
const DAYS = 30;
const MINUTES: Record<string, number> = { m: 1, h: 60, d: 1440 };
/** From the longest; a month of the shortest is as many candles as a visitor may have. */
const CANDLES: readonly [Interval, number][] = [
  ["1h", 60],
  ["15m", 15],
  ["5m", 5],
];

export async function testForTheFirstTime(turn: Schemas["TurnView"], token: LentToken = SOL): Promise<void> {
  const botId = turn.conversation.bot_id;
  if (!botId || !madeAStrategy(turn)) return;
  try {
    await test(botId, token);
  } catch (error) {
    const { detail, upsell } = problemOf(error);
    toast(upsell ? `${detail} ${upsell}` : detail, { tone: "failed" });
  }
}

function madeAStrategy({ message }: Schemas["TurnView"]): boolean {
  const done = message.tool_calls.filter((call) => reasonIn(call.result) === null).map((call) => call.name);
  return done.some((name) => MAKES_STRATEGIES.has(name)) && !done.includes("run_backtest");
}

async function test(botId: string, token: LentToken): Promise<void> {
  const path = { bot_id: botId };
  const [bot, runs] = await Promise.all([
    queryClient.fetchQuery({
      ...queries.queryOptions("get", "/api/bots/{bot_id}", { params: { path } }),
      staleTime: 0,
    }),
    api.GET("/api/bots/{bot_id}/backtests", { params: { path, query: { per_page: 1 } } }),
  ]);
  if (!bot.strategy || runs.data?.total_backtests !== 0) return;
  if (!bot.token && !(await lend(token, botId))) return;
  const kline_interval = candlesFor(bot.strategy);
  if (await wouldNeverBuy(botId, kline_interval)) {
    toast("On these 30 days it would not have bought once, so your one backtest is kept. Change it below.");
  } else {
    await api.POST("/api/bots/{bot_id}/backtest", { params: { path }, body: { kline_interval } });
  }
  refreshBots();
}

/** Asked for a visitor, who has one backtest; what cannot be counted is tested. */
async function wouldNeverBuy(botId: string, kline_interval: Interval): Promise<boolean> {
  if (session.get().accessToken) return false;
  try {
    const start_time = Math.floor(Date.now() / 1000) - DAYS * 86_400;
    return (await dryCount(botId, { kline_interval, start_time })).total_entries === 0;
  } catch {
    return false;
  }
}

/** In the demo market any bot can have a token; in a real one it is for its owner to choose. */
async function lend({ symbol, token, chain }: LentToken, botId: string): Promise<boolean> {
  const info = await queryClient.ensureQueryData(queries.queryOptions("get", "/api/info", {}));
  if (info.provider !== "demo") return false;
  await api.PATCH("/api/bots/{bot_id}", { params: { path: { bot_id: botId } }, body: { token, chain } });
  learnNames({ token_id: `${token}-${chain}`, symbol });
  toast(`Tested on ${symbol}, a token of the demo market.`);
  return true;
}

/** The longest candles that are no longer than the shortest window of the strategy. */
export function candlesFor(strategy: Strategy): Interval {
  const conditions = [...strategy.conditions, ...(strategy.exit_conditions ?? [])];
  const windows = conditions.flatMap((condition) => ("window" in condition ? [minutes(condition.window ?? "1h")] : []));
  const shortest = Math.min(60, ...windows);
  return CANDLES.find(([, length]) => length <= shortest)?.[0] ?? "5m";
}

function minutes(duration: string): number {
  return Number(duration.slice(0, -1)) * (MINUTES[duration.slice(-1)] ?? 1);
}
