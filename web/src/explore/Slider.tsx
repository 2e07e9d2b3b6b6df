import { useId } from "react";

type SliderProps = {
  label: string;
  at: number;
  last: number;
  /** What is chosen: for screen readers, and shown unless `isNamedElsewhere`. */
  text: string;
  isNamedElsewhere?: boolean;
  onChange: (at: number) => void;
};

/** Chooses one of several things by its place, from 0 to `last`. */
export function Slider({ label, at, last, text, isNamedElsewhere = false, onChange }: SliderProps) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-3 text-small">
      <label className="min-w-40 text-ink-soft" htmlFor={id}>
        {label}
      </label>
      <input
        aria-valuetext={text}
        className="min-w-40 flex-1 accent-accent"
        id={id}
        max={last}
        min={0}
        onChange={(event) => onChange(Number(event.target.value))}
        type="range"
        value={at}
      />
      {!isNamedElsewhere && (
        <output className="figures w-16" htmlFor={id}>
          {text}
        </output>
      )}
    </div>
  );
}
