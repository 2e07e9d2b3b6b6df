/** What of a chart can be hidden, by name. */
import type { ChartData } from "@/chart/Drawing";

/** What can be hidden besides the lines of the conditions. */
export const HIDEABLE = {
  trades: "buys and sales",
  volume: "volume",
  equity: "equity",
  hold: "buy and hold",
  drawdown: "drawdown",
} as const;

/** The data without what is hidden and needs no pane: trades, and the curve of holding. */
export function withoutHidden(data: ChartData, hidden: readonly string[]): ChartData {
  const curves = hidden.includes(HIDEABLE.hold) && data.curves && { ...data.curves, hold: [], holdDrawdown: [] };
  return {
    ...data,
    ...(hidden.includes(HIDEABLE.trades) && { fills: [], trades: [] }),
    ...(curves && { curves }),
    hidden,
  };
}
