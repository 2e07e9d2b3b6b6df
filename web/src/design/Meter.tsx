import { classes } from "@/kit/classes";

/** How much of an allowance is used. */
export function Meter({ label, value, max, text }: { label: string; value: number; max: number; text: string }) {
  const share = max > 0 ? Math.min(100, (100 * value) / max) : 100;
  const tone = share >= 100 ? "bg-down" : share >= 80 ? "bg-warn" : "bg-accent";
  return (
    <div className="stack gap-1.5">
      <div className="flex justify-between gap-3 text-small">
        <span className="text-ink-soft">{label}</span>
        <span className="figures text-ink">{text}</span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: no two browsers draw <meter> alike, or let it be styled */}
      <div
        aria-label={label}
        aria-valuemax={max}
        aria-valuemin={0}
        aria-valuenow={Math.min(value, max)}
        aria-valuetext={text}
        className="h-1.5 overflow-hidden rounded-full bg-line"
        role="meter"
      >
        <div className={classes("h-full rounded-full", tone)} style={{ width: `${share}%` }} />
      </div>
    </div>
  );
}

/** The progress of something that is running, in percent. */
export function Progress({ label, percent }: { label: string; percent: number }) {
  return (
    <div
      aria-label={label}
      aria-valuemax={100}
      aria-valuemin={0}
      aria-valuenow={Math.round(percent)}
      className="h-1.5 overflow-hidden rounded-full bg-line"
      role="progressbar"
    >
      <div className="h-full rounded-full bg-accent transition-[width] duration-300" style={{ width: `${percent}%` }} />
    </div>
  );
}
