import { useState } from "react";
import { Button } from "@/design/Button";
import { Confirm } from "@/design/Confirm";
import { PauseIcon, PlayIcon, StopIcon } from "@/design/icons";
import { ProblemNote } from "@/design/States";
import { Change, Money } from "@/format/Figures";
import { quantity } from "@/format/numbers";
import type { Simulation } from "@/simulations/following";
import { useChange } from "@/simulations/runs";

/** `name` is the symbol of the token, where it is known; `tokens` is how many of many tokens are held. */
export type Held = {
  name?: string;
  tokens?: number;
  quantity: number | null;
  value: number | null;
  unrealizedPnl?: number | null;
};
type ControlsProps = { run: Pick<Simulation, "bot_id" | "run_id" | "status">; held: Held };

/** Pause, resume and stop. Stop asks once: a stopped simulation cannot go on. */
export function Controls({ run, held }: ControlsProps) {
  const [asks, setAsks] = useState(false);
  const change = useChange(run);
  if (run.status === "stopped") return null;
  const paused = run.status === "paused";
  const Icon = paused ? PlayIcon : PauseIcon;
  const leave = () => setAsks(false);
  const stop = () => change.mutate("stop", { onSuccess: leave });
  return (
    <>
      <div className="flex gap-2">
        <Button busy={change.isPending} onClick={() => change.mutate(paused ? "resume" : "pause")} size="small">
          <Icon size={14} />
          {paused ? "Resume" : "Pause"}
        </Button>
        <Button look="danger" onClick={() => setAsks(true)} size="small">
          <StopIcon size={14} />
          Stop
        </Button>
      </div>
      {!asks && <ProblemNote error={change.error} />}
      <Confirm
        busy={change.isPending}
        error={change.error}
        no="Keep it"
        onClose={leave}
        onYes={stop}
        open={asks}
        title="Stop the simulation?"
        yes="Stop simulation"
      >
        <StillHeld held={held} />
        <p>A stopped simulation cannot go on; what it did stays here. To go on later, pause it.</p>
      </Confirm>
    </>
  );
}

function heldWords({ tokens, quantity: held, name }: Held): string {
  if (tokens !== undefined) return tokens === 1 ? "1 token" : `${tokens} tokens`;
  return [quantity(held), name].filter(Boolean).join(" ");
}

function StillHeld({ held }: { held: Held }) {
  if (!(held.tokens ?? held.quantity)) return <p>It holds no position.</p>;
  return (
    <p>
      It still holds {heldWords(held)}, worth <Money value={held.value} />
      {held.unrealizedPnl !== undefined && (
        <>
          {" ("}
          <Change unit="money" value={held.unrealizedPnl} /> since it bought)
        </>
      )}
      . Nothing is sold when it stops.
    </p>
  );
}
