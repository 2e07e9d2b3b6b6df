/** Exits beyond one stop and one target: several targets, break even, and stops measured in ATR. */
import { Choice, Labelled } from "@/design/Field";
import type { RiskDraft, StopDraft, TargetDraft } from "@/strategy/draft";
import { Folded } from "@/strategy/Folded";
import { NumberField } from "@/strategy/NumberField";
import { RowList } from "@/strategy/RowList";
import { newKey } from "@/strategy/typed";

const MOST_TARGETS = 5;

type SellFieldsProps = {
  risk: RiskDraft;
  wrong: (member: string) => string | undefined;
  onChange: (risk: RiskDraft) => void;
};

export function SellFields({ risk, wrong, onChange }: SellFieldsProps) {
  const { take_profits: targets, stop_loss, trailing_stop, break_even_after_percent } = risk;
  const set = (part: Partial<RiskDraft>) => onChange({ ...risk, ...part });
  const isUsed =
    targets.length > 0 || break_even_after_percent !== "" || stop_loss.by === "atr" || trailing_stop.by === "atr";
  return (
    <Folded isUsed={isUsed} title="More ways to sell">
      <RowList
        add={targets.length > 0 ? "Add a target" : "Sell in parts, at several targets"}
        error={wrong("take_profits")}
        fields={(target, index) => {
          const change = (part: Partial<TargetDraft>) =>
            set({ take_profits: targets.with(index, { ...target, ...part }) });
          return (
            <>
              <NumberField
                error={wrong(`take_profits.${index}.gain_percent`)}
                label="At a gain of, %"
                onChange={(gain_percent) => change({ gain_percent })}
                value={target.gain_percent}
              />
              <NumberField
                error={wrong(`take_profits.${index}.sell_percent`)}
                label="Sell, % of all"
                onChange={(sell_percent) => change({ sell_percent })}
                value={target.sell_percent}
              />
            </>
          );
        }}
        most={MOST_TARGETS}
        name="Target"
        onAdd={() => set({ take_profits: withTarget(risk) })}
        onRemove={(index) => set({ take_profits: targets.toSpliced(index, 1) })}
        rows={targets}
      />
      <NumberField
        error={wrong("break_even_after_percent")}
        label="Break even after a gain of, %"
        none="never"
        onChange={(typed) => set({ break_even_after_percent: typed })}
        value={break_even_after_percent}
      />
      <StopUnit name="Stop loss" onChange={(stop) => set({ stop_loss: stop })} stop={stop_loss} />
      <StopUnit name="Trailing stop" onChange={(stop) => set({ trailing_stop: stop })} stop={trailing_stop} />
    </Folded>
  );
}

type StopUnitProps = { name: string; stop: StopDraft; onChange: (stop: StopDraft) => void };

function StopUnit({ name, stop, onChange }: StopUnitProps) {
  return (
    <Labelled label={`${name} measured in`}>
      <Choice
        label={`${name} measured in`}
        onChange={(by) => onChange({ ...stop, by })}
        options={[
          { value: "percent", label: "Percent" },
          { value: "atr", label: "Average true range" },
        ]}
        value={stop.by}
      />
    </Labelled>
  );
}

/** The targets with one more; the first time the take profit becomes two of them. */
export function withTarget({ take_profits: targets, take_profit_percent }: RiskDraft): TargetDraft[] {
  const first = Number(targets[0]?.gain_percent ?? take_profit_percent) || 10;
  if (targets.length === 0) return [newTarget(first, 50), newTarget(2 * first, 50)];
  const left = 100 - targets.reduce((sum, { sell_percent }) => sum + Number(sell_percent), 0);
  return [...targets, newTarget(Number(targets.at(-1)?.gain_percent) + first, left > 0 ? left : 20)];
}

function newTarget(gain: number, sell: number): TargetDraft {
  return { key: newKey(), gain_percent: String(gain), sell_percent: String(sell) };
}
