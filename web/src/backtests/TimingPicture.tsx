/**
 * How much the market rose while the strategy was in and while it was out. The width of a bar is its share of the time,
 * the height the rise a day: the area is the whole rise. The sentence beside it says the same.
 */
import type { Schemas } from "@/api/client";

type Timing = Schemas["TimingView"];
const WIDTH = 96;
const HEIGHT = 28;
const LABELS = 12;
const NARROWEST = 4;

export function TimingPicture({ timing }: { timing: Timing }) {
  const share = timing.in_percent / 100;
  const rates = [rate(timing.rise_in_percent, share), rate(timing.rise_out_percent, 1 - share)];
  const top = Math.max(0, ...rates);
  const scale = HEIGHT / (top - Math.min(0, ...rates) || 1);
  const zero = top * scale;
  const edge = Math.min(WIDTH - NARROWEST, Math.max(NARROWEST, share * WIDTH));
  return (
    <svg
      aria-hidden="true"
      className="shrink-0"
      height={HEIGHT + LABELS}
      viewBox={`0 0 ${WIDTH} ${HEIGHT + LABELS}`}
      width={WIDTH}
    >
      {rates.map((each, place) => (
        <rect
          className={place > 0 ? "fill-line-strong" : each > 0 ? "fill-up" : "fill-down"}
          height={Math.max(1, Math.abs(each) * scale)}
          key={place > 0 ? "out" : "in"}
          width={place > 0 ? WIDTH - edge - 1 : edge - 1}
          x={place > 0 ? edge + 1 : 0}
          y={each > 0 ? zero - each * scale : Math.min(zero, HEIGHT - 1)}
        />
      ))}
      <line className="stroke-line-strong" x1={0} x2={WIDTH} y1={zero} y2={zero} />
      <text className="fill-ink-faint text-tiny" x={0} y={HEIGHT + LABELS - 1}>
        in
      </text>
      <text className="fill-ink-faint text-tiny" textAnchor="end" x={WIDTH} y={HEIGHT + LABELS - 1}>
        out
      </text>
    </svg>
  );
}

/** The rise in a unit of time. */
function rate(percent: number | null, share: number): number {
  return percent === null || share <= 0 ? 0 : Math.log1p(Math.max(-0.999, percent / 100)) / share;
}
