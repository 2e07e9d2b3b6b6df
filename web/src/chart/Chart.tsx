import { lazy, type ReactNode, Suspense, useState } from "react";
import type { Stretch } from "@/chart/Canvas";
import type { ChartData, Fill } from "@/chart/Drawing";
import { Skeleton } from "@/design/States";
import { classes } from "@/kit/classes";

const Canvas = lazy(() => import("@/chart/Canvas"));

type ChartProps = {
  name: string;
  /** What it shows, in a sentence or two: all that those who cannot see it get, beside the tables. */
  caption: ReactNode;
  data: ChartData;
  focus?: Stretch | null;
  className?: string;
};

/** A captioned figure. Its text form is the table of the trades. */
export function Chart({ name, caption, data, focus = null, className }: ChartProps) {
  const [hovered, setHovered] = useState<Fill[]>([]);
  return (
    <figure className="stack">
      <div aria-hidden="true" className={classes("relative", className)}>
        <Suspense fallback={<Skeleton className="absolute inset-0" />}>
          <Canvas data={data} focus={focus} name={name} onHover={setHovered} />
        </Suspense>
        {hovered.length > 0 && (
          <p className="pointer-events-none absolute top-1 left-2 z-10 max-w-[75%] rounded-control border border-line bg-raised/95 px-2 py-1 text-small shadow-raised">
            {hovered.slice(0, 3).map((fill) => (
              <span className="block" key={`${fill.side} ${fill.time} ${fill.why}`}>
                <strong className={classes("font-medium", fill.side === "buy" ? "text-up" : "text-down")}>
                  {fill.side === "buy" ? "▲ Buy" : "▼ Sell"}
                </strong>{" "}
                {fill.why}
              </span>
            ))}
          </p>
        )}
      </div>
      <figcaption className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-small text-ink-soft">
        <span className="min-w-0 flex-1 basis-64">{caption}</span>
        <Legend hasCurves={data.curves !== null} />
      </figcaption>
    </figure>
  );
}

function Legend({ hasCurves }: { hasCurves: boolean }) {
  return (
    <span aria-hidden="true" className="flex flex-wrap gap-x-3 text-tiny text-ink-faint">
      <span>
        <span className="text-up">▲</span> buy
      </span>
      <span>
        <span className="text-down">▼</span> sell
      </span>
      {hasCurves && (
        <>
          <span>
            <span className="text-accent">━</span> equity
          </span>
          <span>┅ buy and hold</span>
          <span>
            <span className="text-down">◢</span> drawdown
          </span>
        </>
      )}
    </span>
  );
}
