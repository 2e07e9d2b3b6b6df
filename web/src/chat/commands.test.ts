import { expect, test } from "vitest";
import { COMMANDS, completed, isComplete, matching } from "@/chat/commands";

const names = (text: string) => matching(text).map((command) => command.name);

test("a slash offers every command, each letter fewer, and the rest of a message none", () => {
  expect(names("/")).toEqual(COMMANDS.map((command) => command.name));
  expect(names("/b")).toEqual(["/bots", "/bot", "/backtest"]);
  expect(names("/BACK")).toEqual(["/backtest"]);
  expect(names("/risk ")).toEqual([]);
  expect(names("/nothing")).toEqual([]);
  expect(names("buy /b")).toEqual([]);
  expect(names("")).toEqual([]);
});

test("a command that needs something waits for it; one that needs nothing can go", () => {
  const find = (name: string) => COMMANDS.find((command) => command.name === name) ?? COMMANDS[0];
  expect(["/risk", "/backtest", "/undo"].map((name) => isComplete(find(name) as never))).toEqual([false, true, true]);
  expect(["/risk", "/undo"].map((name) => completed(find(name) as never))).toEqual(["/risk ", "/undo"]);
});
