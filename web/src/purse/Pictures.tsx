/** How many places were used over time, and what each token added to the return. */
import type { Schemas } from "@/api/client";
import { Change, Day } from "@/format/Figures";
import { quantity } from "@/format/numbers";
import { classes } from "@/kit/classes";
import { contributionBars, meanPlaces, nameOf, stepPoints, type TokenRow } from "@/purse/result";

const [WIDTH, HEIGHT] = [1000, 72];

type PlacesProps = { places: Schemas["PlacesUsed"][]; most: number };

export function Places({ places, most }: PlacesProps) {
  const points = stepPoints(places, most, WIDTH, HEIGHT);
  const mean = meanPlaces(places);
  return (
    <figure aria-label="Places used over time" className="stack gap-1">
      <div className="flex gap-2">
        <svg
          aria-hidden="true"
          className="block min-w-0 flex-1 border-b border-line"
          height={HEIGHT}
          preserveAspectRatio="none"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        >
          <polygon fill="var(--accent)" opacity="0.12" points={`0,${HEIGHT} ${points} ${WIDTH},${HEIGHT}`} />
          <polyline
            fill="none"
            points={points}
            stroke="var(--accent)"
            strokeWidth="1.5"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        <span aria-hidden="true" className="figures stack w-6 justify-between text-tiny text-ink-faint">
          <span>{most}</span>
          <span>0</span>
        </span>
      </div>
      <div aria-hidden="true" className="flex justify-between pr-8 text-tiny text-ink-faint">
        <Day at={places[0]?.time} />
        <Day at={places.at(-1)?.time} />
      </div>
      <figcaption className="text-small text-ink-soft">
        {mean === null ? "The purse" : `On average ${quantity(mean, 2)} of ${most} places were used; the purse`} held at
        most {Math.max(...places.map(({ used }) => used))} tokens at the same time.
      </figcaption>
    </figure>
  );
}

/** Losses to the left and gains to the right; if there are only gains or only losses, all to the right. */
export function Contributions({ tokens }: { tokens: TokenRow[] }) {
  const bars = contributionBars(tokens);
  const isMixed = new Set(bars.map(({ row }) => Math.sign(row.contribution_percent ?? 0)).filter(Boolean)).size > 1;
  return (
    <ul aria-label="What each token added to the return" className="stack gap-1 text-small">
      {bars.map(({ row, share }) => {
        const isLoss = (row.contribution_percent ?? 0) < 0;
        return (
          <li className="grid grid-cols-[5rem_minmax(0,1fr)_5.5rem] items-center gap-2" key={row.token_id}>
            <span className="truncate" title={nameOf(row)}>
              {nameOf(row)}
            </span>
            <span aria-hidden="true" className={classes("grid", isMixed && "grid-cols-2")}>
              <span className={classes("flex", isMixed && (isLoss ? "justify-end" : "col-start-2"))}>
                <span
                  className={classes("h-3 rounded-small", isLoss ? "bg-down" : "bg-up")}
                  style={{ width: `${100 * share}%` }}
                />
              </span>
            </span>
            <Change className="text-right" value={row.contribution_percent} />
          </li>
        );
      })}
    </ul>
  );
}
