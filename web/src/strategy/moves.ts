/** Moves conditions within their list, into groups and out of them. */
import type { ConditionDraft } from "@/strategy/conditionDraft";

/** The place of a condition: `[1, 0]` is the first member of the group that is the second condition. */
export type Path = readonly number[];
export type Move = "up" | "down" | "in" | "out";
type List = ConditionDraft[];

export const MOVES: readonly Move[] = ["up", "down", "in", "out"];
export const DEEPEST_GROUP = 3;

/** What people call a condition: `2.1`. */
export function placeName(path: Path): string {
  return path.map((index) => index + 1).join(".");
}

export function pathOf(conditions: List, key: number): Path | null {
  for (const [index, condition] of conditions.entries()) {
    if (condition.key === key) return [index];
    const below = pathOf(membersOf(condition), key);
    if (below) return [index, ...below];
  }
  return null;
}

/** The conditions after the move; null if it is not possible. */
export function moved(conditions: List, path: Path, move: Move): List | null {
  if (move === "out")
    return path.length > 1 ? changeAt(conditions, path.slice(0, -1), takeOut(path.at(-1) ?? 0)) : null;
  return changeAt(conditions, path, (siblings, index) => {
    const condition = siblings[index] as ConditionDraft;
    if (move === "in") return putIn(siblings, index, path.length);
    const other = move === "up" ? index - 1 : index + 1;
    if (!siblings[other]) return null;
    return siblings.toSpliced(index, 1).toSpliced(other, 0, condition);
  });
}

/** The conditions with another one in this place. */
export function replaced(conditions: List, path: Path, condition: ConditionDraft): List {
  return changeAt(conditions, path, (siblings, index) => siblings.with(index, condition)) ?? conditions;
}

/** The conditions without this one. A group goes with its last member. */
export function removed(conditions: List, path: Path): List {
  return changeAt(conditions, path, (siblings, index) => siblings.toSpliced(index, 1)) ?? conditions;
}

function membersOf({ kind, group }: ConditionDraft): List {
  return kind === "group" ? group.conditions : [];
}

function withMembers(group: ConditionDraft, conditions: List): List {
  return conditions.length > 0 ? [{ ...group, group: { ...group.group, conditions } }] : [];
}

/** How many groups lie in each other here; 0 for a condition that is no group. */
function depth(condition: ConditionDraft): number {
  return condition.kind === "group" ? 1 + Math.max(0, ...condition.group.conditions.map(depth)) : 0;
}

type Change = (siblings: List, index: number) => List | null;

function changeAt(conditions: List, [index = 0, ...rest]: Path, change: Change): List | null {
  const group = conditions[index];
  if (!group) return null;
  if (rest.length === 0) return change(conditions, index);
  const members = changeAt(membersOf(group), rest, change);
  return members && conditions.toSpliced(index, 1, ...withMembers(group, members));
}

/** Into the group before it, at its end, or else into the one after it, at its begin. */
function putIn(siblings: List, index: number, level: number): List | null {
  const condition = siblings[index] as ConditionDraft;
  const [before, after] = [siblings[index - 1], siblings[index + 1]];
  if (level + depth(condition) > DEEPEST_GROUP) return null;
  if (before?.kind === "group")
    return siblings.toSpliced(index - 1, 2, ...withMembers(before, [...membersOf(before), condition]));
  if (after?.kind === "group")
    return siblings.toSpliced(index, 2, ...withMembers(after, [condition, ...membersOf(after)]));
  return null;
}

/** Behind its group, which goes if nothing is left in it. */
function takeOut(member: number): Change {
  return (siblings, index) => {
    const group = siblings[index] as ConditionDraft;
    const condition = membersOf(group)[member];
    if (!condition) return null;
    return siblings.toSpliced(index, 1, ...withMembers(group, membersOf(group).toSpliced(member, 1)), condition);
  };
}
