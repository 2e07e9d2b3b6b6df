import { expect, test } from "vitest";
import { type ConditionDraft, ofKind, readCondition, writeCondition } from "@/strategy/conditionDraft";
import { type Move, moved, type Path, pathOf, placeName, removed, replaced } from "@/strategy/moves";
import type { Condition } from "@/strategy/words";

/** A letter is a condition, a list a group. */
type Tree = (string | Tree)[];
const LETTERS = "abcdef";

function conditionOf(part: string | Tree): Condition {
  if (typeof part === "string") return { kind: "price_drop", percent: 1 + LETTERS.indexOf(part), window: "1h" };
  return { kind: "group", match: "any", conditions: part.map(conditionOf) };
}

function partOf(condition: Condition): string | Tree {
  if (condition.kind === "group") return condition.conditions.map(partOf);
  return condition.kind === "price_drop" ? (LETTERS[condition.percent - 1] ?? "?") : "?";
}

const draftsOf = (tree: Tree) => tree.map((part) => readCondition(conditionOf(part)));
const treeOf = (drafts: ConditionDraft[] | null) => drafts?.map((draft) => partOf(writeCondition(draft))) ?? null;

test.each<[Move, Path, Tree, Tree | null]>([
  ["up", [1], ["a", "b"], ["b", "a"]],
  ["up", [0], ["a", "b"], null],
  ["down", [0], ["a", ["b", "c"]], [["b", "c"], "a"]],
  ["down", [1], ["a", "b"], null],
  ["down", [1, 0], ["a", ["b", "c"]], ["a", ["c", "b"]]],
  ["in", [1], [["a"], "b", ["c"]], [["a", "b"], ["c"]]],
  ["in", [0], ["a", ["b"]], [["a", "b"]]],
  ["in", [0], ["a", "b"], null],
  ["in", [0, 0], [["a", ["b"]]], [[["a", "b"]]]],
  ["in", [1], [[["a"]], [["b"]]], [[["a"], [["b"]]]]],
  ["in", [1], [["a"], [[["b"]]]], null],
  ["out", [0], ["a"], null],
  ["out", [1, 0], ["a", ["b", "c"]], ["a", ["c"], "b"]],
  ["out", [0, 0], [["a"], "b"], ["a", "b"]],
  ["out", [0, 0, 1], [[["a", "b"], "c"]], [[["a"], "b", "c"]]],
])("%s from %j in %j makes %j", (move, path, before, after) => {
  expect(treeOf(moved(draftsOf(before), path, move))).toEqual(after);
});

test("a move never loses a condition, and is found again by its key", () => {
  const drafts = draftsOf([["a", ["b", "c"]], "d", [["e"], "f"]]);
  const paths: Path[] = [[0], [0, 0], [0, 1], [0, 1, 1], [1], [2], [2, 0], [2, 0, 0], [2, 1]];
  for (const path of paths)
    for (const move of ["up", "down", "in", "out"] as const) {
      const after = moved(drafts, path, move);
      if (after) expect(JSON.stringify(treeOf(after)).match(/[a-f]/g)?.sort().join("")).toBe(LETTERS);
    }
  const key = drafts[2]?.group.conditions[1]?.key ?? 0;
  expect(placeName(pathOf(drafts, key) ?? [])).toBe("3.2");
  expect(pathOf(drafts, -1)).toBeNull();
});

test("a group goes with its last member", () => {
  expect(treeOf(removed(draftsOf(["a", [["b"]]]), [1, 0, 0]))).toEqual(["a"]);
  expect(treeOf(removed(draftsOf(["a", ["b", "c"]]), [1, 0]))).toEqual(["a", ["c"]]);
});

test("a condition becomes a group of itself, and a condition again", () => {
  const drafts = draftsOf(["a", "b"]);
  const grouped = ofKind(drafts[1] as ConditionDraft, "group");
  expect(treeOf(replaced(drafts, [1], grouped))).toEqual(["a", ["b"]]);
  expect(treeOf([ofKind(grouped, "price_drop")])).toEqual(["b"]);
  expect(treeOf([ofKind(ofKind(grouped, "time"), "group")])).toEqual([["b"]]);
});
