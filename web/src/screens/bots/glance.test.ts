import { expect, test } from "vitest";
import { type Bot, type Choice, chosen, type Order, type Show, tagsOf } from "@/screens/bots/glance";

const ALL: Choice = { show: "all", order: "newest", named: "", tag: "" };
const bot = (name: string, simulation: Partial<NonNullable<Bot["simulation"]>> | null, tags: string[] = []) =>
  ({ name, simulation, tags }) as Bot;
const BOTS = [
  bot("Dips", null, ["slow", "memes"]),
  bot("apes", { status: "running", total_value: 900, pnl_percent: -10, quantity: 0 }),
  bot("Breakout", { status: "paused", total_value: 5000, pnl_percent: 2, quantity: 7 }),
  bot("Calm", { status: "running", total_value: 2000, pnl_percent: 5, quantity: 3 }, ["slow"]),
];

test.each<[Show, string[]]>([
  ["all", ["Dips", "apes", "Breakout", "Calm"]],
  ["running", ["apes", "Calm"]],
  ["holding", ["Breakout", "Calm"]],
  ["paused", ["Breakout"]],
  ["idle", ["Dips"]],
])("shown are the bots that are %s", (show, names) => {
  expect(chosen(BOTS, { ...ALL, show }).map(({ name }) => name)).toEqual(names);
});

test.each<[Order, string[]]>([
  ["newest", ["Dips", "apes", "Breakout", "Calm"]],
  ["name", ["apes", "Breakout", "Calm", "Dips"]],
  ["value", ["Breakout", "Calm", "apes", "Dips"]],
  ["return", ["Calm", "Breakout", "apes", "Dips"]],
])("the order %s puts bots without a simulation where they belong", (order, names) => {
  expect(chosen(BOTS, { ...ALL, order }).map(({ name }) => name)).toEqual(names);
});

test("a name is found by any part of it, in any letter case", () => {
  expect(chosen(BOTS, { ...ALL, named: " AP" }).map(({ name }) => name)).toEqual(["apes"]);
});

test("bots are found by a tag", () => {
  expect(tagsOf(BOTS)).toEqual(["memes", "slow"]);
  expect(chosen(BOTS, { ...ALL, tag: "slow" }).map(({ name }) => name)).toEqual(["Dips", "Calm"]);
});
