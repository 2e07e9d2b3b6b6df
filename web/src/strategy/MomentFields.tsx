/** The fields of the conditions about time. */
import { Field, Input, Select } from "@/design/Field";
import { zones } from "@/format/zones";
import { classes } from "@/kit/classes";
import type { ConditionDraft, HoursDraft } from "@/strategy/conditionDraft";
import { DurationInput } from "@/strategy/DurationInput";
import { WEEKDAYS, type Weekday } from "@/strategy/words";

type Wrong = (member: string) => string | undefined;
type TimeFieldProps = { label: string; error: string | undefined; value: string; onChange: (typed: string) => void };

function TimeField({ label, error, value, onChange }: TimeFieldProps) {
  return (
    <Field error={error} label={label}>
      {(control) => (
        // The picker's icon would cover the text of a narrow field.
        <Input
          {...control}
          className="px-2! [&::-webkit-calendar-picker-indicator]:hidden"
          onChange={(event) => onChange(event.target.value)}
          type="time"
          value={value}
        />
      )}
    </Field>
  );
}

type HoursFieldsProps = { hours: HoursDraft; wrong: Wrong; onChange: (hours: HoursDraft) => void };

export function HoursFields({ hours, wrong, onChange }: HoursFieldsProps) {
  const set = (part: Partial<HoursDraft>) => onChange({ ...hours, ...part });
  return (
    <>
      <div className="grid grid-cols-2 gap-2.5">
        <TimeField error={wrong("from")} label="From" onChange={(from) => set({ from })} value={hours.from} />
        <TimeField error={wrong("to")} label="Before" onChange={(to) => set({ to })} value={hours.to} />
      </div>
      <Weekdays chosen={hours.weekdays} error={wrong("weekdays")} onChange={(weekdays) => set({ weekdays })} />
      <Field error={wrong("timezone")} label="Time zone">
        {(control) => (
          <Select {...control} onChange={(event) => set({ timezone: event.target.value })} value={hours.timezone}>
            {zones(hours.timezone).map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </Select>
        )}
      </Field>
    </>
  );
}

type WeekdaysProps = { chosen: Weekday[]; error: string | undefined; onChange: (days: Weekday[]) => void };

/** No day chosen means every day. */
function Weekdays({ chosen, error, onChange }: WeekdaysProps) {
  const days = Object.keys(WEEKDAYS) as Weekday[];
  return (
    <fieldset className="stack gap-1.5">
      <legend className="mb-1.5 text-small font-medium text-ink-soft">
        {chosen.length === 0 ? "On every day" : "Only on"}
      </legend>
      <div className="grid grid-cols-7 gap-1">
        {days.map((day) => {
          const isChosen = chosen.includes(day);
          return (
            <label
              className={classes(
                "relative grid h-8 cursor-pointer place-items-center rounded-control border text-small",
                "has-focus-visible:outline-2 has-focus-visible:outline-accent",
                isChosen ? "border-accent bg-accent-soft text-ink" : "border-line text-ink-soft hover:text-ink",
              )}
              key={day}
            >
              <input
                aria-label={WEEKDAYS[day]}
                checked={isChosen}
                className="absolute inset-0 cursor-[inherit] appearance-none outline-none"
                onChange={() => onChange(days.filter((each) => chosen.includes(each) !== (each === day)))}
                type="checkbox"
              />
              <span aria-hidden="true">{WEEKDAYS[day].slice(0, 2)}</span>
            </label>
          );
        })}
      </div>
      {error && <p className="text-small text-down">{error}</p>}
    </fieldset>
  );
}

type EveryFieldsProps = {
  condition: Pick<ConditionDraft, "period" | "at">;
  wrong: Wrong;
  set: (part: Partial<ConditionDraft>) => void;
};

export function EveryFields({ condition, wrong, set }: EveryFieldsProps) {
  return (
    <>
      <div className="grid grid-cols-2 gap-2.5">
        <Field error={wrong("period")} label="Once every">
          {(control) => (
            <DurationInput control={control} onChange={(period) => set({ period })} value={condition.period} />
          )}
        </Field>
        <TimeField error={wrong("at")} label="At (UTC)" onChange={(at) => set({ at })} value={condition.at} />
      </div>
      <p className="text-small text-ink-faint">Counted from Monday, 1 h to 30 days.</p>
    </>
  );
}
