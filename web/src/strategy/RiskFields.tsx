import { Field, Input } from "@/design/Field";
import { DurationInput } from "@/strategy/DurationInput";
import type { RiskDraft } from "@/strategy/draft";

type RiskFieldsProps = {
  risk: RiskDraft;
  positionPercent: string;
  /** What the API says about a member of the strategy. */
  wrong: (member: string) => string | undefined;
  onRisk: (risk: RiskDraft) => void;
  onPositionPercent: (typed: string) => void;
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

export function RiskFields({ risk, positionPercent, wrong, onRisk, onPositionPercent }: RiskFieldsProps) {
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
    </section>
  );
}
