/** A table whose cells are coloured by their score. Arrow keys move among the cells. */
import { type KeyboardEvent, useRef } from "react";
import { type Cell, edgesOf, type Objective } from "@/explore/grid";
import type { Value } from "@/explore/places";
import { colourOf, scoreText } from "@/explore/scores";
import { count } from "@/format/numbers";
import { classes } from "@/kit/classes";

type Axis = { label: string; values: Value[] };
type HeatMapProps = {
  across: Axis;
  down: Axis | null;
  rows: Cell[][];
  objective: Objective;
  strongest: number;
  plateau: Set<number>;
  recommended: number | null;
  best: number | null;
  chosen: number | null;
  onChoose: (number: number) => void;
};

/** With more columns there is no room for figures; those of the chosen cell are shown below. */
const MOST_WITH_FIGURES = 12;
const STEPS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

export function HeatMap(map: HeatMapProps) {
  const { across, down, rows, chosen } = map;
  const table = useRef<HTMLTableElement>(null);
  const first = rows.flat().some(({ number }) => number === chosen) ? chosen : rows[0]?.[0]?.number;
  const caption = down ? `${down.label} down, ${across.label} across` : across.label;

  function onKeyDown(event: KeyboardEvent<HTMLTableElement>) {
    const step = STEPS[event.key];
    const at = (event.target as HTMLElement).dataset.at?.split(" ").map(Number);
    if (!step || !at) return;
    event.preventDefault();
    const next = rows[(at[0] ?? 0) + step[0]]?.[(at[1] ?? 0) + step[1]];
    if (!next) return;
    map.onChoose(next.number);
    table.current?.querySelector<HTMLElement>(`[data-number="${next.number}"]`)?.focus();
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section aria-label="Heat map" className="min-w-0 overflow-x-auto p-0.5" tabIndex={0}>
      <table className="border-separate border-spacing-0 text-small" onKeyDown={onKeyDown} ref={table}>
        <caption className="pb-1 text-left text-small text-ink-soft">{caption}</caption>
        <thead>
          <tr>
            {down && <td />}
            {across.values.map((value) => (
              <th className="figures px-1 pb-1 text-center font-medium text-ink-faint" key={value} scope="col">
                {value}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, r) => (
            <tr key={String(down?.values[r] ?? 0)}>
              {down && (
                <th className="figures pr-2 text-right font-medium text-ink-faint" scope="row">
                  {down.values[r]}
                </th>
              )}
              {row.map((cell, c) => (
                <td className="p-0" key={cell.number}>
                  <CellButton
                    cell={cell}
                    column={c}
                    isFirst={cell.number === first}
                    map={map}
                    name={nameOf(map, r, c)}
                    row={r}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type CellButtonProps = { cell: Cell; map: HeatMapProps; row: number; column: number; name: string; isFirst: boolean };

function CellButton({ cell, map, row, column, name, isFirst }: CellButtonProps) {
  const { objective, recommended, best, chosen } = map;
  const withFigures = map.across.values.length <= MOST_WITH_FIGURES;
  const mark = cell.number === recommended ? "★" : cell.number === best ? "○" : "";
  const edges = edgesOf(map.rows, map.plateau, row, column);
  return (
    <button
      aria-label={name}
      aria-pressed={cell.number === chosen}
      className={classes(
        "figures flex h-9 items-center justify-center gap-1 whitespace-nowrap border-2 text-small text-(--ink-full)",
        withFigures ? "w-full min-w-16 px-1" : "w-7",
        cell.number === chosen && "outline-2 -outline-offset-4 outline-ink",
      )}
      data-at={`${row} ${column}`}
      data-number={cell.number}
      onClick={() => map.onChoose(cell.number)}
      style={{ backgroundColor: colourOf(cell, objective, map.strongest), borderColor: borders(edges) }}
      tabIndex={isFirst ? 0 : -1}
      title={name}
      type="button"
    >
      {mark && <span>{mark}</span>}
      {withFigures && <span>{cell.counts ? scoreText(cell.score, objective) : "few"}</span>}
    </button>
  );
}

/** The edge of the plateau in the accent's colour, all other borders in the surface's. */
function borders(edges: ReturnType<typeof edgesOf>): string {
  const colour = (isEdge: boolean | undefined) => (isEdge ? "var(--accent)" : "var(--surface)");
  return [edges?.top, edges?.right, edges?.bottom, edges?.left].map(colour).join(" ");
}

function nameOf({ across, down, rows, objective, ...map }: HeatMapProps, row: number, column: number): string {
  const cell = rows[row]?.[column];
  if (!cell) return "";
  return [
    ...(down ? [`${down.label}: ${down.values[row]}`] : []),
    `${across.label}: ${across.values[column]}`,
    cell.variant?.total_trades == null
      ? "not run"
      : `${scoreText(cell.score, objective)}, ${count(cell.variant.total_trades)} trades${cell.counts ? "" : " are few"}`,
    ...(cell.number === map.recommended ? ["recommended"] : []),
    ...(cell.number === map.best ? ["best in hindsight"] : []),
    ...(map.plateau.has(cell.number) && cell.number !== map.recommended ? ["a neighbour of the recommended one"] : []),
  ].join(", ");
}
