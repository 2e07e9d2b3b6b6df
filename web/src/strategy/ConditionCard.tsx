import { Choice, Field, Select } from "@/design/Field";
import { CloseIcon } from "@/design/icons";
import { ComparisonFields } from "@/strategy/ComparisonFields";
import type { ComparisonDraft } from "@/strategy/comparison";
import { type ConditionDraft, ofKind } from "@/strategy/conditionDraft";
import type { ConditionTree } from "@/strategy/conditionTree";
import { DurationInput } from "@/strategy/DurationInput";
import { GroupFields } from "@/strategy/GroupFields";
import { EveryFields, HoursFields } from "@/strategy/MomentFields";
import { MoveButtons, MoveHandle } from "@/strategy/MoveControls";
import { DEEPEST_GROUP, type Path, placeName } from "@/strategy/moves";
import { NumberField } from "@/strategy/NumberField";
import { KINDS, type Kind } from "@/strategy/words";

/** What the API says about a member of this condition. */
type Wrong = (member: string) => string | undefined;

type ConditionCardProps = { condition: ConditionDraft; path: Path; tree: ConditionTree; wrong: Wrong };

export function ConditionCard({ condition, path, tree, wrong }: ConditionCardProps) {
  const place = placeName(path);
  const set = (part: Partial<ConditionDraft>) => tree.change(path, { ...condition, ...part });
  const kinds = Object.entries(KINDS).filter(([kind]) => kind !== "group" || path.length <= DEEPEST_GROUP);
  return (
    <fieldset className="stack gap-2.5 rounded-control border border-line bg-raised p-2.5">
      <legend className="sr-only">Condition {place}</legend>
      <div className="flex items-center gap-1">
        <Select
          aria-label={`Kind of condition ${place}`}
          className="h-8! border-transparent! bg-transparent! px-1! font-medium"
          onChange={(event) => tree.change(path, ofKind(condition, event.target.value as Kind))}
          value={condition.kind}
        >
          {kinds.map(([kind, name]) => (
            <option key={kind} value={kind}>
              {name}
            </option>
          ))}
        </Select>
        <MoveHandle condition={condition} path={path} tree={tree} />
        <button
          aria-label={`Remove condition ${place}`}
          className="grid size-8 shrink-0 place-items-center rounded-control text-ink-faint hover:bg-hover hover:text-ink"
          onClick={() => tree.remove(path)}
          type="button"
        >
          <CloseIcon size={12} />
        </button>
      </div>
      <MoveButtons condition={condition} path={path} tree={tree} />
      {condition.kind === "group" ? (
        <GroupFields condition={condition} path={path} tree={tree} wrong={wrong}>
          {condition.group.conditions.map((member, index) => (
            <ConditionCard
              condition={member}
              key={member.key}
              path={[...path, index]}
              tree={tree}
              wrong={(name) => wrong(`conditions.${index}.${name}`)}
            />
          ))}
        </GroupFields>
      ) : (
        <KindFields condition={condition} set={set} wrong={wrong} />
      )}
    </fieldset>
  );
}

type FieldsProps = { condition: ConditionDraft; wrong: Wrong; set: (part: Partial<ConditionDraft>) => void };

function KindFields({ condition, wrong, set }: FieldsProps) {
  switch (condition.kind) {
    case "compare": {
      const change = (comparison: ComparisonDraft) => set({ comparison });
      return <ComparisonFields draft={condition.comparison} onChange={change} wrong={wrong} />;
    }
    case "price_level":
      return <LevelFields condition={condition} set={set} wrong={wrong} />;
    case "time":
      return <HoursFields hours={condition.hours} onChange={(hours) => set({ hours })} wrong={wrong} />;
    case "every":
      return <EveryFields condition={condition} set={set} wrong={wrong} />;
    default:
      return <WindowFields condition={condition} set={set} wrong={wrong} />;
  }
}

function WindowFields({ condition, wrong, set }: FieldsProps) {
  const { kind } = condition;
  return (
    <>
      <div className="grid grid-cols-2 gap-2.5">
        {kind === "volume_spike" ? (
          <NumberField
            error={wrong("multiplier")}
            label="At least, × average"
            onChange={(multiplier) => set({ multiplier })}
            value={condition.multiplier}
          />
        ) : (
          <NumberField
            error={wrong("percent")}
            label="At least, %"
            onChange={(percent) => set({ percent })}
            value={condition.percent}
          />
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
      <NumberField
        error={wrong("level")}
        label="Price, $"
        onChange={(level) => set({ level })}
        value={condition.level}
      />
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
