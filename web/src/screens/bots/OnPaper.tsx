import type { Schemas } from "@/api/client";
import { Badge } from "@/design/Badge";
import { Change, Money, Time } from "@/format/Figures";
import { Controls } from "@/simulations/Controls";
import { MODE_WORDS } from "@/simulations/following";
import { plainSentences } from "@/simulations/reasons";

type Paper = Schemas["BotSimulation"];
type Bot = Pick<Schemas["ListedBot"], "id">;

/** The simulation of a bot: equity, position, last decision, and the time of the next check. */
export default function OnPaper({ bot, simulation }: { bot: Bot; simulation: Paper }) {
  const { run_id, status, quantity, position_value } = simulation;
  const holds = (quantity ?? 0) > 0;
  const running = status === "running";
  const decision = lastDecision(simulation);
  return (
    <div className="stack gap-1 px-4 pb-3 text-small">
      <p className="flex items-center justify-between gap-2">
        <Badge live={running} tone={running ? "up" : "accent"}>
          {running ? "Simulation running" : "Simulation paused"}, {MODE_WORDS[simulation.mode].toLowerCase()}
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
          <Controls held={{ quantity, value: position_value }} run={{ bot_id: bot.id, run_id, status }} />
        </div>
      </div>
    </div>
  );
}

const DID = { BUY: "Bought", SELL: "Sold", HOLD: "" };

/** In plain words if possible, as in the trade log. */
function lastDecision({ last_action, last_reason, last_reasons }: Paper): string {
  if (!last_action || !last_reason) return "";
  const sentences = plainSentences(last_reason, last_reasons).join(" ");
  if (last_action === "HOLD") return sentences || `${last_reason[0]?.toUpperCase()}${last_reason.slice(1)}`;
  return sentences ? `${DID[last_action]}. ${sentences}` : `${DID[last_action]}: ${last_reason}`;
}
