import type { ReactNode } from "react";
import { CompareCurves } from "@/backtests/CompareCurves";
import type { Run } from "@/backtests/runs";
import { classes } from "@/kit/classes";

type PurseChartProps = {
  run: Pick<Run, "initial_cash" | "equity_curve">;
  /** The height of the curve. */
  className: string;
  caption?: ReactNode;
  /** Whether it stands by itself on a page. */
  isCard?: boolean;
};

/** What the whole purse gained over time. */
export function PurseChart({ run, className, caption, isCard = false }: PurseChartProps) {
  return (
    <div className={classes("stack gap-2 py-3", isCard && "rounded-card border border-line bg-surface")}>
      {caption && <div className="px-4 text-small text-ink-soft">{caption}</div>}
      <CompareCurves className={className} label="Gain of the purse over time" runs={[run]} />
    </div>
  );
}
