import type { Schemas } from "@/api/client";
import { Badge } from "@/design/Badge";
import { Change, Money, Time } from "@/format/Figures";
import { Controls } from "@/simulations/Controls";

type Paper = Schemas["BotSimulation"];

/** How it trades on paper now: its equity, what it holds, what it decided last, and when it looks again. */
export default function OnPaper({ botId, simulation }: { botId: string; simulation: Paper }) {
  const { run_id, status, quantity, position_value } = simulation;
  const holds = (quantity ?? 0) > 0;
  const running = status === "running";
  const decision = lastDecision(simulation);
  return (
    <div className="stack gap-1 px-4 pb-3 text-small">
      <p className="flex items-center justify-between gap-2">
        <Badge live={running} tone={running ? "up" : "accent"}>
          {running ? "Simulation running" : "Simulation paused"}
        </Badge>
        <span className="figures">
          <Money value={simulation.total_value} /> <Change className="font-medium" value={simulation.pnl_percent} />
        </span>
      </p>
      <p className="line-clamp-3 text-ink-soft" title={decision}>
        {holds ? (
          <>
            Holds <Money value={position_value} />.{" "}
          </>
        ) : (
          "Holds nothing. "
        )}
        {decision}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-ink-faint">
          {simulation.next_check_at && (
            <>
              Next check <Time at={simulation.next_check_at} relative />
            </>
          )}
        </p>
        <div className="relative">
          <Controls held={{ quantity, value: position_value }} run={{ bot_id: botId, run_id, status }} />
        </div>
      </div>
    </div>
  );
}

/** The engine's reason, as the trade log has it. */
function lastDecision({ last_action, last_reason }: Paper): string {
  if (!last_action || !last_reason) return "";
  if (last_action === "HOLD") return `${last_reason[0]?.toUpperCase()}${last_reason.slice(1)}`;
  return `${last_action === "BUY" ? "Bought" : "Sold"}: ${last_reason}`;
}
