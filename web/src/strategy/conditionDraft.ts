/** A condition while it is edited: it has the fields of every kind, so that switching its kind loses nothing. */
import { type ComparisonDraft, comparison, comparisonDraft, newComparison } from "@/strategy/comparison";
import { type Duration, readDuration, writeDuration } from "@/strategy/duration";
import { newKey, number, text } from "@/strategy/typed";
import type { Condition, Group, Kind, Weekday } from "@/strategy/words";

export type ConditionDraft = {
  key: number;
  kind: Kind;
  percent: string;
  multiplier: string;
  level: string;
  window: Duration;
  /** From the highest or lowest price in the window, instead of from its first close. */
  fromExtreme: boolean;
  direction: "above" | "below";
  trigger: "cross" | "is";
  comparison: ComparisonDraft;
  hours: HoursDraft;
  period: Duration;
  at: string;
  group: GroupDraft;
};

/** Hours and weekdays; what is empty is not limited. */
export type HoursDraft = { from: string; to: string; weekdays: Weekday[]; timezone: string };
export type GroupDraft = { match: Group["match"]; count: string; conditions: ConditionDraft[] };

export function newCondition(kind: Kind = "price_drop"): ConditionDraft {
  return {
    key: newKey(),
    kind,
    percent: "5",
    multiplier: "3",
    level: "",
    window: { count: "1", unit: "h" },
    fromExtreme: false,
    direction: "below",
    trigger: "cross",
    comparison: newComparison(),
    hours: { from: "09:00", to: "17:00", weekdays: [], timezone: "UTC" },
    period: { count: "1", unit: "d" },
    at: "09:00",
    group: { match: "any", count: "2", conditions: [] },
  };
}

/** The condition with another kind. A new group begins with the condition itself as its first member. */
export function ofKind(draft: ConditionDraft, kind: Kind): ConditionDraft {
  if (kind !== "group" || draft.group.conditions.length > 0) return { ...draft, kind };
  const member = { ...draft, key: newKey() };
  return { ...draft, kind, group: { ...draft.group, conditions: [member] } };
}

/** A text that is the same for conditions that mean the same. */
export function canonical(given: Condition): string {
  return JSON.stringify(writeCondition(readCondition(given)));
}

export function readCondition(condition: Condition): ConditionDraft {
  const draft = newCondition(condition.kind);
  switch (condition.kind) {
    case "compare":
      return { ...draft, comparison: comparisonDraft(condition) };
    case "price_level": {
      const { level, direction, trigger = "cross" } = condition;
      return { ...draft, level: text(level), direction, trigger };
    }
    case "volume_spike":
      return { ...draft, multiplier: text(condition.multiplier), window: readDuration(condition.window ?? "1h") };
    case "time": {
      const { from, to, weekdays, timezone = "UTC" } = condition;
      return { ...draft, hours: { from: from ?? "", to: to ?? "", weekdays: weekdays ?? [], timezone } };
    }
    case "every":
      return { ...draft, period: readDuration(condition.period), at: condition.at ?? "00:00" };
    case "group": {
      const { match, count, conditions } = condition;
      const members = conditions.map(readCondition);
      return { ...draft, group: { match, count: text(count) || draft.group.count, conditions: members } };
    }
    default: {
      const fromExtreme = condition.reference === "high" || condition.reference === "low";
      return {
        ...draft,
        percent: text(condition.percent),
        window: readDuration(condition.window ?? "1h"),
        fromExtreme,
      };
    }
  }
}

export function writeCondition(draft: ConditionDraft): Condition {
  const { kind } = draft;
  const window = writeDuration(draft.window);
  switch (kind) {
    case "price_drop":
      return { kind, percent: number(draft.percent), window, reference: draft.fromExtreme ? "high" : "close" };
    case "price_rise":
      return { kind, percent: number(draft.percent), window, reference: draft.fromExtreme ? "low" : "close" };
    case "volume_spike":
      return { kind, multiplier: number(draft.multiplier), window };
    case "price_level":
      return { kind, level: number(draft.level), direction: draft.direction, trigger: draft.trigger };
    case "compare":
      return comparison(draft.comparison);
    case "time":
      return { kind, ...writeHours(draft.hours) };
    case "every":
      return { kind, period: writeDuration(draft.period), at: draft.at };
    case "group":
      return writeGroup(draft.group);
  }
}

function writeHours({ from, to, weekdays, timezone }: HoursDraft) {
  return { ...(from && { from }), ...(to && { to }), ...(weekdays.length > 0 && { weekdays }), timezone };
}

function writeGroup({ match, count, conditions }: GroupDraft): Group {
  const members = conditions.map(writeCondition);
  return { kind: "group", match, conditions: members, ...(match === "at_least" && { count: number(count) }) };
}
