/**
 * The variants of a search: a heat map of two parameters, the others by slider; a line and a row for one. With three or
 * four parameters there is a second view, which shows all of them at once.
 */
import { useState } from "react";
import { Choice, Field, Select } from "@/design/Field";
import { lazyPart } from "@/design/lazyPart";
import { Skeleton } from "@/design/States";
import {
  numberAt,
  numberOf,
  placeOf,
  planeOf,
  plateauOf,
  recommendedOf,
  type Search,
  strongest,
  type Variant,
} from "@/explore/grid";
import { HeatMap } from "@/explore/HeatMap";
import { Legend } from "@/explore/Legend";
import { LineChart } from "@/explore/LineChart";
import { labelOf } from "@/explore/places";
import { Slider } from "@/explore/Slider";

const ParallelView = lazyPart(() => import("@/explore/ParallelView"), { name: "This view" });

type View = "map" | "lines";

const VIEWS: { value: View; label: string }[] = [
  { value: "map", label: "Heat map" },
  { value: "lines", label: "All parameters" },
];

type GridViewProps = {
  search: Search;
  variants: Variant[];
  chosen: number | null;
  onChoose: (number: number) => void;
};

export function GridView(props: GridViewProps) {
  const [view, setView] = useState<View>("map");
  const isDeep = props.search.parameters.length > 2;
  return (
    <section aria-label="Variants" className="stack gap-3">
      {isDeep && <Choice label="View" onChange={setView} options={VIEWS} value={view} />}
      {isDeep && view === "lines" ? (
        <ParallelView {...props} fallback={<Skeleton className="h-96" />} />
      ) : (
        <MapView {...props} />
      )}
    </section>
  );
}

function MapView({ search, variants, chosen, onChoose }: GridViewProps) {
  const axes = search.parameters;
  const recommended = recommendedOf(search);
  const [[x, y], setAxes] = useState<[number, number | null]>(axes.length > 1 ? [1, 0] : [0, null]);
  const through = placeOf(axes, chosen ?? recommended ?? 0);
  const rows = planeOf(search, variants, through, x, y);
  const labels = axes.map(({ path }) => labelOf(search.strategy, path));
  const others = axes.map((_, axis) => axis).filter((axis) => axis !== x && axis !== y);
  const slide = (axis: number, at: number) => onChoose(numberAt(axes, through.with(axis, at)));
  return (
    <>
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
          last={(axes[axis]?.values.length ?? 1) - 1}
          onChange={(at) => slide(axis, at)}
          text={String(axes[axis]?.values[through[axis] ?? 0])}
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
        hasRecommended={recommended !== null}
        objective={search.objective}
        strongest={strongest(variants, search.objective)}
      />
    </>
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
