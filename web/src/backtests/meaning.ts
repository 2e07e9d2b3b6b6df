/** The result of a backtest in plain words. */
import type { Schemas } from "@/api/client";
import { percent } from "@/format/numbers";

const ALIKE = 0.005;

type Result = Pick<Schemas["BacktestView"], "open_position" | "data_report">;

/** The result in words; first of all that nothing could be tested, if it is so. */
export function meaningOf(metrics: Schemas["MetricsView"], { open_position, data_report }: Result): string {
  return data_report?.untested ?? meaning(metrics, open_position !== null);
}

export function meaning(metrics: Schemas["MetricsView"], hasOpenPosition: boolean): string {
  if (metrics.total_trades === 0 && !hasOpenPosition) {
    return "It never bought: its conditions were not met once in this time. Loosen them, or test a longer time.";
  }
  return [outcome(metrics), caution(metrics, hasOpenPosition)].filter(Boolean).join(" ");
}

function outcome({ total_return, buy_and_hold_return, max_drawdown }: Schemas["MetricsView"]): string {
  if (total_return === null) return "Its numbers grew beyond what can be computed.";
  const ended =
    Math.abs(total_return) < ALIKE
      ? "It ended where it began"
      : `It ${total_return > 0 ? "made" : "lost"} ${percent(Math.abs(total_return))}`;
  const fell = max_drawdown === null ? "" : `. At its worst it was ${percent(max_drawdown)} below its peak`;
  return `${ended}${beside(total_return, buy_and_hold_return)}${fell}.`;
}

function beside(own: number, hold: number | null): string {
  if (hold === null) return "";
  if (Math.abs(own - hold) < ALIKE) return ", as simply holding the token did";
  const result = hold < 0 ? `lost ${percent(-hold)}` : `made ${percent(hold)}`;
  return own > hold ? `, while simply holding ${result}` : `; simply holding ${result} and did better`;
}

/** What the open position means for the figures. Whether the trades are enough is for the verdict to say. */
function caution(metrics: Schemas["MetricsView"], hasOpenPosition: boolean): string {
  const { total_trades, total_return, win_rate } = metrics;
  if (total_trades === 0) return "Its one purchase is still open, so nothing is decided yet.";
  if (!hasOpenPosition) return "";
  const lost = total_return !== null && total_return < -ALIKE;
  if (lost && win_rate === 100) return "Every closed trade won: the loss is in the position that is still open.";
  return "A position is still open.";
}
