/**
 * A strategy while it is edited: numbers as they are typed, and what is switched off is kept, so that switching back
 * loses nothing. The API validates it, and its messages are shown at the fields.
 */
import { type ConditionDraft, readCondition, writeCondition } from "@/strategy/conditionDraft";
import { type Duration, readDuration, writeOptional } from "@/strategy/duration";
import { newKey, number, optional, text } from "@/strategy/typed";
import type { Match, Strategy } from "@/strategy/words";

type Risk = NonNullable<Strategy["risk_management"]>;
type AtrDistance = NonNullable<Risk["stop_loss_atr"]>;

/** A stop in percent, or in multiples of the average true range. */
export type StopDraft = { by: "percent" | "atr"; percent: string; period: string; times: string };
export type TargetDraft = { key: number; gain_percent: string; sell_percent: string };
export type LadderDraft = { key: number; drop_percent: string; size_percent: string };

export type RiskDraft = {
  stop_loss: StopDraft;
  trailing_stop: StopDraft;
  take_profit_percent: string;
  /** Used instead of `take_profit_percent` if there is one. */
  take_profits: TargetDraft[];
  break_even_after_percent: string;
  max_holding: Duration;
  cooldown: Duration;
};

/** How much one buy takes: a share of the cash, an amount of money, or what its stop may lose. */
export type SizeDraft = { by: "percent" | "amount" | "risk"; percent: string; amount: string; risk: string };

/** Further buys of one position. */
export type PartsDraft = { ladder: LadderDraft[]; max_entries: string; entry_gap: Duration };

export type GuardsDraft = {
  max_drawdown_percent: string;
  losses: string;
  pause: Duration;
  max_trades_per_day: string;
};

type Preference = NonNullable<NonNullable<Strategy["portfolio"]>["prefer"]>;
/** How one purse trades many tokens. */
export type PortfolioDraft = { max_open: string; prefer: Preference };

export type Draft = {
  conditions: ConditionDraft[];
  match: Match;
  exit_conditions: ConditionDraft[];
  exit_match: Match;
  risk: RiskDraft;
  size: SizeDraft;
  parts: PartsDraft;
  guards: GuardsDraft;
  portfolio: PortfolioDraft;
};

/** What a strategy does that does not say it. */
export const USUAL_PORTFOLIO = { max_open: 5, prefer: "volume" } as const;

export const FIRST_STRATEGY: Strategy = {
  conditions: [{ kind: "price_drop", percent: 5, window: "1h" }],
  risk_management: { stop_loss_percent: 3, take_profit_percent: 10 },
};

export function toDraft(strategy: Strategy): Draft {
  const guards = strategy.guards ?? {};
  return {
    conditions: strategy.conditions.map(readCondition),
    match: strategy.match ?? "all",
    exit_conditions: (strategy.exit_conditions ?? []).map(readCondition),
    exit_match: strategy.exit_match ?? "any",
    risk: riskDraft(strategy.risk_management ?? {}),
    size: sizeDraft(strategy),
    parts: {
      ladder: (strategy.ladder ?? []).map(({ drop_percent, size_percent }) => ({
        key: newKey(),
        drop_percent: text(drop_percent),
        size_percent: text(size_percent),
      })),
      max_entries: text(strategy.max_entries ?? 1),
      entry_gap: readDuration(strategy.entry_gap),
    },
    guards: {
      max_drawdown_percent: text(guards.max_drawdown_percent),
      losses: text(guards.losing_streak?.losses),
      pause: readDuration(guards.losing_streak?.pause),
      max_trades_per_day: text(guards.max_trades_per_day),
    },
    portfolio: {
      max_open: text(strategy.portfolio?.max_open ?? USUAL_PORTFOLIO.max_open),
      prefer: strategy.portfolio?.prefer ?? USUAL_PORTFOLIO.prefer,
    },
  };
}

function riskDraft(risk: Risk): RiskDraft {
  return {
    stop_loss: stopDraft(risk.stop_loss_percent, risk.stop_loss_atr),
    trailing_stop: stopDraft(risk.trailing_stop_percent, risk.trailing_stop_atr),
    take_profit_percent: text(risk.take_profit_percent),
    take_profits: (risk.take_profits ?? []).map(({ gain_percent, sell_percent }) => ({
      key: newKey(),
      gain_percent: text(gain_percent),
      sell_percent: text(sell_percent),
    })),
    break_even_after_percent: text(risk.break_even_after_percent),
    max_holding: readDuration(risk.max_holding),
    cooldown: readDuration(risk.cooldown, "m"),
  };
}

