/** Tool calls in human words: what is being done, what was done, what could not be. */
import { type Call, reasonIn } from "@/chat/answer";
import { percent } from "@/format/numbers";

type Facts = Record<string, unknown>;
type Words = { doing: string; done: (result: unknown, given: Facts) => string; failed: string };

const WORDS: Record<string, Words> = {
  create_bot: {
    doing: "Making the bot",
    done: (result, given) => `Made the bot ${quoted(botName(result) ?? given.name)}`,
    failed: "The bot could not be made",
  },
  update_trading_strategy: {
    doing: "Changing the strategy",
    done: () => "Changed the strategy",
    failed: "The strategy was not changed",
  },
  get_current_strategy: {
    doing: "Reading the strategy",
    done: () => "Read the strategy",
    failed: "The strategy could not be read",
  },
  list_bots: {
    doing: "Looking through your bots",
    done: (result) => `Looked through your bots: ${counted(facts(result).total_bots, "bot")}`,
    failed: "Your bots could not be listed",
  },
  set_bot: {
    doing: "Switching the bot",
    done: (result, given) => `Switched to ${quoted(botName(result) ?? given.bot)}`,
    failed: "The bot was not switched",
  },
  get_bot_info: {
    doing: "Looking at the bot",
    done: (result) => `Looked at ${quoted(botName(result))}`,
    failed: "The bot could not be looked at",
  },
  run_backtest: {
    doing: "Testing it on market history",
    done: (result) => runWords(facts(result)),
    failed: "The test did not start",
  },
  get_backtest: {
    doing: "Looking at the test",
    done: (result) => runWords(facts(result)),
    failed: "The test could not be looked at",
  },
  start_simulation: {
    doing: "Starting the simulation",
    done: () => "Started a simulation",
    failed: "The simulation did not start",
  },
  stop_simulation: {
    doing: "Stopping the simulation",
    done: () => "Stopped the simulation",
    failed: "The simulation was not stopped",
  },
  search_tokens: {
    doing: "Searching the market",
    done: (result, given) => `Searched for ${quoted(given.query)}: ${counted(lengthOf(result), "token")}`,
    failed: "The search failed",
  },
  trending_tokens: {
    doing: "Looking at what is trending",
    done: (result) => `Looked at what is trending: ${counted(lengthOf(result), "token")}`,
    failed: "What is trending could not be read",
  },
  get_token_risk: {
    doing: "Checking the token",
    done: (result) => `Checked the token: ${facts(result).risk_level ?? "unknown"} risk`,
    failed: "The token could not be checked",
  },
  get_price: {
    doing: "Asking for the price",
    done: () => "Asked for the price",
    failed: "The price could not be read",
  },
};

export function callWords(call: Call): string {
  const words = WORDS[call.name] ?? unknownTool(call.name);
  if (call.state === "running") return `${words.doing}…`;
  return call.state === "done" ? words.done(call.result, call.arguments) : words.failed;
}

/** Why it failed, for those that did. */
export function failureWords(call: Call): string | null {
  return call.state === "failed" ? reasonIn(call.result) : null;
}

function unknownTool(name: string): Words {
  const words = name.replaceAll("_", " ");
  return { doing: `Calling ${words}`, done: () => `Called ${words}`, failed: `${words} failed` };
}

function runWords(run: Facts): string {
  const result = facts(run.metrics).total_return;
  switch (run.status) {
    case "completed":
      return typeof result === "number" ? `Tested it: ${percent(result, { sign: true })}` : "Tested it";
    case "failed":
      return "The test failed";
    case "stopped":
      return "The test was stopped";
    default:
      return "The test is running";
  }
}

export function facts(value: unknown): Facts {
  return typeof value === "object" && value !== null ? (value as Facts) : {};
}

export function botName(result: unknown): unknown {
  return facts(facts(result).bot).name;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function counted(amount: unknown, noun: string): string {
  return amount === 1 ? `1 ${noun}` : `${typeof amount === "number" ? amount : 0} ${noun}s`;
}

function quoted(text: unknown): string {
  return typeof text === "string" && text ? `“${text}”` : "it";
}
