/** The variants of a search as a grid, and planes of it for the heat map. */
import type { Schemas } from "@/api/client";
import type { Value } from "@/explore/places";

export type Variant = Schemas["VariantView"];
export type Search = Schemas["OptimisationView"];
export type Objective = Search["objective"];
/** The place of a variant on each axis. */
export type Place = number[];
export type Cell = {
  number: number;
  variant: Variant | undefined;
  score: number | null;
  /** Enough trades to be chosen. */
  counts: boolean;
};
type Axes = { values: Value[] }[];

/** The same as in the service: a drawdown under 1 % counts as 1 %. */
const LEAST_DRAWDOWN = 1;

export function scoreOf(variant: Variant, objective: Objective): number | null {
  if (objective === "win_rate") return variant.win_rate;
  if (objective === "return" || variant.total_return === null) return variant.total_return;
  return variant.total_return / Math.max(LEAST_DRAWDOWN, variant.max_drawdown ?? 0);
}

/** The number of the variant at a place: the last axis changes first. */
export function numberAt(axes: Axes, place: Place): number {
  return axes.reduce((number, axis, i) => number * axis.values.length + (place[i] ?? 0), 0);
}

export function placeOf(axes: Axes, number: number): Place {
  let rest = number;
  return axes
    .toReversed()
    .map(({ values }) => {
      const at = rest % values.length;
      rest = Math.floor(rest / values.length);
      return at;
    })
    .toReversed();
}

/** The number of the variant with these values; null if it is not on the grid. */
export function numberOf(search: Pick<Search, "parameters">, values: Record<string, Value> | undefined): number | null {
  if (!values) return null;
  const place = search.parameters.map(({ path, values: all }) => all.indexOf(values[path] as Value));
  return place.includes(-1) ? null : numberAt(search.parameters, place);
}

/** The number of the recommended variant; null if the server recommends none. */
export function recommendedOf(search: Pick<Search, "parameters" | "recommended" | "not_recommended">): number | null {
  return search.not_recommended ? null : numberOf(search, search.recommended?.parameters);
}

/** The rows of the plane of axes `x` and `y` through a place; with one axis there is one row. */
export function planeOf(
  search: Pick<Search, "parameters" | "objective" | "minimum_trades">,
  variants: Variant[],
  through: Place,
  x: number,
  y: number | null,
): Cell[][] {
  const { parameters: axes } = search;
  const rows = y === null ? [0] : (axes[y]?.values ?? []).map((_, i) => i);
  return rows.map((row) =>
    (axes[x]?.values ?? []).map((_, column) => {
      const place = through.map((at, axis) => (axis === x ? column : axis === y ? row : at));
      const number = numberAt(axes, place);
      const variant = variants[number];
      return {
        number,
        variant,
        score: variant ? scoreOf(variant, search.objective) : null,
        counts: (variant?.total_trades ?? 0) >= search.minimum_trades,
      };
    }),
  );
}

/** The recommended variant and its direct neighbours: one step away on one axis. */
export function plateauOf(axes: Axes, recommended: number | null): Set<number> {
  if (recommended === null) return new Set();
  const middle = placeOf(axes, recommended);
  const around = axes.flatMap(({ values }, axis) =>
    [-1, 1]
      .map((step) => middle.with(axis, (middle[axis] ?? 0) + step))
      .filter((place) => (place[axis] ?? -1) >= 0 && (place[axis] ?? 0) < values.length)
      .map((place) => numberAt(axes, place)),
  );
  return new Set([recommended, ...around]);
}

/** Which sides of a cell are the edge of the plateau. */
export function edgesOf(rows: Cell[][], plateau: Set<number>, row: number, column: number) {
  const isIn = (r: number, c: number) => {
    const cell = rows[r]?.[c];
    return cell !== undefined && plateau.has(cell.number);
  };
  if (!isIn(row, column)) return null;
  return {
    top: !isIn(row - 1, column),
    right: !isIn(row, column + 1),
    bottom: !isIn(row + 1, column),
    left: !isIn(row, column - 1),
  };
}

/** The largest distance from zero: what the strongest colour stands for. */
export function strongest(variants: Variant[], objective: Objective): number {
  return variants.reduce((most, variant) => Math.max(most, Math.abs(scoreOf(variant, objective) ?? 0)), 0);
}
