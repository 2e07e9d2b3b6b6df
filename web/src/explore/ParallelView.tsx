/** All variants of a search with three or four parameters: each is a line across the parameters to its result. */
import { type PointerEvent, useMemo, useState } from "react";
import { numberOf, recommendedOf, type Search, strongest, type Variant } from "@/explore/grid";
import { Legend } from "@/explore/Legend";
import {
  axisAt,
  type Line,
  linesOf,
  nearest,
  pathOf,
  pathsOf,
  rangeOf,
  resultHeight,
  valueHeight,
} from "@/explore/parallel";
import { labelOf } from "@/explore/places";
import { Slider } from "@/explore/Slider";
import { lineColourOf, OBJECTIVES, scoreText } from "@/explore/scores";
import { count } from "@/format/numbers";
import { classes } from "@/kit/classes";

type ParallelViewProps = {
  search: Search;
  variants: Variant[];
  chosen: number | null;
  onChoose: (number: number) => void;
};

/** The greatest distance in pixels at which a pointer selects a line. */
const REACH = 14;
const MOST_LABELS = 8;

export default function ParallelView({ search, variants, chosen, onChoose }: ParallelViewProps) {
  const [pointed, setPointed] = useState<Line | null>(null);
  const lines = useMemo(() => linesOf(search, variants), [search, variants]);
  const most = useMemo(() => strongest(variants, search.objective), [search, variants]);
  const recommended = lines.find(({ number }) => number === recommendedOf(search));
  const best = lines.find(({ number }) => number === numberOf(search, search.best?.parameters));
  const rank = lines.findIndex(({ number }) => number === chosen);
  const named = pointed ?? lines[rank];
  const name = named ? nameOf(search, named, named === recommended, named === best) : "";

  function lineAt(event: PointerEvent<SVGSVGElement>): Line | null {
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    return nearest(lines, x, y, REACH / box.height);
  }

  return (
    <section aria-label="All parameters" className="stack gap-3">
      <figure className="stack gap-2">
        <Headings search={search} />
        <div className="relative h-80">
          <svg
            aria-hidden="true"
            className={classes("absolute inset-0 size-full touch-pan-y", pointed && "cursor-pointer")}
            onPointerDown={(event) => {
              const line = lineAt(event);
              if (line) onChoose(line.number);
            }}
            onPointerLeave={() => setPointed(null)}
            onPointerMove={(event) => setPointed(lineAt(event))}
            preserveAspectRatio="none"
            viewBox="0 0 100 100"
          >
            <Lines lines={lines} most={most} search={search} />
            <Axes count={search.parameters.length + 1} />
            {recommended && <Strong colour="var(--accent)" line={recommended} />}
            {lines[rank] && lines[rank] !== recommended && <Strong colour="var(--ink)" line={lines[rank]} />}
            {pointed && <Strong colour="var(--ink)" line={pointed} />}
          </svg>
          <Values search={search} />
          <Results lines={lines} search={search} />
          {best && <Mark line={best}>○</Mark>}
          {recommended && <Mark line={recommended}>★</Mark>}
        </div>
        <figcaption aria-live="polite" className="min-h-9 text-small">
          {name || "Point at a line to see its values, or move through the variants below."}
        </figcaption>
      </figure>
      <Slider
        at={Math.max(0, rank)}
        isNamedElsewhere
        label="From worst to best"
        last={Math.max(0, lines.length - 1)}
        onChange={(at) => onChoose(lines[at]?.number ?? 0)}
        text={name}
      />
      <Legend
        fewest={search.minimum_trades}
        hasRecommended={recommended !== undefined}
        isOfLines
        objective={search.objective}
        strongest={most}
      />
    </section>
  );
}

function Headings({ search }: { search: Search }) {
  const result = OBJECTIVES.find(({ value }) => value === search.objective)?.label;
  const names = [...search.parameters.map(({ path }) => labelOf(search.strategy, path)), result];
  return (
    <div aria-hidden="true" className="flex items-end text-center text-tiny text-ink-soft">
      {names.map((name) => (
        <span className="min-w-0 flex-1 px-0.5" key={name}>
          {name}
        </span>
      ))}
    </div>
  );
}

