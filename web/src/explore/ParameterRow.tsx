import { Button } from "@/design/Button";
import { Choice, Field, Input, Labelled, Select } from "@/design/Field";
import { TrashIcon } from "@/design/icons";
import { type Draft, draftOf, valuesOf } from "@/explore/parameters";
import type { Place } from "@/explore/places";
import { count } from "@/format/numbers";

type ParameterRowProps = {
  draft: Draft;
  /** The choices: the current one, and those that no other row has. */
  places: Place[];
  number: number;
  error: string | null;
  onChange: (draft: Draft) => void;
  onRemove: (() => void) | undefined;
};

const MODES = [
  { value: "range", label: "From–to" },
  { value: "values", label: "Values" },
] as const;

export function ParameterRow({ draft, places, number, error, onChange, onRemove }: ParameterRowProps) {
  const values = valuesOf(draft);
  const choose = (path: string) => {
    const place = places.find((each) => each.path === path);
    if (place) onChange(draftOf(place));
  };
  return (
    <fieldset className="flex flex-wrap items-start gap-3 rounded-control border border-line p-3">
      <legend className="sr-only">Parameter {number}</legend>
      <Field
        className="min-w-0 flex-1 basis-52"
        error={error}
        hint={values ? `${count(values.length)} values` : "Fill in its values"}
        label={`Vary ${number}`}
      >
        {(control) => (
          <Select {...control} onChange={(event) => choose(event.target.value)} value={draft.path}>
            {places.map((place) => (
              <option key={place.path} value={place.path}>
                {place.label} ({place.value === null ? "not set" : `now ${place.value}`})
              </option>
            ))}
          </Select>
        )}
      </Field>
      {draft.kind === "number" && (
        <Labelled label="Given as">
          <Choice
            label={`Values of parameter ${number} given as`}
            onChange={(mode) => onChange({ ...draft, mode })}
            options={MODES}
            value={draft.mode}
          />
        </Labelled>
      )}
      {draft.mode === "range" ? (
        <div className="grid flex-1 basis-64 grid-cols-3 gap-2">
          {(["from", "to", "step"] as const).map((name) => (
            <Field key={name} label={name.charAt(0).toUpperCase() + name.slice(1)}>
              {(control) => (
                <Input
                  {...control}
                  onChange={(event) => onChange({ ...draft, [name]: event.target.value })}
                  step="any"
                  type="number"
                  value={draft[name]}
                />
              )}
            </Field>
          ))}
        </div>
      ) : (
        <Field
          className="min-w-0 flex-1 basis-64"
          hint={draft.kind === "duration" ? "Such as 15m, 4h, 1d" : "Such as 2, 5, 10"}
          label="Values"
        >
          {(control) => (
            <Input
              {...control}
              onChange={(event) => onChange({ ...draft, values: event.target.value })}
              value={draft.values}
            />
          )}
        </Field>
      )}
      {onRemove && (
        <Button aria-label={`Remove parameter ${number}`} look="ghost" onClick={onRemove} size="small">
          <TrashIcon size={14} />
        </Button>
      )}
    </fieldset>
  );
}
