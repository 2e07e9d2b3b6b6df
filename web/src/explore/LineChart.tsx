import type { Cell } from "@/explore/grid";

const [WIDTH, HEIGHT, PAD] = [600, 160, 10];

/** The score along the values of one parameter. It is hidden from screen readers: the row of cells below says the same. */
export function LineChart({ row, recommended }: { row: Cell[]; recommended: number | null }) {
  const scores = row.map(({ score }) => score ?? 0);
  const [low, high] = [Math.min(0, ...scores), Math.max(0, ...scores)];
  const x = (place: number) => PAD + (place * (WIDTH - 2 * PAD)) / Math.max(1, row.length - 1);
  const y = (score: number) => HEIGHT - PAD - ((score - low) / (high - low || 1)) * (HEIGHT - 2 * PAD);
  return (
    <svg aria-hidden="true" className="block w-full max-w-2xl" viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      <line stroke="var(--line-strong)" strokeDasharray="4 4" x1={0} x2={WIDTH} y1={y(0)} y2={y(0)} />
      <polyline
        fill="none"
        points={scores.map((score, place) => `${x(place)},${y(score)}`).join(" ")}
        stroke="var(--accent)"
        strokeWidth="2"
      />
      {row.map((cell, place) => (
        <circle
          cx={x(place)}
          cy={y(cell.score ?? 0)}
          fill={cell.number === recommended ? "var(--accent)" : "var(--surface)"}
          key={cell.number}
          r={cell.number === recommended ? 6 : 3.5}
          stroke="var(--accent)"
          strokeWidth="2"
        />
      ))}
    </svg>
  );
}
