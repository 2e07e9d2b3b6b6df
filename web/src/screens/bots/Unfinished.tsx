import type { Schemas } from "@/api/client";
import { Badge, type Tone } from "@/design/Badge";

type Run = Schemas["BacktestSummary"];

const STATUS: Record<Run["status"], { text: string; tone: Tone; live?: boolean }> = {
  pending: { text: "Backtest waiting", tone: "accent", live: true },
  running: { text: "Backtest running", tone: "accent", live: true },
  completed: { text: "Completed", tone: "neutral" },
  failed: { text: "Backtest failed", tone: "down" },
  stopped: { text: "Backtest stopped", tone: "warn" },
};

/** How a backtest without a result stands. */
export default function Unfinished({ run }: { run: Run }) {
  const { text, tone, live } = STATUS[run.status];
  return (
    <Badge live={live} tone={tone}>
      {text}
    </Badge>
  );
}
