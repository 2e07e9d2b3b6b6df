import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";
import { classes } from "@/kit/classes";

/** The attributes that connect a control with its label, hint and error. */
export type Control = { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean | undefined };

type FieldProps = {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null;
  className?: string;
  children: (control: Control) => ReactNode;
};

/** `<Field label="Email" error={problem?.field("email")}>{(control) => <Input {...control} />}</Field>` */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  const control: Control = {
    id,
    "aria-describedby": error || hint ? `${id}-note` : undefined,
    "aria-invalid": error ? true : undefined,
  };
  return (
    <div className={classes("stack gap-1.5", className)}>
      <label className="text-small font-medium text-ink-soft" htmlFor={id}>
        {label}
      </label>
      {children(control)}
      {(error || hint) && (
        <p className={classes("text-small", error ? "text-down" : "text-ink-faint")} id={`${id}-note`}>
          {error ? `${error.charAt(0).toUpperCase()}${error.slice(1)}${/[.!?]$/.test(error) ? "" : "."}` : hint}
        </p>
      )}
    </div>
  );
}

const BOX = classes(
  "w-full min-w-0 rounded-control border border-line-strong/70 bg-surface px-3 text-body text-ink",
  "placeholder:text-ink-faint hover:border-line-strong aria-invalid:border-down",
);

export function Input({ className, ...props }: InputHTMLAttributes<HTMLInputElement>) {
  return <input {...props} className={classes(BOX, "h-9", props.type === "number" && "figures", className)} />;
}

export function Textarea({ className, ...props }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea {...props} className={classes(BOX, "py-2", className)} />;
}

export function Select({ className, children, ...props }: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <select {...props} className={classes(BOX, "h-9 pr-8", className)}>
      {children}
    </select>
  );
}

/** A visible name for a control that has an accessible name already, such as a `Choice`. */
export function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="stack gap-1.5">
      <span aria-hidden="true" className="text-small font-medium text-ink-soft">
        {label}
      </span>
      {children}
    </div>
  );
}

type ChoiceProps<Value extends string | number> = {
  label: string;
  /** An option that is `unusable` is greyed out, with the reason as its title. */
  options: readonly { value: Value; label: ReactNode; unusable?: string | undefined }[];
  value: Value;
  onChange: (value: Value) => void;
  className?: string;
};

/** A row of radio buttons, for a choice among a few. */
export function Choice<Value extends string | number>({
  label,
  options,
  value,
  onChange,
  className,
}: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset
      className={classes(
        "flex w-fit max-w-full min-w-0 overflow-x-auto rounded-control border border-line bg-sunken p-0.5",
        className,
      )}
    >
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          className={classes(
            "relative flex h-7 items-center rounded-[0.3125rem] px-2.5 text-small font-medium whitespace-nowrap",
            "has-focus-visible:outline-2 has-focus-visible:outline-accent",
            option.unusable ? "line-through decoration-1 opacity-60" : "cursor-pointer",
            option.value === value
              ? "bg-raised text-ink shadow-[0_0_0_1px_var(--line)]"
              : "text-ink-soft hover:text-ink",
          )}
          key={option.value}
          title={option.unusable}
        >
          <input
            checked={option.value === value}
            className="absolute inset-0 cursor-[inherit] appearance-none outline-none"
            disabled={option.unusable !== undefined}
            name={name}
            onChange={() => onChange(option.value)}
            type="radio"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
