import { Field, Input } from "@/design/Field";

type NumberFieldProps = {
  label: string;
  error: string | undefined;
  value: string;
  onChange: (typed: string) => void;
  /** What an empty field means, where it may be empty. */
  none?: string;
  isWhole?: boolean;
  className?: string;
};

/** A number as it is typed. The API validates it. */
export function NumberField({ label, error, value, onChange, none, isWhole = false, className }: NumberFieldProps) {
  return (
    <Field className={className} error={error} label={label}>
      {(control) => (
        <Input
          {...control}
          onChange={(event) => onChange(event.target.value)}
          placeholder={none}
          step={isWhole ? 1 : "any"}
          type="number"
          value={value}
        />
      )}
    </Field>
  );
}
