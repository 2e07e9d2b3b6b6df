import type { Objective } from "@/explore/grid";
import { colourOf, scoreText } from "@/explore/scores";

type LegendProps = { objective: Objective; strongest: number; fewest: number };

/** What the colours and marks of the heat map mean. */
export function Legend({ objective, strongest, fewest }: LegendProps) {
  const shares = objective === "win_rate" ? [0, 0.5, 1] : [-1, -0.5, 0, 0.5, 1];
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-small text-ink-soft">
      <ul aria-label="Colours" className="flex">
        {shares.map((share) => {
          const cell = { number: 0, variant: undefined, score: share * strongest, counts: true };
          return (
            <li
              className="figures px-1.5 py-0.5 text-ink"
              key={share}
              style={{ backgroundColor: colourOf(cell, objective, strongest) }}
            >
              {scoreText(cell.score, objective)}
            </li>
          );
        })}
      </ul>
      <span>★ recommended</span>
      <span>○ best in hindsight</span>
      <span className="border-2 border-accent px-1.5">its plateau</span>
      <span className="bg-sunken px-1.5">few: under {fewest} trades</span>
    </div>
  );
}
