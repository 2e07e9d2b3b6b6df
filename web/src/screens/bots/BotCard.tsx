import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { queries, type Schemas } from "@/api/client";
import { countsPool, gainTone } from "@/backtests/costs";
import { instrumentOf, useTokenName } from "@/backtests/instrument";
import { RunIdentity } from "@/backtests/RunIdentity";
import { Badge, type Tone } from "@/design/Badge";
import { Button } from "@/design/Button";
import { Dialog } from "@/design/Dialog";
import { TrashIcon } from "@/design/icons";
import { lazyPart } from "@/design/lazyPart";
import { Sparkline } from "@/design/Sparkline";
import { ProblemNote, Skeleton } from "@/design/States";
import { toast } from "@/design/Toast";
import { Change, Time } from "@/format/Figures";
import { unbroken } from "@/format/numbers";
import { classes } from "@/kit/classes";
import { useSeen } from "@/kit/useSeen";
import { chainName } from "@/market/chains";
import { useSettings } from "@/session/user";

type Bot = Schemas["ListedBot"];
type Run = Schemas["BacktestSummary"];

const OnPaper = lazyPart(() => import("@/screens/bots/OnPaper"), { Failed: NoPaper });
const CHART_HEIGHT = 56;

export function BotCard({ bot }: { bot: Bot }) {
  const [card, seen] = useSeen<HTMLElement>();
  return (
    <article
      className="relative stack flex-1 rounded-card border border-line bg-surface transition-colors hover:border-line-strong has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent"
      ref={card}
    >
      <div className="stack flex-1 gap-1.5 p-4 pb-3">
        <div className="flex items-start justify-between gap-2">
          <h2 className="min-w-0 text-lead wrap-anywhere">
            <Link className="outline-none after:absolute after:inset-0 after:rounded-card" href={`/bots/${bot.id}`}>
              {bot.name}
            </Link>
          </h2>
          <DeleteButton bot={bot} />
        </div>
        <p className="line-clamp-3 min-h-[3lh] text-small text-ink-soft">
          {unbroken(bot.strategy_summary ?? "No strategy yet. Open it and say what it should do.")}
        </p>
      </div>
      {bot.simulation && <OnPaper bot={bot} simulation={bot.simulation} />}
      <LastRun bot={bot} seen={seen} />
    </article>
  );
}

function NoPaper({ onRetry }: { onRetry: () => void }) {
  return (
    <p className="flex flex-wrap items-center justify-between gap-2 px-4 pb-3 text-small text-ink-soft">
      Its simulation could not be loaded.
      <Button className="relative" onClick={onRetry} size="small">
        Try again
      </Button>
    </p>
  );
}

/** The default token of its runs. Its symbol is fetched only for cards that were scrolled to. */
function Place({ bot, seen }: { bot: Bot; seen: boolean }) {
  const { default_chain } = useSettings();
  const instrument = bot.token ? instrumentOf(bot.token, bot.chain, default_chain) : null;
  const name = useTokenName(seen ? instrument : null);
  const chain = instrument?.chain ?? bot.chain;
  return (
    <span className="truncate">
      {[instrument ? name : "Any token", chain && chainName(chain)].filter(Boolean).join(" on ")}
    </span>
  );
}

/** Two small requests per bot, only for cards that were scrolled to. The parameters of the result are shown below it. */
function LastRun({ bot, seen }: { bot: Bot; seen: boolean }) {
  const { data } = queries.useQuery(
    "get",
    "/api/bots/{bot_id}/backtests",
    { params: { path: { bot_id: bot.id }, query: { per_page: 1 } } },
    { enabled: seen },
  );
  const run = data?.backtests[0];
  return (
    <>
      <div className="stack gap-2">
        <div className="flex h-5 items-center justify-between gap-2 px-4 text-small">
          {!data ? (
            <Skeleton className="h-4 w-32" />
          ) : run ? (
            <Outcome run={run} />
          ) : (
            <span className="text-ink-faint">Not tested yet</span>
          )}
        </div>
        {run?.status === "completed" ? <Equity run={run} /> : <div style={{ height: CHART_HEIGHT }} />}
      </div>
      <footer className="flex min-h-10 items-center justify-between gap-3 border-t border-line px-4 py-2 text-small text-ink-faint">
        {run ? <RunIdentity brief run={run} /> : <Place bot={bot} seen={seen} />}
        <Time at={bot.updated_at} className="whitespace-nowrap" relative />
      </footer>
    </>
  );
}

const STATUS: Record<Run["status"], { text: string; tone: Tone; live?: boolean }> = {
  pending: { text: "Backtest waiting", tone: "accent", live: true },
  running: { text: "Backtest running", tone: "accent", live: true },
  completed: { text: "Completed", tone: "neutral" },
  failed: { text: "Backtest failed", tone: "down" },
  stopped: { text: "Backtest stopped", tone: "warn" },
};

function Outcome({ run }: { run: Run }) {
  if (!run.metrics) {
    const { text, tone, live } = STATUS[run.status];
    return (
      <Badge live={live} tone={tone}>
        {text}
      </Badge>
    );
  }
  return (
    <>
      <span className="text-ink-faint">
        Last backtest, {run.metrics.total_trades} {run.metrics.total_trades === 1 ? "trade" : "trades"}
      </span>
      <Change className={classes("font-medium", gainTone(run.costs))} value={run.metrics.total_return} />
    </>
  );
}

/** The equity curve. A result without tax and impact, or of a token that cannot be sold, says so above it. */
function Equity({ run }: { run: Run }) {
  const { data } = queries.useQuery("get", "/api/bots/{bot_id}/backtest/{run_id}", {
    params: { path: { bot_id: run.bot_id, run_id: run.run_id } },
  });
  const values = (data?.equity_curve ?? []).map((point) => point.equity).filter((equity) => equity !== null);
  const isDoubtful = !countsPool(run.costs) || run.costs?.can_be_sold === false;
  return (
    <>
      {data && isDoubtful && <p className="px-4 text-small text-ink-soft">{data.cost_notes[0]}</p>}
      <div className={gainTone(run.costs)}>
        <Sparkline height={CHART_HEIGHT} values={values} />
      </div>
    </>
  );
}

function DeleteButton({ bot }: { bot: Bot }) {
  const cache = useQueryClient();
  const [open, setOpen] = useState(false);
  const deletion = queries.useMutation("delete", "/api/bots/{bot_id}", {
    onSuccess: () => {
      setOpen(false);
      toast(`${bot.name} is deleted.`);
      void cache.invalidateQueries({ queryKey: ["get", "/api/bots"] });
      void cache.invalidateQueries({ queryKey: ["get", "/api/auth/me"] });
    },
  });
  return (
    <>
      <Button
        aria-label={`Delete ${bot.name}`}
        className="relative -mt-1 -mr-2 w-7 px-0!"
        look="ghost"
        onClick={() => setOpen(true)}
        size="small"
      >
        <TrashIcon size={14} />
      </Button>
      <Dialog onClose={() => setOpen(false)} open={open} title={`Delete ${bot.name}?`}>
        <p>Its strategy, its backtests and its simulations go with it, for good.</p>
        <ProblemNote error={deletion.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={() => setOpen(false)}>Keep it</Button>
          <Button
            busy={deletion.isPending}
            look="danger"
            onClick={() => deletion.mutate({ params: { path: { bot_id: bot.id } } })}
          >
            Delete
          </Button>
        </div>
      </Dialog>
    </>
  );
}
