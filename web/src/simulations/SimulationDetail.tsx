import type { Schemas } from "@/api/client";
import { CostNotes } from "@/backtests/CostNotes";
import { INTRABAR } from "@/backtests/choices";
import { gainTone } from "@/backtests/gainTone";
import { useRunTokenName } from "@/backtests/instrument";
import { Badge } from "@/design/Badge";
import { Button } from "@/design/Button";
import { Progress } from "@/design/Meter";
import { Note, ProblemNote } from "@/design/States";
import { Time } from "@/format/Figures";
import { count, unbroken } from "@/format/numbers";
import { classes } from "@/kit/classes";
import { Controls, type Held } from "@/simulations/Controls";
import { Expected } from "@/simulations/Expected";
import type { Simulation } from "@/simulations/following";
import { Portfolio } from "@/simulations/Portfolio";
import { PursePanel } from "@/simulations/PursePanel";
import { useParity } from "@/simulations/runs";
import { WaitsFor } from "@/simulations/WaitsFor";
import type { Bot } from "@/strategy/versions";

export const STOPPED: Record<NonNullable<Simulation["stop_reason"]>, string> = {
  completed: "Finished: it has seen every candle.",
  user: "You stopped it.",
  replaced: "Stopped, because another one was started.",
  stale: "Stopped, because no worker was running it.",
  failed: "Stopped by a failure.",
};

const PAUSED: Record<Simulation["mode"], string> = {
  replay: "Paused: it goes on where it is when you resume it.",
  live: "Paused: candles that close meanwhile are skipped, and no stop or target works until you resume it.",
};

type SimulationDetailProps = { bot: Bot; run: Simulation; onToken: (tokenId: string) => void };

/** One simulation: its progress, its portfolio, and the check against a backtest. */
export function SimulationDetail({ bot, run, onToken }: SimulationDetailProps) {
  const name = useRunTokenName(run);
  return (
    <div className={classes("stack gap-4", gainTone(run.costs))}>
      <Standing name={name} run={run} />
      <WaitsFor run={run} />
      {run.tokens ? (
        <PursePanel onToken={onToken} run={run} tokens={run.tokens} />
      ) : (
        <Portfolio name={name} portfolio={run.portfolio} />
      )}
      {run.pool_warning && <Note>{unbroken(run.pool_warning)}</Note>}
      <CostNotes className="max-w-3xl" costs={run.costs} notes={run.cost_notes} />
      <Expected bot={bot} name={name} run={run} />
      <Exits run={run} />
      {run.guards_summary && <Note>{run.guards_summary}</Note>}
      <Parity run={run} />
    </div>
  );
}

/** How sure its exits are. */
function Exits({ run: { fills_resolved: exits, intrabar } }: { run: Simulation }) {
  const { exact = 0, resolved = 0, assumed = 0 } = exits;
  const rule = INTRABAR.find(({ value }) => value === intrabar);
  return (
    <section aria-label="Exits" className="text-small text-ink-soft">
      {exact + resolved + assumed > 0 &&
        `Exits so far: ${count(exact)} exact, ${count(resolved)} decided on 1-minute candles, ${count(assumed)} assumed (stop first). `}
      Stop and target inside one candle: {rule?.label}.
    </section>
  );
}

export function StateBadge({ run }: { run: Pick<Simulation, "status"> }) {
  if (run.status === "paused") return <Badge tone="accent">Paused</Badge>;
  if (run.status === "stopped") return <Badge>Stopped</Badge>;
  return (
    <Badge live tone="accent">
      Running
    </Badge>
  );
}

const MARKETS: Record<Simulation["mode"], string> = {
  live: "paper trading that follows the market",
  replay: "a replay of the last hour",
};

function Standing({ run, name }: { run: Simulation; name: string }) {
  return (
    <div className="stack gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <StateBadge run={run} />
        <p className="min-w-0 flex-1 basis-48 text-small text-ink-soft">
          <strong className="font-medium text-ink">{name}</strong>, {run.kline_interval} candles, {MARKETS[run.mode]}, a
          step each {run.check_interval} s, since <Time at={run.started_at} />
        </p>
        <Controls held={heldBy(run, name)} run={run} />
      </div>
      <div className="flex items-center gap-3">
        {run.mode === "replay" && ( // a live run has no end
          <div className="min-w-0 flex-1">
            <Progress label="Progress of the simulation" percent={run.progress} />
          </div>
        )}
        <span className="figures text-small text-ink-soft">
          {run.mode === "live"
            ? `${count(run.candles_processed)} ${run.candles_processed === 1 ? "candle" : "candles"} so far`
            : `${count(run.candles_processed)} of ${count(run.candles_total)} candles`}
        </span>
      </div>
      {run.stop_reason && <p className="text-small text-ink-soft">{STOPPED[run.stop_reason]}</p>}
      {run.status === "paused" && <Note>{PAUSED[run.mode]}</Note>}
      {run.waiting && <Note>{run.waiting}</Note>}
    </div>
  );
}

/** What it holds; of many tokens, how many they are. */
function heldBy({ portfolio, tokens }: Simulation, name: string): Held {
  const held = { ...portfolio.position, unrealizedPnl: portfolio.unrealized_pnl };
  return tokens ? { ...held, tokens: portfolio.places_used ?? 0 } : { ...held, name };
}

/** Compares the simulation with a backtest over exactly the candles it has seen. */
function Parity({ run }: { run: Simulation }) {
  const parity = useParity(run);
  return (
    <div className="stack gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <Button busy={parity.isPending} onClick={() => parity.mutate()} size="small">
          Check against a backtest
        </Button>
        {parity.data && <Verdict parity={parity.data} />}
      </div>
      {parity.data && !parity.data.equal && <Differences differences={parity.data.differences} />}
      <ProblemNote error={parity.error} />
    </div>
  );
}

function Verdict({ parity }: { parity: Schemas["ParityView"] }) {
  const extent = `${count(parity.candles_processed)} candles, ${count(parity.signals)} signals, ${count(parity.trades)} trades`;
  return (
    <p className="text-small" role="status">
      {parity.equal ? (
        <>
          <strong className="font-medium text-up">✓ Equal.</strong> A backtest over the same candles decides the same:{" "}
          {extent}.
        </>
      ) : (
        <>
          <strong className="font-medium text-down">✗ Different.</strong> A backtest over the same candles decides
          otherwise: {extent}.
        </>
      )}
    </p>
  );
}

function Differences({ differences }: { differences: Schemas["Difference"][] }) {
  return (
    <ul className="stack gap-1 text-small text-ink-soft">
      {differences.map(({ what, time, simulation, engine, cause }) => (
        <li key={`${what} ${time}`}>
          <strong className="font-medium text-ink">{what}</strong>
          {time !== null && (
            <>
              {" "}
              at <Time at={time} />
            </>
          )}
          : {simulation ?? "nothing"} here, {engine ?? "nothing"} there. {cause}
        </li>
      ))}
    </ul>
  );
}
