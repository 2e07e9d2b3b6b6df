import { expect, test } from "vitest";
import type { Call } from "@/chat/answer";
import { EXAMPLES, ideaFor } from "@/screens/start/ideas";
import { botMadeBy } from "@/screens/start/walking";

test("an example names its token only where that token is sure to exist", () => {
  for (const example of EXAMPLES) {
    expect(ideaFor(example, true)).toContain(example.token.symbol);
    expect(ideaFor(example, false)).not.toContain(example.token.symbol);
    expect(ideaFor(example, false)).toMatch(/^Buy when /);
  }
});

const call = (name: string, result: unknown, state: Call["state"] = "done"): Call => ({
  name,
  arguments: {},
  result,
  state,
});
const bot = (id: string, strategy: unknown) => ({ bot: { id }, strategy });

test.each([
  ["nothing was called", [], null],
  ["the bot has no strategy yet", [call("create_bot", bot("a", null))], null],
  ["the bot could not be made", [call("create_bot", { error: "One is all." }, "failed")], null],
  ["a strategy was only read", [call("get_current_strategy", bot("a", {}))], null],
  ["a bot was made with its strategy", [call("create_bot", bot("a", {}))], "a"],
  ["the strategy came later", [call("create_bot", bot("a", null)), call("update_trading_strategy", bot("a", {}))], "a"],
  ["another bot was chosen", [call("create_bot", bot("a", {})), call("set_bot", bot("b", {}))], "b"],
] as const)("when %s, the way leads to %s", (_, calls, id) => {
  expect(botMadeBy(calls)).toBe(id);
});
