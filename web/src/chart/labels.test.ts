import { expect, test } from "vitest";
import { apart } from "@/chart/labels";

const label = (text: string, x: number, y: number) => ({ text, colour: "", x, y, width: 60 });

test("two labels at one place stand under each other, and others stay where they are", () => {
  const places = apart([label("target", 100, 50), label("from", 60, 52), label("level", 60, 80)], 500);
  expect(places.map(({ text, x, y }) => [text, x, y])).toEqual([
    ["target", 100, 50],
    ["from", 60, 63],
    ["level", 60, 80],
  ]);
});

test("labels beside each other on one line stay on it", () => {
  expect(apart([label("one", 0, 50), label("two", 60, 50)], 500).map(({ y }) => y)).toEqual([50, 50]);
});

test("no label is cut off at an edge of the pane", () => {
  expect(apart([label("left", -20, 10), label("right", 480, 40)], 500).map(({ x }) => x)).toEqual([0, 440]);
});
