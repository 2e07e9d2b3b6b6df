/** The result of a backtest in plain words. */
import type { Schemas } from "@/api/client";
import type { Run } from "@/backtests/runs";
import { percent, unbroken } from "@/format/numbers";

const ALIKE = 0.005;

type Result = Pick<Run, "open_position" | "no_trade_reason" | "data_report">;

/** If nothing could be tested or no trade was closed, the server's sentence says why. */
export function meaning(metrics: Schemas["MetricsView"], result: Result): string {
  const { open_position, no_trade_reason, data_report } = result;
  const reason = data_report?.untested ?? no_trade_reason;
  if (reason) return unbroken(reason);
  return [outcome(metrics), caution(metrics, open_position !== null)].filter(Boolean).join(" ");
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
  if (Math.abs(own - hold) < ALIKE) return ", as simply holding did";
  const result = hold < 0 ? `lost ${percent(-hold)}` : `made ${percent(hold)}`;
  return own > hold ? `, while simply holding ${result}` : `; simply holding ${result} and did better`;
}

/** What the open position means for the figures. Whether the trades are enough is for the verdict to say. */
function caution(metrics: Schemas["MetricsView"], hasOpenPosition: boolean): string {
  const { total_return, win_rate } = metrics;
  if (!hasOpenPosition) return "";
  const lost = total_return !== null && total_return < -ALIKE;
  if (lost && win_rate === 100) return "Every closed trade won: the loss is in the position that is still open.";
  return "A position is still open.";
}
