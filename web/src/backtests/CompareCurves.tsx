import type { Run } from "@/backtests/runs";
import { Day } from "@/format/Figures";
import { percent } from "@/format/numbers";
import { classes } from "@/kit/classes";

const HEIGHT = 160;
const WIDTH = 1000;
/** One for each run that can be compared. */
export const COMPARED_COLOURS = ["accent", "series-1", "series-2", "series-3", "series-4"] as const;

type Compared = Pick<Run, "initial_cash" | "equity_curve"> & { run_id?: string };
type Scale = { from: number; to: number; low: number; high: number };

type CompareCurvesProps = { runs: Compared[]; label?: string; className?: string };

/** The equity of all runs as the percentage gained since the start, on the same axes of time and percent. */
export function CompareCurves({ runs, label = "Returns of the runs on one scale", className }: CompareCurvesProps) {
  const curves = runs.map(gains);
  const scale = scaleOf(curves.flat());
  if (!scale) return null;
  const zero = y(scale, 0);
  return (
    <figure aria-label={label} className={classes("stack px-4", className)}>
      <div className="flex min-h-0 flex-1 gap-2">
        <svg
          aria-hidden="true"
          className={classes("block min-w-0 flex-1 border-b border-line", className && "h-full")}
          height={HEIGHT}
          preserveAspectRatio="none"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        >
          <line stroke="var(--line-strong)" strokeDasharray="4 4" x1="0" x2={WIDTH} y1={zero} y2={zero} />
          {curves.map((points, place) => (
            <polyline
              fill="none"
              key={runs[place]?.run_id}
              points={points.map((point) => `${x(scale, point.time)},${y(scale, point.gain)}`).join(" ")}
              stroke={`var(--${COMPARED_COLOURS[place]})`}
              strokeWidth="1.5"
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </svg>
        <span aria-hidden="true" className="figures stack justify-between text-tiny text-ink-faint">
          <span>{percent(scale.high, { sign: true, digits: 1 })}</span>
          <span>{percent(scale.low, { sign: true, digits: 1 })}</span>
        </span>
      </div>
      <figcaption className="flex justify-between pr-14 text-tiny text-ink-faint">
        <Day at={scale.from} />
        <span>Gain since the start; the dashed line is no gain</span>
        <Day at={scale.to} />
      </figcaption>
    </figure>
  );
}

type Gain = { time: number; gain: number };

export function gains({ equity_curve, initial_cash }: Pick<Compared, "equity_curve" | "initial_cash">): Gain[] {
  return (equity_curve ?? []).flatMap(({ time, equity }) =>
    equity === null ? [] : { time, gain: 100 * (equity / initial_cash - 1) },
  );
}

function scaleOf(points: Gain[]): Scale | null {
  const [first] = points;
  if (!first) return null;
  const scale = { from: first.time, to: first.time, low: 0, high: 0 };
  for (const { time, gain } of points) {
    scale.from = Math.min(scale.from, time);
    scale.to = Math.max(scale.to, time);
    scale.low = Math.min(scale.low, gain);
    scale.high = Math.max(scale.high, gain);
  }
  return scale;
}

function x({ from, to }: Scale, time: number): string {
  return ((WIDTH * (time - from)) / (to - from || 1)).toFixed(1);
}

function y({ low, high }: Scale, gain: number): string {
  return (2 + ((HEIGHT - 4) * (high - gain)) / (high - low || 1)).toFixed(1);
}
