import { expect, test } from "vitest";
import { COMMANDS, completed, isComplete, matching } from "@/chat/commands";

const names = (text: string) => matching(text).map((command) => command.name);

test("a slash lists every command, each letter narrows the list, and arguments close it", () => {
  expect(names("/")).toEqual(COMMANDS.map((command) => command.name));
  expect(names("/b")).toEqual(["/bots", "/bot", "/backtest"]);
  expect(names("/BACK")).toEqual(["/backtest"]);
  expect(names("/risk ")).toEqual([]);
  expect(names("/nothing")).toEqual([]);
  expect(names("buy /b")).toEqual([]);
  expect(names("")).toEqual([]);
});

test("a command with arguments waits for them; one without can be sent", () => {
  const find = (name: string) => COMMANDS.find((command) => command.name === name) ?? COMMANDS[0];
  expect(["/risk", "/backtest", "/undo"].map((name) => isComplete(find(name) as never))).toEqual([false, true, true]);
  expect(["/risk", "/undo"].map((name) => completed(find(name) as never))).toEqual(["/risk ", "/undo"]);
});
