import type { Schemas } from "@/api/client";
import { Badge } from "@/design/Badge";
import { Change, Money, Time } from "@/format/Figures";

/** How it trades on paper now: its equity, what it holds, what it decided last, and when it looks again. */
export default function OnPaper({ simulation }: { simulation: Schemas["BotSimulation"] }) {
  const holds = (simulation.quantity ?? 0) > 0;
  const running = simulation.status === "running";
  return (
    <div className="stack gap-1 px-4 pb-2 text-small">
      <p className="flex items-center justify-between gap-2">
        <Badge live={running} tone={running ? "up" : "accent"}>
          {running ? "Simulation running" : "Simulation paused"}
        </Badge>
        <span className="figures">
          <Money value={simulation.total_value} /> <Change className="font-medium" value={simulation.pnl_percent} />
        </span>
      </p>
      <p className="line-clamp-2 text-ink-soft" title={simulation.last_reason ?? undefined}>
        {holds ? (
          <>
            Holds <Money value={simulation.position_value} />.{" "}
          </>
        ) : (
          "Holds nothing. "
        )}
        {simulation.last_action}: {simulation.last_reason}
      </p>
      {simulation.next_check_at && (
        <p className="text-ink-faint">
          Next check <Time at={simulation.next_check_at} relative />
        </p>
      )}
    </div>
  );
}
