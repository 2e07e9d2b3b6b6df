import { type Control, Input, Select } from "@/design/Field";
import { type Duration, UNITS, type Unit } from "@/strategy/duration";

type DurationInputProps = { control: Control; value: Duration; onChange: (duration: Duration) => void; none?: string };

/** A count and its unit. `none` says what an empty count means, where it may be empty. */
export function DurationInput({ control, value, onChange, none }: DurationInputProps) {
  return (
    <div className="flex min-w-0">
      <Input
        {...control}
        className="rounded-r-none! border-r-0!"
        min={1}
        onChange={(event) => onChange({ ...value, count: event.target.value })}
        placeholder={none}
        type="number"
        value={value.count}
      />
      <Select
        aria-label="Unit"
        className="w-auto! shrink-0 rounded-l-none! bg-sunken! pr-0.5! pl-1.5! text-small!"
        onChange={(event) => onChange({ ...value, unit: event.target.value as Unit })}
        value={value.unit}
      >
        {Object.entries(UNITS).map(([unit, name]) => (
          <option key={unit} value={unit}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  );
}