function stopDraft(percent: number | null | undefined, atr: AtrDistance | null | undefined): StopDraft {
  const by = atr ? "atr" : "percent";
  return { by, percent: text(percent), period: text(atr?.period ?? 14), times: text(atr?.times ?? 2) };
}

function sizeDraft({ position_percent, position_amount, risk_percent }: Strategy): SizeDraft {
  return {
    by: position_amount != null ? "amount" : risk_percent != null ? "risk" : "percent",
    percent: text(position_percent ?? 100),
    amount: text(position_amount ?? 100),
    risk: text(risk_percent ?? 1),
  };
}

export function toStrategy(draft: Draft): Strategy {
  return {
    conditions: draft.conditions.map(writeCondition),
    match: draft.match,
    exit_conditions: draft.exit_conditions.map(writeCondition),
    exit_match: draft.exit_match,
    risk_management: risk(draft.risk),
    ...size(draft.size),
    ...parts(draft.parts),
    ...guards(draft.guards),
    ...portfolio(draft.portfolio),
  };
}

/** Like a strategy of the API, it has no field for an order that is not used. */
function risk(draft: RiskDraft): Risk {
  const { stop_loss, trailing_stop, take_profits } = draft;
  const breakEven = optional(draft.break_even_after_percent);
  return {
    stop_loss_percent: stop_loss.by === "percent" ? optional(stop_loss.percent) : null,
    take_profit_percent: take_profits.length > 0 ? null : optional(draft.take_profit_percent),
    trailing_stop_percent: trailing_stop.by === "percent" ? optional(trailing_stop.percent) : null,
    max_holding: writeOptional(draft.max_holding),
    cooldown: writeOptional(draft.cooldown),
    ...(take_profits.length > 0 && {
      take_profits: take_profits.map(({ gain_percent, sell_percent }) => ({
        gain_percent: number(gain_percent),
        sell_percent: number(sell_percent),
      })),
    }),
    ...(breakEven !== null && { break_even_after_percent: breakEven }),
    ...(isInAtr(stop_loss) && { stop_loss_atr: distance(stop_loss) }),
    ...(isInAtr(trailing_stop) && { trailing_stop_atr: distance(trailing_stop) }),
  };
}

function isInAtr({ by, times }: StopDraft): boolean {
  return by === "atr" && times.trim() !== "";
}

function distance({ period, times }: StopDraft): AtrDistance {
  return { period: number(period), times: number(times) };
}

function size({ by, percent, amount, risk }: SizeDraft) {
  if (by === "amount") return { position_percent: 100, position_amount: number(amount) };
  if (by === "risk") return { position_percent: 100, risk_percent: number(risk) };
  return { position_percent: number(percent) };
}

function parts({ ladder, max_entries, entry_gap }: PartsDraft): Pick<Strategy, "ladder" | "max_entries" | "entry_gap"> {
  const most = optional(max_entries) ?? 1;
  const gap = writeOptional(entry_gap);
  return {
    ...(ladder.length > 0 && {
      ladder: ladder.map(({ drop_percent, size_percent }) => ({
        drop_percent: number(drop_percent),
        size_percent: number(size_percent),
      })),
    }),
    ...(most !== 1 && { max_entries: most }),
    ...(gap !== null && { entry_gap: gap }),
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

/** Empty where it is as usual: such a strategy need not say it. */
function portfolio({ max_open, prefer }: PortfolioDraft): Pick<Strategy, "portfolio"> {
  const most = optional(max_open) ?? USUAL_PORTFOLIO.max_open;
  const isUsual = most === USUAL_PORTFOLIO.max_open && prefer === USUAL_PORTFOLIO.prefer;
  return isUsual ? {} : { portfolio: { max_open: most, prefer } };
}

export function same(one: Draft, other: Draft): boolean {
  return JSON.stringify(toStrategy(one)) === JSON.stringify(toStrategy(other));
}
