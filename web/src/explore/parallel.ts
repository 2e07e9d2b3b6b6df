/** The variants of a search as lines across parallel axes: one axis for each parameter, and the last for the result. */
import { type Cell, type Place, placeOf, type Search, scoreOf, type Variant } from "@/explore/grid";

export type Line = Cell & {
  place: Place;
  /** The height on each axis, from 0 at the top to 1 at the bottom; the last one is the result. */
  heights: number[];
};
export type Range = { low: number; high: number };

/** The share of a value's band that its lines use; the rest separates the values. */
const SPREAD = 0.7;

/**
 * One line for each variant that was run, the worst first, so that better ones are drawn over it. Lines through the same
 * value lie side by side in this order; otherwise all variants with that value would meet in one point.
 */
export function linesOf(
  search: Pick<Search, "parameters" | "objective" | "minimum_trades">,
  variants: Variant[],
): Line[] {
  const cells = variants
    .map((variant) => ({
      number: variant.number,
      variant,
      score: scoreOf(variant, search.objective),
      counts: (variant.total_trades ?? 0) >= search.minimum_trades,
    }))
    .filter(({ score }) => score !== null)
    .toSorted((a, b) => Number(a.counts) - Number(b.counts) || (a.score ?? 0) - (b.score ?? 0));
  const range = rangeOf(cells);
  return cells.map((cell, rank) => {
    const place = placeOf(search.parameters, cell.number);
    const aside = SPREAD * (0.5 - (rank + 0.5) / cells.length);
    const heights = place.map((at, axis) => valueHeight(at, search.parameters[axis]?.values.length ?? 1, aside));
    return { ...cell, place, heights: [...heights, resultHeight(cell.score ?? 0, range)] };
  });
}

/** The lowest and the highest result; the range always includes 0. */
export function rangeOf(cells: Pick<Cell, "score">[]): Range {
  const range = { low: 0, high: 0 };
  for (const { score } of cells) {
    range.low = Math.min(range.low, score ?? 0);
    range.high = Math.max(range.high, score ?? 0);
  }
  return range;
}

export function resultHeight(score: number, { low, high }: Range): number {
  const room = 0.04;
  return room + (1 - 2 * room) * (high > low ? (high - score) / (high - low) : 0.5);
}

/** The height of a value on its axis, the first value lowest; `aside` shifts it by a share of its band. */
export function valueHeight(at: number, values: number, aside = 0): number {
  return 1 - (at + 0.5) / values + aside / values;
}

/** The horizontal position of an axis, from 0 at the left to 1 at the right. */
export function axisAt(axis: number, axes: number): number {
  return (axis + 0.5) / axes;
}

/** The line nearest to a point, the best of equally near ones; null if all are farther away than `reach`. */
export function nearest(lines: Line[], x: number, y: number, reach: number): Line | null {
  let found: Line | null = null;
  let least = reach;
  for (const line of lines) {
    const distance = Math.abs(heightAt(line, x) - y);
    if (distance <= least) [found, least] = [line, distance];
  }
  return found;
}

function heightAt({ heights }: Line, x: number): number {
  const along = Math.min(heights.length - 1, Math.max(0, x * heights.length - 0.5));
  const left = Math.min(heights.length - 2, Math.floor(along));
  const [a = 0, b = 0] = [heights[left], heights[left + 1]];
  return a + (b - a) * (along - left);
}

/** The line as part of an SVG path in a box of 100 by 100. */
export function pathOf({ heights }: Line): string {
  return heights
    .map((y, axis) => `${axis ? "L" : "M"}${(100 * axisAt(axis, heights.length)).toFixed(1)} ${(100 * y).toFixed(2)}`)
    .join("");
}

/** The lines of each colour as one path, in the order in which they are drawn. */
export function pathsOf(lines: Line[], colour: (line: Line) => string): { colour: string; path: string }[] {
  const paths = new Map<string, string[]>();
  for (const line of lines) {
    const known = paths.get(colour(line));
    if (known) known.push(pathOf(line));
    else paths.set(colour(line), [pathOf(line)]);
  }
  return [...paths].map(([colour, parts]) => ({ colour, path: parts.join("") }));
}
