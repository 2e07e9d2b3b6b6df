import { useState } from "react";
import { useLocation } from "wouter";
import type { Schemas } from "@/api/client";
import { gainTone } from "@/backtests/gainTone";
import { RunTable } from "@/backtests/RunTable";
import { Button, ButtonLink } from "@/design/Button";
import { PlusIcon } from "@/design/icons";
import { Empty, ErrorState, Loading, Note, Skeleton } from "@/design/States";
import type { Column } from "@/design/Table";
import { Change } from "@/format/Figures";
import { count } from "@/format/numbers";
import { useKeptFocus } from "@/kit/useKeptFocus";
import { entrance } from "@/session/returning";
import { useSession } from "@/session/store";
import { MODE_WORDS, type Simulation } from "@/simulations/following";
import { KeptRules } from "@/simulations/KeptRules";
import { useSimulations } from "@/simulations/runs";
import { SimulationDetail, StateBadge } from "@/simulations/SimulationDetail";
import { SimulationForm, type Tested } from "@/simulations/SimulationForm";
import { TradeLog } from "@/simulations/TradeLog";

type Summary = Schemas["SimulationSummary"];
type SimulationTabProps = {
  bot: Schemas["BotView"];
  run: Simulation | undefined;
  /** The backtest that is shown beside it. */
  tested: Tested | undefined;
  error: unknown;
  onRetry: () => void;
  onShow: (runId: string) => void;
  /** Of many tokens: shows the chart of one. */
  onToken: (tokenId: string) => void;
};

export function SimulationTab({ bot, run, tested, error, onRetry, onShow, onToken }: SimulationTabProps) {
  const { accessToken } = useSession();
  const list = useSimulations(bot.id);
  const form = useKeptFocus(list.data?.simulations[0]?.run_id, "button");
  if (!accessToken) return <ForUsers />;
  if (list.error) return <ErrorState error={list.error} onRetry={list.refetch} />;
  if (!list.data) {
    return (
      <Loading className="stack gap-3 p-4" label="Loading the simulations…">
        <Skeleton className="h-16" />
        <Skeleton className="h-40" />
      </Loading>
    );
  }
  const runs = list.data.simulations;
  return (
    <div className="stack gap-4 pt-4">
      {/* Before the answer: the new run may be heard of earlier. */}
      <div className="px-4" onSubmit={form.keep} ref={form.place}>
        {bot.strategy ? (
          <NewSimulation bot={bot} key={runs[0]?.run_id} last={runs[0]} onStart={onShow} tested={tested} />
        ) : (
          <Note>A simulation needs a strategy: describe one in the chat, or write its first condition.</Note>
        )}
      </div>
      {error ? (
        <ErrorState error={error} onRetry={onRetry} />
      ) : (
        run && (
          <>
            <div className="stack gap-3 border-t border-line px-4 pt-4">
              <KeptRules bot={bot} onStart={onShow} run={run} />
              <SimulationDetail bot={bot} key={run.run_id} onToken={onToken} run={run} />
            </div>
            <TradeLog run={run} />
          </>
        )
      )}
      {runs.length > 1 && <Earlier onShow={onShow} runs={runs} shown={run?.run_id ?? null} />}
    </div>
  );
}

type NewSimulationProps = {
  bot: Schemas["BotView"];
  last: Summary | undefined;
  tested: Tested | undefined;
  onStart: (runId: string) => void;
};

/** The form is collapsed once there is a simulation to watch. */
function NewSimulation({ bot, last, tested, onStart }: NewSimulationProps) {
  const [open, setOpen] = useState(last === undefined);
  const form = useKeptFocus(open, "input, button");
  const show = () => {
    form.keep();
    setOpen(true);
  };
  return (
    <div ref={form.place}>
      {open ? (
        <SimulationForm bot={bot} last={last} onStart={(started) => onStart(started.run_id)} tested={tested} />
      ) : (
        <Button onClick={show} size="small">
          <PlusIcon size={14} />
          New simulation
        </Button>
      )}
    </div>
  );
}

function ForUsers() {
  const [path] = useLocation();
  return (
    <Empty
      action={
        <ButtonLink href={entrance("/register", path)} look="primary">
          Sign up for free
        </ButtonLink>
      }
      title="Simulations need an account."
    >
      They run while you are away, so they must belong to an account. What you have made here is kept.
    </Empty>
  );
}

type EarlierProps = { runs: Summary[]; shown: string | null; onShow: (runId: string) => void };

function Earlier(table: EarlierProps) {
  return (
    <div className="stack border-t border-line">
      <h2 className="px-4 pt-3 text-body">All simulations</h2>
      <RunTable caption="Simulations of this bot" columns={COLUMNS} {...table} />
    </div>
  );
}

const COLUMNS: Column<Summary>[] = [
  { name: "Mode", cell: (run) => MODE_WORDS[run.mode], minor: true },
  { name: "State", cell: (run) => <StateBadge run={run} /> },
  { name: "Steps", numeric: true, cell: (run) => count(run.candles_processed), minor: true },
  {
    name: "P&L",
    numeric: true,
    sortBy: (run) => run.portfolio.pnl_percent,
    cell: (run) => <Change className={gainTone(run.costs)} value={run.portfolio.pnl_percent} />,
  },
];