/** Every variant, in its colour; the fewer lines, the more opaque. */
function Lines({ lines, most, search }: { lines: Line[]; most: number; search: Search }) {
  const paths = useMemo(
    () => pathsOf(lines, (line) => lineColourOf(line, search.objective, most)),
    [lines, most, search.objective],
  );
  const opacity = Math.min(0.9, Math.max(0.45, 14 / Math.sqrt(lines.length)));
  return paths.map(({ colour, path }) => (
    <path
      d={path}
      fill="none"
      key={colour}
      opacity={opacity}
      style={{ stroke: colour }}
      vectorEffect="non-scaling-stroke"
    />
  ));
}

function Axes({ count }: { count: number }) {
  return Array.from({ length: count }, (_, axis) => 100 * axisAt(axis, count)).map((x) => (
    <line key={x} stroke="var(--line-strong)" vectorEffect="non-scaling-stroke" x1={x} x2={x} y1={0} y2={100} />
  ));
}

/** A line that stands out, with a border in the colour of the surface. */
function Strong({ line, colour }: { line: Line; colour: string }) {
  return [
    ["var(--surface)", 6],
    [colour, 3],
  ].map(([stroke, width]) => (
    <path
      d={pathOf(line)}
      fill="none"
      key={width}
      stroke={String(stroke)}
      strokeLinejoin="round"
      strokeWidth={width}
      vectorEffect="non-scaling-stroke"
    />
  ));
}

/** The values beside their axes; if there are many, only every second, third and so on. */
function Values({ search: { parameters } }: { search: Search }) {
  return parameters.map(({ path, values }, axis) => {
    const every = Math.ceil(values.length / MOST_LABELS);
    return values.map(
      (value, at) =>
        at % every === 0 && (
          <Label key={`${path} ${value}`} x={axisAt(axis, parameters.length + 1)} y={valueHeight(at, values.length)}>
            {value}
          </Label>
        ),
    );
  });
}

function Results({ lines, search }: { lines: Line[]; search: Search }) {
  const range = rangeOf(lines);
  const x = axisAt(search.parameters.length, search.parameters.length + 1);
  return [...new Set([range.high, 0, range.low])].map((score) => (
    <Label isBefore key={score} x={x} y={resultHeight(score, range)}>
      {scoreText(score, search.objective)}
    </Label>
  ));
}

type LabelProps = { x: number; y: number; isBefore?: boolean; children: string | number };

/** A value beside its axis; before the last axis, because a phone has no room after it. */
function Label({ x, y, isBefore = false, children }: LabelProps) {
  return (
    <span
      aria-hidden="true"
      className={classes(
        "figures pointer-events-none absolute -translate-y-1/2 rounded-small bg-surface/80 px-0.5 text-tiny text-ink",
        isBefore ? "-ml-2 -translate-x-full" : "ml-1",
      )}
      style={{ left: `${100 * x}%`, top: `${100 * y}%` }}
    >
      {children}
    </span>
  );
}

/** A mark on the result axis. */
function Mark({ line, children }: { line: Line; children: string }) {
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute -translate-1/2 text-accent"
      style={{
        left: `${100 * axisAt(line.heights.length - 1, line.heights.length)}%`,
        top: `${100 * (line.heights.at(-1) ?? 0)}%`,
      }}
    >
      {children}
    </span>
  );
}

function nameOf(search: Search, line: Line, isRecommended: boolean, isBest: boolean): string {
  const values = search.parameters.map(
    ({ path, values }, axis) => `${labelOf(search.strategy, path)}: ${values[line.place[axis] ?? 0]}`,
  );
  const trades = `${count(line.variant?.total_trades)} trades${line.counts ? "" : " are few"}`;
  return [
    ...values,
    scoreText(line.score, search.objective),
    trades,
    ...(isRecommended ? ["recommended"] : []),
    ...(isBest ? ["best in hindsight"] : []),
  ].join(", ");
}
