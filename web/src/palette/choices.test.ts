import { expect, test } from "vitest";
import { matching, type PaletteChoice } from "@/palette/choices";

const choice = (name: string, group: string, detail?: string): PaletteChoice => ({
  id: name,
  group,
  name,
  detail,
  go: () => {},
});
const ALL = [choice("Dip buyer", "Bots", "SOL"), choice("Momentum", "Bots"), choice("Market", "Go to")];

test.each([
  ["", ["Dip buyer", "Momentum", "Market"]],
  ["m", ["Momentum", "Market"]],
  ["bots sol", ["Dip buyer"]],
  ["  MARKET ", ["Market"]],
  ["nothing", []],
])("“%s” finds %j", (typed, names) => {
  expect(matching(ALL, typed).map(({ name }) => name)).toEqual(names);
});
