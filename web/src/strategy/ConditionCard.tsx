import { Choice, Field, Input, Select } from "@/design/Field";
import { CloseIcon } from "@/design/icons";
import { ComparisonFields } from "@/strategy/ComparisonFields";
import type { ComparisonDraft } from "@/strategy/comparison";
import { DurationInput } from "@/strategy/DurationInput";
import type { ConditionDraft } from "@/strategy/draft";
import { KINDS, type Kind } from "@/strategy/words";

/** What the API says about a member of this condition. */
type Wrong = (member: string) => string | undefined;

type ConditionCardProps = {
  condition: ConditionDraft;
  place: number;
  wrong: Wrong;
  onChange: (condition: ConditionDraft) => void;
  onRemove: () => void;
};

export function ConditionCard({ condition, place, wrong, onChange, onRemove }: ConditionCardProps) {
  const set = (part: Partial<ConditionDraft>) => onChange({ ...condition, ...part });
  return (
    <fieldset className="stack gap-2.5 rounded-control border border-line bg-raised p-2.5">
      <legend className="sr-only">Condition {place}</legend>
      <div className="flex items-center gap-1">
        <Select
          aria-label={`Kind of condition ${place}`}
          className="h-8! border-transparent! bg-transparent! px-1! font-medium"
          onChange={(event) => set({ kind: event.target.value as Kind })}
          value={condition.kind}
        >
          {Object.entries(KINDS).map(([kind, name]) => (
            <option key={kind} value={kind}>
              {name}
            </option>
          ))}
        </Select>
        <button
          aria-label={`Remove condition ${place}`}
          className="grid size-8 shrink-0 place-items-center rounded-control text-ink-faint hover:bg-hover hover:text-ink"
          onClick={onRemove}
          type="button"
        >
          <CloseIcon size={12} />
        </button>
      </div>
      <KindFields condition={condition} set={set} wrong={wrong} />
    </fieldset>
  );
}

type FieldsProps = { condition: ConditionDraft; wrong: Wrong; set: (part: Partial<ConditionDraft>) => void };

function KindFields({ condition, wrong, set }: FieldsProps) {
  if (condition.kind === "compare") {
    const change = (comparison: ComparisonDraft) => set({ comparison });
    return <ComparisonFields draft={condition.comparison} onChange={change} wrong={wrong} />;
  }
  const Fields = condition.kind === "price_level" ? LevelFields : WindowFields;
  return <Fields condition={condition} set={set} wrong={wrong} />;
}

function WindowFields({ condition, wrong, set }: FieldsProps) {
  const { kind } = condition;
  return (
    <>
      <div className="grid grid-cols-2 gap-2.5">
        {kind === "volume_spike" ? (
          <Field error={wrong("multiplier")} label="At least, × average">
            {(control) => (
              <Input
                {...control}
                onChange={(event) => set({ multiplier: event.target.value })}
                step="any"
                type="number"
                value={condition.multiplier}
              />
            )}
          </Field>
        ) : (
          <Field error={wrong("percent")} label="At least, %">
            {(control) => (
              <Input
                {...control}
                onChange={(event) => set({ percent: event.target.value })}
                step="any"
                type="number"
                value={condition.percent}
              />
            )}
          </Field>
        )}
        <Field error={wrong("window")} label={kind === "volume_spike" ? "Average over" : "Within"}>
          {(control) => (
            <DurationInput control={control} onChange={(window) => set({ window })} value={condition.window} />
          )}
        </Field>
      </div>
      {kind !== "volume_spike" && (
        <Choice
          label="Measured from"
          onChange={(from) => set({ fromExtreme: from === "extreme" })}
          options={[
            { value: "close", label: "From the close" },
            { value: "extreme", label: kind === "price_drop" ? "From the high" : "From the low" },
          ]}
          value={condition.fromExtreme ? "extreme" : "close"}
        />
      )}
    </>
  );
}

function LevelFields({ condition, wrong, set }: FieldsProps) {
  return (
    <>
      <Field error={wrong("level")} label="Price, $">
        {(control) => (
          <Input
            {...control}
            onChange={(event) => set({ level: event.target.value })}
            step="any"
            type="number"
            value={condition.level}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Choice
          label="When it triggers"
          onChange={(trigger) => set({ trigger })}
          options={[
            { value: "cross", label: "Crosses" },
            { value: "is", label: "Is" },
          ]}
          value={condition.trigger}
        />
        <Choice
          label="Direction"
          onChange={(direction) => set({ direction })}
          options={[
            { value: "above", label: "Above" },
            { value: "below", label: "Below" },
          ]}
          value={condition.direction}
        />
      </div>
    </>
  );
}
