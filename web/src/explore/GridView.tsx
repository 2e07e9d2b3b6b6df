/** The variants of a search: a heat map of two parameters, the others by slider; a line and a row for one. */
import { useId, useState } from "react";
import { Field, Select } from "@/design/Field";
import { numberAt, numberOf, placeOf, planeOf, plateauOf, type Search, strongest, type Variant } from "@/explore/grid";
import { HeatMap } from "@/explore/HeatMap";
import { Legend } from "@/explore/Legend";
import { LineChart } from "@/explore/LineChart";
import { labelOf } from "@/explore/places";

type GridViewProps = {
  search: Search;
  variants: Variant[];
  chosen: number | null;
  onChoose: (number: number) => void;
};

export function GridView({ search, variants, chosen, onChoose }: GridViewProps) {
  const axes = search.parameters;
  const recommended = numberOf(search, search.recommended?.parameters);
  const [[x, y], setAxes] = useState<[number, number | null]>(axes.length > 1 ? [1, 0] : [0, null]);
  const through = placeOf(axes, chosen ?? recommended ?? 0);
  const rows = planeOf(search, variants, through, x, y);
  const labels = axes.map(({ path }) => labelOf(search.strategy, path));
  const others = axes.map((_, axis) => axis).filter((axis) => axis !== x && axis !== y);
  const slide = (axis: number, at: number) => onChoose(numberAt(axes, through.with(axis, at)));
  return (
    <section aria-label="Variants" className="stack gap-3">
      {axes.length > 2 && (
        <div className="flex flex-wrap gap-3">
          <AxisSelect
            label="Across"
            labels={labels}
            onChange={(axis) => setAxes([axis, axis === y ? x : y])}
            value={x}
          />
          <AxisSelect
            label="Down"
            labels={labels}
            onChange={(axis) => setAxes([axis === x ? (y ?? x) : x, axis])}
            value={y ?? 0}
          />
        </div>
      )}
      {others.map((axis) => (
        <Slider
          at={through[axis] ?? 0}
          key={axis}
          label={labels[axis] ?? ""}
          onChange={(at) => slide(axis, at)}
          values={axes[axis]?.values ?? []}
        />
      ))}
      {y === null && <LineChart recommended={recommended} row={rows[0] ?? []} />}
      <HeatMap
        across={{ label: labels[x] ?? "", values: axes[x]?.values ?? [] }}
        best={numberOf(search, search.best?.parameters)}
        chosen={chosen}
        down={y === null ? null : { label: labels[y] ?? "", values: axes[y]?.values ?? [] }}
        objective={search.objective}
        onChoose={onChoose}
        plateau={plateauOf(axes, recommended)}
        recommended={recommended}
        rows={rows}
        strongest={strongest(variants, search.objective)}
      />
      <Legend
        fewest={search.minimum_trades}
        objective={search.objective}
        strongest={strongest(variants, search.objective)}
      />
    </section>
  );
}

type AxisSelectProps = { label: string; labels: string[]; value: number; onChange: (axis: number) => void };

function AxisSelect({ label, labels, value, onChange }: AxisSelectProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Select {...control} onChange={(event) => onChange(Number(event.target.value))} value={value}>
          {labels.map((name, axis) => (
            <option key={name} value={axis}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

type SliderProps = { label: string; values: (number | string)[]; at: number; onChange: (at: number) => void };

function Slider({ label, values, at, onChange }: SliderProps) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-3 text-small">
      <label className="min-w-40 text-ink-soft" htmlFor={id}>
        {label}
      </label>
      <input
        aria-valuetext={String(values[at])}
        className="min-w-40 flex-1 accent-accent"
        id={id}
        max={values.length - 1}
        min={0}
        onChange={(event) => onChange(Number(event.target.value))}
        type="range"
        value={at}
      />
      <output className="figures w-16" htmlFor={id}>
        {values[at]}
      </output>
    </div>
  );
}
