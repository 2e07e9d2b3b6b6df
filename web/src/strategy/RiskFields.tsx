import { Field } from "@/design/Field";
import { type Buying, PartsFields, SizeField, SizeUnit } from "@/strategy/BuyFields";
import { DurationInput } from "@/strategy/DurationInput";
import type { GuardsDraft, RiskDraft, StopDraft } from "@/strategy/draft";
import { Folded } from "@/strategy/Folded";
import { NumberField } from "@/strategy/NumberField";
import { SellFields } from "@/strategy/SellFields";

type RiskFieldsProps = Buying & {
  risk: RiskDraft;
  guards: GuardsDraft;
  /** What the API says about a member of the strategy; about all of it for an empty name. */
  wrong: (member: string) => string | undefined;
  onChange: (changed: Partial<Buying & { risk: RiskDraft; guards: GuardsDraft }>) => void;
};

const DURATIONS = [
  ["max_holding", "Hold at most", "any"],
  ["cooldown", "Wait after a sale", "none"],
] as const;

const GUARDS = [
  ["max_drawdown_percent", "guards.max_drawdown_percent", "Stop buying after a fall of, %"],
  ["max_trades_per_day", "guards.max_trades_per_day", "Most buys a day"],
  ["losses", "guards.losing_streak.losses", "Losses in a row before a pause"],
] as const;

export function RiskFields({ risk, size, parts, guards, wrong, onChange }: RiskFieldsProps) {
  const set = (part: Partial<RiskDraft>) => onChange({ risk: { ...risk, ...part } });
  const wrongRisk = (member: string) => wrong(`risk_management.${member}`);
  return (
    <section aria-label="Risk" className="stack gap-2">
      <h3 className="flex min-h-8 items-center text-small">Risk</h3>
      <div className="grid grid-flow-dense grid-cols-2 gap-2.5">
        <StopField
          name="Stop loss"
          onChange={(stop_loss) => set({ stop_loss })}
          stop={risk.stop_loss}
          wrong={(unit) => wrongRisk(`stop_loss_${unit}`)}
        />
        {risk.take_profits.length === 0 && (
          <NumberField
            error={wrongRisk("take_profit_percent")}
            label="Take profit, %"
            none="none"
            onChange={(typed) => set({ take_profit_percent: typed })}
            value={risk.take_profit_percent}
          />
        )}
        <StopField
          name="Trailing stop"
          onChange={(trailing_stop) => set({ trailing_stop })}
          stop={risk.trailing_stop}
          wrong={(unit) => wrongRisk(`trailing_stop_${unit}`)}
        />
        <SizeField onChange={(changed) => onChange({ size: changed })} size={size} wrong={wrong} />
        {DURATIONS.map(([name, label, none]) => (
          <Field error={wrongRisk(name)} key={name} label={label}>
            {(control) => (
              <DurationInput
                control={control}
                none={none}
                onChange={(duration) => set({ [name]: duration })}
                value={risk[name]}
              />
            )}
          </Field>
        ))}
      </div>
      <SellFields onChange={(changed) => onChange({ risk: changed })} risk={risk} wrong={wrongRisk} />
      <PartsFields onChange={onChange} parts={parts} size={size} wrong={wrong} />
      <SizeUnit onChange={(changed) => onChange({ size: changed })} size={size} />
      <GuardFields guards={guards} onChange={(changed) => onChange({ guards: changed })} wrong={wrong} />
    </section>
  );
}

type StopFieldProps = {
  name: string;
  stop: StopDraft;
  /** `wrong("percent")` or `wrong("atr.times")`. */
  wrong: (unit: string) => string | undefined;
  onChange: (stop: StopDraft) => void;
};

function StopField({ name, stop, wrong, onChange }: StopFieldProps) {
  if (stop.by === "percent") {
    return (
      <NumberField
        error={wrong("percent")}
        label={`${name}, %`}
        none="none"
        onChange={(percent) => onChange({ ...stop, percent })}
        value={stop.percent}
      />
    );
  }
  return (
    <fieldset className="col-span-2 grid grid-cols-2 gap-2.5">
      <legend className="sr-only">{name} in ATR</legend>
      <NumberField
        error={wrong("atr.times")}
        label={`${name}, × ATR`}
        none="none"
        onChange={(times) => onChange({ ...stop, times })}
        value={stop.times}
      />
      <NumberField
        error={wrong("atr.period")}
        isWhole
        label="ATR of … candles"
        onChange={(period) => onChange({ ...stop, period })}
        value={stop.period}
      />
    </fieldset>
  );
}

type GuardFieldsProps = Pick<RiskFieldsProps, "guards" | "wrong"> & { onChange: (guards: GuardsDraft) => void };

/** Limits on the whole run. They only prevent buying: stops, targets and exits always work. */
function GuardFields({ guards, wrong, onChange }: GuardFieldsProps) {
  const isUsed = Object.values(guards).some((value) => (typeof value === "string" ? value : value.count) !== "");
  return (
    <Folded isUsed={isUsed} title="Guards: limits on the whole run">
      <div className="grid grid-cols-2 gap-2.5">
        {GUARDS.map(([name, path, label]) => (
          <NumberField
            error={wrong(path)}
            key={name}
            label={label}
            none="none"
            onChange={(typed) => onChange({ ...guards, [name]: typed })}
            value={guards[name]}
          />
        ))}
        <Field error={wrong("guards.losing_streak.pause")} label="Pause after them">
          {(control) => (
            <DurationInput
              control={control}
              none="none"
              onChange={(pause) => onChange({ ...guards, pause })}
              value={guards.pause}
            />
          )}
        </Field>
      </div>
    </Folded>
  );
}
