import { expect, test } from "vitest";
import type { Schemas } from "@/api/client";
import { testForTheFirstTime } from "@/chat/firstTest";
import { becomeVisitor, enter, leave } from "@/session/store";
import { serve } from "@/testing/server";

type Strategy = Schemas["Strategy"];

const DIP: Strategy = { conditions: [{ kind: "price_drop", percent: 5, window: "2h" }] };
const BOT = {
  id: "b1",
  name: "Dip",
  token: null,
  chain: null,
  strategy: DIP,
  revision: 1,
  recommended_kline_interval: "15m",
};

function turn(...calls: [string, unknown][]): Schemas["TurnView"] {
  const tool_calls = calls.map(([name, result]) => ({ name, arguments: {}, result }));
  const message = { id: "m", role: "assistant", content: "Done.", tool_calls, receipts: null, created_at: "" } as const;
  const conversation = { id: "c", title: "", bot_id: "b1", created_at: "", updated_at: "", messages: [message] };
  return { message, conversation, warning: null, remaining_chats: 49 };
}

function market(provider: string, bot: object = BOT, runs = 0) {
  enter("token");
  return serve({
    "GET /api/info": { body: { version: "1", provider } },
    "GET /api/bots/b1": { body: bot },
    "PATCH /api/bots/b1": { body: bot },
    "GET /api/bots/b1/backtests": { body: { backtests: [], total_backtests: runs } },
    "POST /api/bots/b1/backtest": { status: 202, body: { run_id: "r" } },
  });
}

async function changes(seen: Request[]): Promise<[string, unknown][]> {
  const made = seen.filter((request) => request.method !== "GET");
  return Promise.all(made.map(async (request) => [new URL(request.url).pathname, await request.json()] as const)).then(
    (all) => all.map(([path, body]) => [path, body]),
  );
}

test("a strategy without a token is tested on one of the demo market", async () => {
  const seen = market("demo");
  await testForTheFirstTime(turn(["create_bot", BOT]), { symbol: "PIPO", token: "A", chain: "solana" });
  expect(await changes(seen)).toEqual([
    ["/api/bots/b1", { token: "A", chain: "solana" }],
    ["/api/bots/b1/backtest", {}],
  ]);
});

test("the token of a bot is not replaced, in a real market too", async () => {
  const seen = market("ave", { ...BOT, token: "B", chain: "base" });
  await testForTheFirstTime(turn(["update_trading_strategy", BOT]));
  expect(await changes(seen)).toEqual([["/api/bots/b1/backtest", {}]]);
});

test("a visitor's only backtest is not used without their saying so", async () => {
  const seen = market("demo");
  leave();
  becomeVisitor("token");
  await testForTheFirstTime(turn(["create_bot", BOT]), { symbol: "PIPO", token: "A", chain: "solana" });
  expect(await changes(seen)).toEqual([["/api/bots/b1", { token: "A", chain: "solana" }]]);
});

test.each([
  ["nothing was made", "demo", turn(["list_bots", {}]), BOT, 0],
  ["the change failed", "demo", turn(["create_bot", { error: "One bot is all." }]), BOT, 0],
  ["the agent has tested it", "demo", turn(["create_bot", BOT], ["run_backtest", { status: "completed" }]), BOT, 0],
  ["the chat offers to test the change", "demo", turn(["update_trading_strategy", { ...BOT, before: DIP }]), BOT, 0],
  ["it was tested before", "demo", turn(["update_trading_strategy", BOT]), BOT, 1],
  ["it has no strategy", "demo", turn(["create_bot", BOT]), { ...BOT, strategy: null }, 0],
  ["a real market needs a choice", "ave", turn(["create_bot", BOT]), BOT, 0],
])("nothing is started when %s", async (_, provider, told, bot, runs) => {
  const seen = market(provider, bot, runs);
  await testForTheFirstTime(told);
  expect(await changes(seen)).toEqual([]);
});
