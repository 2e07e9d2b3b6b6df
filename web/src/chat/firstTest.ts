/** The first strategy of a bot is tested automatically, on a suitable token; that of a visitor is only previewed. */
import { api, queries, queryClient, type Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import { reasonIn } from "@/chat/answer";
import { refreshBots } from "@/chat/records";
import { facts } from "@/chat/words";
import { toast } from "@/design/Toast";
import { learnNames } from "@/market/names";
import { session } from "@/session/store";

/** The token of the demo market on which a bot without a token is tested. */
export type LentToken = { symbol: string; token: string; chain: string };

const MAKES_STRATEGIES = new Set(["create_bot", "update_trading_strategy"]);
const SOL: LentToken = { symbol: "SOL", token: "So11111111111111111111111111111111111111112", chain: "solana" };

export async function testForTheFirstTime(turn: Schemas["TurnView"], token: LentToken = SOL): Promise<void> {
  const botId = turn.conversation.bot_id;
  if (!botId || !madeTheFirstStrategy(turn)) return;
  try {
    await test(botId, token);
  } catch (error) {
    const { detail, upsell } = problemOf(error);
    toast(upsell ? `${detail} ${upsell}` : detail, { tone: "failed" });
  }
}

/** The bot's first one: after a later change the chat offers a test. */
function madeTheFirstStrategy({ message }: Schemas["TurnView"]): boolean {
  const done = message.tool_calls.filter(({ result }) => reasonIn(result) === null && facts(result).dry_run !== true);
  const isFirst = done.some(({ name, result }) => MAKES_STRATEGIES.has(name) && facts(result).before == null);
  return isFirst && !done.some(({ name }) => name === "run_backtest");
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
  // A visitor has one backtest, and may have been misunderstood: they see a preview, and start it themselves.
  if (!isVisitor()) await api.POST("/api/bots/{bot_id}/backtest", { params: { path }, body: {} });
  refreshBots();
}

function isVisitor(): boolean {
  return session.get().accessToken === null;
}

/** In the demo market a bot gets a token automatically; in a real market its owner chooses one. */
async function lend({ symbol, token, chain }: LentToken, botId: string): Promise<boolean> {
  const info = await queryClient.ensureQueryData(queries.queryOptions("get", "/api/info", {}));
  if (info.provider !== "demo") return false;
  await api.PATCH("/api/bots/{bot_id}", { params: { path: { bot_id: botId } }, body: { token, chain } });
  learnNames({ token_id: `${token}-${chain}`, symbol });
  toast(`${isVisitor() ? "Shown" : "Tested"} on ${symbol}, a token of the demo market.`);
  return true;
}
