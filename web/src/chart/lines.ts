/** Which series of a strategy are drawn where, and in which colour. */
import type { Schemas } from "@/api/client";

export type Line = Schemas["LineView"];

/** The name of the colour of a line: they repeat after four. */
export function lineColour(place: number): `series-${1 | 2 | 3 | 4}` {
  return `series-${((place % 4) + 1) as 1 | 2 | 3 | 4}`;
}

/** The panes below the price, each with the lines it holds; without those whose names are hidden. */
export function panesBelow(lines: readonly Line[], hidden: readonly string[] = []): Line[][] {
  const kinds = new Map<string, Line[]>();
  for (const line of lines) {
    if (line.pane !== "below" || hidden.includes(line.name)) continue;
    const kind = `${line.series.series} ${"line" in line.series ? unitOf(line.series.line) : ""}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), line]);
  }
  return [...kinds.values()];
}

/** Lines of one series that have another unit are drawn apart. */
function unitOf(line: unknown): string {
  return line === "percent_b" || line === "width" ? line : "";
}

/** The lines that show more than the candles do: a price or the volume as it is needs no line of its own. */
export function worthDrawing(lines: readonly Line[]): Line[] {
  return lines.filter(({ series }) => {
    const isPlain = ["open", "high", "low", "close", "volume"].includes(series.series);
    const { interval, offset, times, plus } = series;
    return !isPlain || interval != null || offset !== 0 || times !== 1 || plus !== 0;
  });
}

/** What distinguishes one set of lines from another, whatever their values. */
export function shapeOf(lines: readonly Line[]): string {
  return lines.map(({ name, pane, levels }) => `${name} ${pane} ${levels.join()}`).join("\n");
}
