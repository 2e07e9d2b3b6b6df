import { type KeyboardEvent, lazy, type ReactNode, type RefObject, Suspense, useRef, useState } from "react";
import type { Stretch } from "@/chart/Canvas";
import type { ChartData, Hover } from "@/chart/Drawing";
import { Button } from "@/design/Button";
import { Skeleton } from "@/design/States";
import { price, roundCount } from "@/format/numbers";
import { classes } from "@/kit/classes";

const Canvas = lazy(() => import("@/chart/Canvas"));

type ChartProps = {
  name: string;
  /** What it shows, in a sentence or two: all that those who cannot see it get, beside the tables. */
  caption: ReactNode;
  data: ChartData;
  focus?: Stretch | null;
  className?: string;
  /** Goes to the next or the previous trade, where there are any. */
  onStep?: (by: 1 | -1) => void;
};

const NOWHERE: Hover = { fills: [], candle: null };

/** A captioned figure. Its text form is the table of the trades. */
export function Chart({ name, caption, data, focus = null, className, onStep }: ChartProps) {
  const [hovered, setHovered] = useState<Hover>(NOWHERE);
  const [resets, setResets] = useState(0);
  const figure = useRef<HTMLElement>(null);
  return (
    <figure className="stack bg-surface" ref={figure}>
      <div
        aria-hidden="true"
        className={classes("relative in-[:fullscreen]:h-auto in-[:fullscreen]:flex-1", className)}
      >
        <Suspense fallback={<Skeleton className="absolute inset-0" />}>
          <Canvas data={data} focus={focus} name={name} onHover={setHovered} resets={resets} />
        </Suspense>
        <Readout {...hovered} />
      </div>
      <figcaption className="stack gap-1 border-t border-line px-4 py-2 text-small text-ink-soft">
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <span className="min-w-0 flex-1 basis-64">{caption}</span>
          <Legend hasCurves={data.curves !== null} />
        </span>
        <Tools figure={figure} onReset={() => setResets(resets + 1)} onStep={onStep} />
      </figcaption>
    </figure>
  );
}

/** The candle under the pointer, and what was bought or sold on it. */
function Readout({ candle, fills }: Hover) {
  if (!candle) return null;
  const values = { O: candle.open, H: candle.high, L: candle.low, C: candle.close };
  return (
    <div className="pointer-events-none absolute top-1 left-2 z-10 max-w-[75%] rounded-control border border-line bg-raised/95 px-2 py-1 text-small shadow-raised">
      <p className="figures flex flex-wrap gap-x-2.5">
        {Object.entries(values).map(([letter, value]) => (
          <span key={letter}>
            <span className="text-ink-faint">{letter}</span> {price(value)}
          </span>
        ))}
        <span>
          <span className="text-ink-faint">Vol</span> {roundCount(candle.volume)}
        </span>
      </p>
      {fills.slice(0, 3).map((fill) => (
        <p key={`${fill.side} ${fill.time} ${fill.why}`}>
          <strong className={classes("font-medium", fill.side === "buy" ? "text-up" : "text-down")}>
            {fill.side === "buy" ? "▲ Buy" : "▼ Sell"}
          </strong>{" "}
          {fill.why}
        </p>
      ))}
    </div>
  );
}

type ToolsProps = { figure: RefObject<HTMLElement | null>; onReset: () => void; onStep?: (by: 1 | -1) => void };

/** The arrow keys go from trade to trade while one of these has the focus. */
function Tools({ figure, onReset, onStep }: ToolsProps) {
  const step = ({ key }: KeyboardEvent) => {
    if (key === "ArrowLeft") onStep?.(-1);
    if (key === "ArrowRight") onStep?.(1);
  };
  const fill = () => (document.fullscreenElement ? document.exitFullscreen() : figure.current?.requestFullscreen());
  return (
    <span aria-label="Chart" className="-ml-2 flex flex-wrap gap-1" onKeyDown={step} role="toolbar">
      {onStep && (
        <>
          <Button look="ghost" onClick={() => onStep(-1)} size="small">
            ← Previous trade
          </Button>
          <Button look="ghost" onClick={() => onStep(1)} size="small">
            Next trade →
          </Button>
        </>
      )}
      <Button look="ghost" onClick={onReset} size="small">
        Reset zoom
      </Button>
      {document.fullscreenEnabled && (
        <Button look="ghost" onClick={() => void fill()} size="small">
          Full screen
        </Button>
      )}
    </span>
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
