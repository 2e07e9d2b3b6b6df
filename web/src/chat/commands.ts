/** The slash commands. The server answers `/help` with the same list; a test compares the two. */

export type Command = { name: string; arguments: string; purpose: string };

export const COMMANDS: readonly Command[] = [
  { name: "/help", arguments: "", purpose: "lists these commands" },
  { name: "/bots", arguments: "", purpose: "lists your bots" },
  { name: "/bot", arguments: "NAME", purpose: "links a bot to this conversation" },
  { name: "/strategy", arguments: "", purpose: "says what the linked bot does" },
  { name: "/undo", arguments: "", purpose: "takes back the last change of the strategy" },
  { name: "/backtest", arguments: "[TOKEN] [INTERVAL] [DAYS]", purpose: "tests the strategy" },
  { name: "/simulate", arguments: "[TOKEN] [INTERVAL] [live]", purpose: "paper-trades it on the last hour, or live" },
  { name: "/watch", arguments: "[TOKEN]", purpose: "tells you when it would buy, and trades nothing" },
  { name: "/stop", arguments: "", purpose: "stops the simulation that is running" },
  { name: "/search", arguments: "WORDS", purpose: "finds tokens" },
  { name: "/trending", arguments: "[CHAIN]", purpose: "shows what everyone trades" },
  { name: "/risk", arguments: "TOKEN", purpose: "says how dangerous a token is" },
  { name: "/price", arguments: "TOKEN", purpose: "says what a token costs" },
];

/** The commands that may be meant while one is being typed; none once its name is complete or it is no command. */
export function matching(text: string): Command[] {
  if (!/^\/\w*$/.test(text)) return [];
  const begun = text.toLowerCase();
  return COMMANDS.filter((command) => command.name.startsWith(begun));
}

/** The text in the box after a command is chosen: ready to send, or ready for its arguments. */
export function completed(command: Command): string {
  return command.arguments ? `${command.name} ` : command.name;
}

/** Whether it can be sent as it is. */
export function isComplete(command: Command): boolean {
  return command.arguments === "" || command.arguments.startsWith("[");
}
