/** Tool calls in words: while they run, when they are done, and if they fail. */
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
    done: (result) => (facts(result).dry_run === true ? "Checked the strategy" : "Changed the strategy"),
    failed: "The strategy was not changed",
  },
  update_bot: {
    doing: "Changing the bot",
    done: (result) => `Changed ${quoted(botName(result))}`,
    failed: "The bot was not changed",
  },
  delete_bot: {
    doing: "Deleting the bot",
    done: (result) => `Deleted ${quoted(facts(result).deleted)}`,
    failed: "The bot was not deleted",
  },
  undo: {
    doing: "Undoing the last change",
    done: () => "Undid the last change",
    failed: "Nothing was undone",
  },
  restore_revision: {
    doing: "Bringing an earlier strategy back",
    done: () => "Brought an earlier strategy back",
    failed: "No earlier strategy was brought back",
  },
  holdout: {
    doing: "Changing what tests can see",
    done: (result) => (facts(result).sealed === true ? "Sealed the newest history" : "Opened the sealed history"),
    failed: "What tests can see was not changed",
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
    done: (result) => runWords(facts(result), "Looked at the test"),
    failed: "The test could not be looked at",
  },
  compare_backtests: {
    doing: "Comparing the tests",
    done: (result) => `Compared ${counted(lengthOf(facts(result).backtests), "test")}`,
    failed: "The tests could not be compared",
  },
  start_watch: {
    doing: "Starting the watch",
    done: (result) => `Watches ${counted(lengthOf(facts(result).tokens), "token")}`,
    failed: "The watch did not start",
  },
  explain: {
    doing: "Looking at the decision",
    done: () => "Looked at the decision",
    failed: "The decision could not be looked at",
  },
  share: {
    doing: "Changing the share",
    done: (result) => (facts(result).shared === true ? "Shared the result" : "Ended the share"),
    failed: "The share was not changed",
  },
  get_run: {
    doing: "Looking at the run",
    done: () => "Looked at the run",
    failed: "The run could not be looked at",
  },
  stop_run: {
    doing: "Stopping the run",
    done: () => "Stopped the run",
    failed: "The run was not stopped",
  },
  optimise: {
    doing: "Searching for better values",
    done: (result) => `Tried ${counted(facts(result).variants_done, "variant")}`,
    failed: "The search did not start",
  },
  survey: {
    doing: "Testing it on many tokens",
    done: (result) => `Tested it on ${counted(facts(result).tokens_done, "token")}`,
    failed: "The test on many tokens did not start",
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
  get_simulation: {
    doing: "Looking at the simulation",
    done: () => "Looked at the simulation",
    failed: "The simulation could not be looked at",
  },
  search_tokens: {
    doing: "Searching the market",
    done: (result, given) =>
      `${given.query ? `Searched for ${quoted(given.query)}` : "Looked at what is trending"}: ${counted(lengthOf(result), "token")}`,
    failed: "The search failed",
  },
  get_token: {
    doing: "Looking at the token",
    done: (result) => `Looked at ${quoted(facts(result).symbol)}`,
    failed: "The token could not be looked at",
  },
  get_token_risk: {
    doing: "Checking the token",
    done: (result) => `Checked the token: ${facts(result).risk_level ?? "unknown"} risk`,
    failed: "The token could not be checked",
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

function runWords(run: Facts, done = "Tested it"): string {
  const result = facts(run.metrics).total_return;
  switch (run.status) {
    case "completed":
      return typeof result === "number" ? `${done}: ${percent(result, { sign: true })}` : done;
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
