/**
 * A strategy while it is edited: numbers as they are typed, and every field of a condition, so that switching its kind loses
 * nothing. The API validates it, and its messages are shown at the fields.
 */
import { type ComparisonDraft, comparison, comparisonDraft, newComparison } from "@/strategy/comparison";
import { type Duration, readDuration, writeDuration, writeOptional } from "@/strategy/duration";
import { type Condition, type Kind, type Match, plain, type Strategy } from "@/strategy/words";

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
};

export type RiskDraft = {
  stop_loss_percent: string;
  take_profit_percent: string;
  trailing_stop_percent: string;
  max_holding: Duration;
  cooldown: Duration;
};

export type GuardsDraft = {
  max_drawdown_percent: string;
  losses: string;
  pause: Duration;
  max_trades_per_day: string;
};

export type Draft = {
  conditions: ConditionDraft[];
  match: Match;
  exit_conditions: ConditionDraft[];
  exit_match: Match;
  risk: RiskDraft;
  position_percent: string;
  guards: GuardsDraft;
};

let lastKey = 0;

export function newCondition(kind: Kind = "price_drop"): ConditionDraft {
  return {
    key: ++lastKey,
    kind,
    percent: "5",
    multiplier: "3",
    level: "",
    window: { count: "1", unit: "h" },
    fromExtreme: false,
    direction: "below",
    trigger: "cross",
    comparison: newComparison(),
  };
}

export const FIRST_STRATEGY: Strategy = {
  conditions: [{ kind: "price_drop", percent: 5, window: "1h" }],
  risk_management: { stop_loss_percent: 3, take_profit_percent: 10 },
};

export function toDraft(strategy: Strategy): Draft {
  const risk = strategy.risk_management ?? {};
  const guards = strategy.guards ?? {};
  return {
    conditions: strategy.conditions.map(conditionDraft),
    match: strategy.match ?? "all",
    exit_conditions: (strategy.exit_conditions ?? []).map(conditionDraft),
    exit_match: strategy.exit_match ?? "any",
    risk: {
      stop_loss_percent: text(risk.stop_loss_percent),
      take_profit_percent: text(risk.take_profit_percent),
      trailing_stop_percent: text(risk.trailing_stop_percent),
      max_holding: readDuration(risk.max_holding),
      cooldown: readDuration(risk.cooldown, "m"),
    },
    position_percent: text(strategy.position_percent ?? 100),
    guards: {
      max_drawdown_percent: text(guards.max_drawdown_percent),
      losses: text(guards.losing_streak?.losses),
      pause: readDuration(guards.losing_streak?.pause),
      max_trades_per_day: text(guards.max_trades_per_day),
    },
  };
}

export function toStrategy(draft: Draft): Strategy {
  return {
    conditions: draft.conditions.map(condition),
    match: draft.match,
    exit_conditions: draft.exit_conditions.map(condition),
    exit_match: draft.exit_match,
    risk_management: {
      stop_loss_percent: optional(draft.risk.stop_loss_percent),
      take_profit_percent: optional(draft.risk.take_profit_percent),
      trailing_stop_percent: optional(draft.risk.trailing_stop_percent),
      max_holding: writeOptional(draft.risk.max_holding),
      cooldown: writeOptional(draft.risk.cooldown),
    },
    position_percent: number(draft.position_percent),
    ...guards(draft.guards),
  };
}

/** Empty without a guard: such a strategy has no field `guards`. */
function guards(draft: GuardsDraft): Pick<Strategy, "guards"> {
  const pause = writeOptional(draft.pause);
  const hasStreak = draft.losses.trim() !== "" || pause !== null;
  const read = {
    max_drawdown_percent: optional(draft.max_drawdown_percent),
    // An incomplete guard is sent as it is; the API says what is missing.
    losing_streak: hasStreak ? { losses: number(draft.losses), pause: pause ?? "" } : null,
    max_trades_per_day: optional(draft.max_trades_per_day),
  };
  return Object.values(read).every((value) => value === null) ? {} : { guards: read };
}

export function same(one: Draft, other: Draft): boolean {
  return JSON.stringify(toStrategy(one)) === JSON.stringify(toStrategy(other));
}

/** A text that is the same for conditions that mean the same. */
export function canonical(given: Condition): string {
  return JSON.stringify(condition(conditionDraft(given)));
}

function conditionDraft(condition: Condition): ConditionDraft {
  const draft = newCondition(condition.kind);
  if (condition.kind === "compare") return { ...draft, comparison: comparisonDraft(condition) };
  if (condition.kind === "price_level") {
    return {
      ...draft,
      level: text(condition.level),
      direction: condition.direction,
      trigger: condition.trigger ?? "cross",
    };
  }
  const window = readDuration(condition.window ?? "1h");
  if (condition.kind === "volume_spike") return { ...draft, multiplier: text(condition.multiplier), window };
  const fromExtreme = condition.reference === "high" || condition.reference === "low";
  return { ...draft, percent: text(condition.percent), window, fromExtreme };
}

function condition(draft: ConditionDraft): Condition {
  const window = writeDuration(draft.window);
  switch (draft.kind) {
    case "price_drop":
      return {
        kind: draft.kind,
        percent: number(draft.percent),
        window,
        reference: draft.fromExtreme ? "high" : "close",
      };
    case "price_rise":
      return {
        kind: draft.kind,
        percent: number(draft.percent),
        window,
        reference: draft.fromExtreme ? "low" : "close",
      };
    case "volume_spike":
      return { kind: draft.kind, multiplier: number(draft.multiplier), window };
    case "price_level":
      return { kind: draft.kind, level: number(draft.level), direction: draft.direction, trigger: draft.trigger };
    case "compare":
      return comparison(draft.comparison);
  }
}

function text(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : plain(value);
}

/** A text that is no number is sent as null; the API says that it must be a number. */
function number(typed: string): number {
  return typed.trim() ? Number(typed) : Number.NaN;
}

function optional(typed: string): number | null {
  return typed.trim() ? Number(typed) : null;
}
