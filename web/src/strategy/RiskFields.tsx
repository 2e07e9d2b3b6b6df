import { useState } from "react";
import { Field, Input } from "@/design/Field";
import { DurationInput } from "@/strategy/DurationInput";
import type { GuardsDraft, RiskDraft } from "@/strategy/draft";

type RiskFieldsProps = {
  risk: RiskDraft;
  positionPercent: string;
  guards: GuardsDraft;
  /** What the API says about a member of the strategy. */
  wrong: (member: string) => string | undefined;
  onRisk: (risk: RiskDraft) => void;
  onPositionPercent: (typed: string) => void;
  onGuards: (guards: GuardsDraft) => void;
};

const PERCENTS = [
  ["stop_loss_percent", "Stop loss, %"],
  ["take_profit_percent", "Take profit, %"],
  ["trailing_stop_percent", "Trailing stop, %"],
] as const;
const DURATIONS = [
  ["max_holding", "Hold at most", "any"],
  ["cooldown", "Wait after a sale", "none"],
] as const;

const GUARDS = [
  ["max_drawdown_percent", "guards.max_drawdown_percent", "Stop buying after a fall of, %"],
  ["max_trades_per_day", "guards.max_trades_per_day", "Most buys a day"],
  ["losses", "guards.losing_streak.losses", "Losses in a row before a pause"],
] as const;

export function RiskFields(props: RiskFieldsProps) {
  const { risk, positionPercent, wrong, onRisk, onPositionPercent } = props;
  return (
    <section aria-label="Risk" className="stack gap-2">
      <h3 className="flex min-h-8 items-center text-small">Risk</h3>
      <div className="grid grid-cols-2 gap-2.5">
        {PERCENTS.map(([name, label]) => (
          <Field error={wrong(`risk_management.${name}`)} key={name} label={label}>
            {(control) => (
              <Input
                {...control}
                onChange={(event) => onRisk({ ...risk, [name]: event.target.value })}
                placeholder="none"
                step="any"
                type="number"
                value={risk[name]}
              />
            )}
          </Field>
        ))}
        <Field error={wrong("position_percent")} label="Position, % of cash">
          {(control) => (
            <Input
              {...control}
              onChange={(event) => onPositionPercent(event.target.value)}
              step="any"
              type="number"
              value={positionPercent}
            />
          )}
        </Field>
        {DURATIONS.map(([name, label, none]) => (
          <Field error={wrong(`risk_management.${name}`)} key={name} label={label}>
            {(control) => (
              <DurationInput
                control={control}
                none={none}
                onChange={(duration) => onRisk({ ...risk, [name]: duration })}
                value={risk[name]}
              />
            )}
          </Field>
        ))}
      </div>
      <GuardFields {...props} />
    </section>
  );
}

/** Limits on the whole run. They only prevent buying: stops, targets and exits always work. */
function GuardFields({ guards, wrong, onGuards }: RiskFieldsProps) {
  const isUsed = Object.values(guards).some((value) => (typeof value === "string" ? value : value.count) !== "");
  const [isOpen] = useState(isUsed); // only initially: emptying a field must not close it
  return (
    <details className="stack gap-2" open={isOpen}>
      <summary className="rounded-small text-small text-ink-soft">Guards: limits on the whole run</summary>
      <div className="mt-2 grid grid-cols-2 gap-2.5">
        {GUARDS.map(([name, path, label]) => (
          <Field error={wrong(path)} key={name} label={label}>
            {(control) => (
              <Input
                {...control}
                onChange={(event) => onGuards({ ...guards, [name]: event.target.value })}
                placeholder="none"
                step="any"
                type="number"
                value={guards[name]}
              />
            )}
          </Field>
        ))}
        <Field error={wrong("guards.losing_streak.pause")} label="Pause after them">
          {(control) => (
            <DurationInput
              control={control}
              none="none"
              onChange={(pause) => onGuards({ ...guards, pause })}
              value={guards.pause}
            />
          )}
        </Field>
      </div>
    </details>
  );
}
