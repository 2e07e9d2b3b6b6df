import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "@/api/client";
import { TokenName } from "@/backtests/instrument";
import { Badge } from "@/design/Badge";
import { Change, Money, Time } from "@/format/Figures";
import { chainName } from "@/market/chains";
import { Controls } from "@/simulations/Controls";
import { MODE_NAMES } from "@/simulations/following";
import { sentencesOf } from "@/simulations/reasons";
import { simulationQuery } from "@/simulations/runs";

type Paper = Schemas["BotSimulation"];
type Bot = Pick<Schemas["ListedBot"], "id">;

/** The simulation of a bot: equity, position, last decision, and the time of the next check. */
export default function OnPaper({ bot, simulation }: { bot: Bot; simulation: Paper }) {
  const { run_id, status, quantity, position_value, places_used, max_open } = simulation;
  const isMany = max_open != null;
  const holds = (places_used ?? quantity ?? 0) > 0;
  const running = status === "running";
  const decision = lastDecision(simulation);
  return (
    <div className="stack gap-1 px-4 pb-3 text-small">
      <p className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1">
        <Badge live={running} tone={running ? "up" : "accent"}>
          {running ? "Simulation running" : "Simulation paused"}, {MODE_NAMES[simulation.mode].toLowerCase()}
        </Badge>
        <span className="figures">
          <Money value={simulation.total_value} /> <Change className="font-medium" value={simulation.pnl_percent} />
        </span>
      </p>
      <p className="text-ink-soft">
        <strong className="font-medium text-ink">
          <TokenName {...simulation} />
        </strong>{" "}
        {isMany ? "with one purse" : `(${chainName(simulation.chain)})`}, {simulation.kline_interval} candles, since{" "}
        <Time at={simulation.started_at} relative />
      </p>
      <p className="line-clamp-3 text-ink-soft" title={decision}>
        {holds ? (
          <>
            Holds <Money value={position_value} />
            {isMany && `, ${places_used} of ${max_open} places`}.{" "}
          </>
        ) : (
          "Holds nothing. "
        )}
        {decision}
      </p>
      <Warnings bot={bot} simulation={simulation} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-ink-faint">
          {simulation.next_check_at && (
            <>
              Next check{" "}
              {Date.parse(simulation.next_check_at) > Date.now() ? (
                <Time at={simulation.next_check_at} relative />
              ) : (
                "when a candle closes"
              )}
            </>
          )}
        </p>
        <div className="relative">
          <Controls
            held={{ quantity, value: position_value, tokens: places_used ?? undefined }}
            run={{ bot_id: bot.id, run_id, status }}
          />
        </div>
      </div>
    </div>
  );
}

/** Where a live run has left what its backtest predicts, and why it gets no prices. */
function Warnings({ bot, simulation }: { bot: Bot; simulation: Paper }) {
  const isLive = simulation.mode === "live";
  const { data: run } = useQuery({ ...simulationQuery(bot.id, simulation.run_id), enabled: isLive });
  return (
    <>
      {run?.waiting && (
        <p className="text-warn">
          <Badge tone="warn">No prices</Badge> {run.waiting}
        </p>
      )}
      {run?.expectation?.notes.map((note) => (
        <p className="text-warn" key={note}>
          <Badge tone="warn">Outside expectation</Badge> {note}
        </p>
      ))}
    </>
  );
}

const DID = { BUY: "Bought.", SELL: "Sold.", HOLD: "" };

/** In the words of the trade log. */
function lastDecision({ last_action, last_reason, last_reasons, last_symbol }: Paper): string {
  if (!last_action || !last_reason) return "";
  const sentences = sentencesOf(last_reason, last_reasons).join(" ");
  const did = last_symbol ? DID[last_action].replace(".", ` ${last_symbol}.`) : DID[last_action];
  return [did, `${sentences[0]?.toUpperCase()}${sentences.slice(1)}`].filter(Boolean).join(" ");
}
