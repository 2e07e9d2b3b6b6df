import type { Objective } from "@/explore/grid";
import { colourOf, lineColourOf, scoreText } from "@/explore/scores";
import { Term } from "@/format/Term";

type LegendProps = {
  objective: Objective;
  strongest: number;
  fewest: number;
  hasRecommended: boolean;
  isOfLines?: boolean;
};

/** What the colours and marks of the heat map mean, or those of the lines. */
export function Legend({ objective, strongest, fewest, hasRecommended, isOfLines = false }: LegendProps) {
  const shares = objective === "win_rate" ? [0, 0.5, 1] : [-1, -0.5, 0, 0.5, 1];
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-small text-ink-soft">
      <ul aria-label="Colours" className={isOfLines ? "flex flex-wrap gap-x-3" : "flex"}>
        {shares.map((share) => {
          const cell = { number: 0, variant: undefined, score: share * strongest, counts: true };
          const text = scoreText(cell.score, objective);
          if (isOfLines) return <Stroke colour={lineColourOf(cell, objective, strongest)} key={share} text={text} />;
          return (
            <li
              className="figures px-1.5 py-0.5 text-(--ink-full)"
              key={share}
              style={{ backgroundColor: colourOf(cell, objective, strongest) }}
            >
              {text}
            </li>
          );
        })}
        {isOfLines && <Stroke colour="var(--line-strong)" text={`under ${fewest} trades`} />}
      </ul>
      {hasRecommended && <span>★ recommended</span>}
      <span>
        ○ <Term name="hindsight" />
      </span>
      {!isOfLines && hasRecommended && (
        <span className="border-2 border-accent px-1.5">
          <Term name="neighbours" />
        </span>
      )}
      {!isOfLines && <span className="bg-sunken px-1.5">few: under {fewest} trades</span>}
    </div>
  );
}

function Stroke({ colour, text }: { colour: string; text: string }) {
  return (
    <li className="figures flex items-center gap-1">
      <span className="h-0.5 w-4" style={{ backgroundColor: colour }} />
      {text}
    </li>
  );
}
