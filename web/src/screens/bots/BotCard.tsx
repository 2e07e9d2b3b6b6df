import { useState } from "react";
import { Link } from "wouter";
import { queries, type Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import { instrumentOf, useTokenName } from "@/backtests/instrument";
import { RunIdentity } from "@/backtests/RunIdentity";
import { Badge, type Tone } from "@/design/Badge";
import { Button } from "@/design/Button";
import { Dialog } from "@/design/Dialog";
import { CopyIcon, TrashIcon } from "@/design/icons";
import { lazyPart, notLoaded } from "@/design/lazyPart";
import { Skeleton } from "@/design/States";
import { toast } from "@/design/Toast";
import { Time } from "@/format/Figures";
import { unbroken } from "@/format/numbers";
import { useSeen } from "@/kit/useSeen";
import { chainName } from "@/market/chains";
import { useMakeBot } from "@/market/useMakeBot";
import { useSettings } from "@/session/user";

type Bot = Schemas["ListedBot"];
type Run = Schemas["BacktestSummary"];

const OnPaper = lazyPart(() => import("@/screens/bots/OnPaper"), { Failed: partNotLoaded("Its simulation") });
const LastResult = lazyPart(() => import("@/screens/bots/LastResult"), { Failed: partNotLoaded("Its last result") });
const DeleteBotDialog = lazyPart(() => import("@/screens/bots/DeleteBotDialog"), { Failed: NoDialog });
const CHART_HEIGHT = 56;
const NO_CURVE = <div style={{ height: CHART_HEIGHT }} />;

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
          <div className="-mt-1 -mr-2 flex">
            <DuplicateButton bot={bot} />
            <DeleteButton bot={bot} />
          </div>
        </div>
        {bot.tags.length > 0 && (
          <ul aria-label="Tags" className="flex flex-wrap gap-1">
            {bot.tags.map((tag) => (
              <li key={tag}>
                <Badge>{tag}</Badge>
              </li>
            ))}
          </ul>
        )}
        <p className="line-clamp-3 min-h-[3lh] text-small text-ink-soft">
          {unbroken(bot.strategy_summary ?? "No strategy yet. Open it and say what it should do.")}
        </p>
      </div>
      {bot.simulation && <OnPaper bot={bot} simulation={bot.simulation} />}
      <OtherRuns bot={bot} />
      <LastRun bot={bot} seen={seen} />
    </article>
  );
}

function partNotLoaded(name: string) {
  return ({ onRetry }: { onRetry: () => void }) => (
    <p className="flex flex-wrap items-center justify-between gap-2 px-4 pb-3 text-small text-ink-soft">
      {name} could not be loaded.
      <Button className="relative" onClick={onRetry} size="small">
        Try again
      </Button>
    </p>
  );
}

const DialogNotLoaded = notLoaded("The dialog");

function NoDialog({ open, onClose, onRetry }: { open: boolean; onClose: () => void; onRetry: () => void }) {
  return (
    <Dialog onClose={onClose} open={open} title="Delete the bot">
      <DialogNotLoaded onRetry={onRetry} />
    </Dialog>
  );
}

const KINDS: Partial<Record<string, { name: string; tab: string }>> = {
  simulation: { name: "Paper run", tab: "simulation" },
  watch: { name: "Watch", tab: "watch" },
  optimisation: { name: "Search", tab: "explore" },
  survey: { name: "Survey", tab: "explore" },
};

/** Its newest run of every other kind: what runs, and what has ended. */
function OtherRuns({ bot }: { bot: Bot }) {
  const runs = (bot.latest_runs ?? []).filter(({ kind, run_id }) => KINDS[kind] && run_id !== bot.simulation?.run_id);
  if (runs.length === 0) return null;
  return (
    <ul aria-label="Other runs" className="flex flex-wrap gap-x-4 gap-y-1 px-4 pb-3 text-small text-ink-soft">
      {runs.map(({ kind, run_id, status, created_at, ended_at }) => (
        <li key={run_id}>
          <Link
            className="relative rounded-small underline-offset-2 hover:underline"
            href={`/bots/${bot.id}?tab=${KINDS[kind]?.tab}`}
          >
            {KINDS[kind]?.name} {status}
          </Link>{" "}
          <Time at={ended_at ?? created_at} className="text-ink-faint" relative />
        </li>
      ))}
    </ul>
  );
}

/** The default token of its runs. Its symbol is fetched only for cards that were scrolled to. */
function Place({ bot, seen }: { bot: Bot; seen: boolean }) {
  const { default_chain } = useSettings();
  const instrument = bot.token ? instrumentOf(bot.token, bot.chain, default_chain) : null;
  const name = useTokenName(seen ? instrument : null);
  const chain = instrument?.chain ?? bot.chain;
  if (bot.universe) return <span className="truncate">Many tokens</span>;
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
      {run?.metrics ? (
        <LastResult bot={bot} chartHeight={CHART_HEIGHT} fallback={NO_CURVE} run={run} />
      ) : (
        <div className="stack gap-2">
          <div className="flex h-5 items-center justify-between gap-2 px-4 text-small">
            {!data ? (
              <Skeleton className="h-4 w-32" />
            ) : run ? (
              <Unfinished run={run} />
            ) : (
              <span className="text-ink-faint">Not tested yet</span>
            )}
          </div>
          {NO_CURVE}
        </div>
      )}
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

function Unfinished({ run }: { run: Run }) {
  const { text, tone, live } = STATUS[run.status];
  return (
    <Badge live={live} tone={tone}>
      {text}
    </Badge>
  );
}

/** Makes another bot with the same strategy, token and tags, and opens it. */
function DuplicateButton({ bot }: { bot: Bot }) {
  const make = useMakeBot();
  const { name, description, token, chain, universe, strategy, tags } = bot;
  const duplicate = () =>
    make.mutate(
      { name: `${name.slice(0, 90)} copy`, description, token, chain, universe, strategy, tags },
      { onError: (error) => toast(problemOf(error).words, { tone: "failed" }) },
    );
  return (
    <Button
      aria-label={`Duplicate ${bot.name}`}
      busy={make.isPending}
      className="relative w-7 px-0!"
      look="ghost"
      onClick={duplicate}
      size="small"
      title="Duplicate"
    >
      {!make.isPending && <CopyIcon size={14} />}
    </Button>
  );
}

function DeleteButton({ bot }: { bot: Bot }) {
  const [isOpen, setIsOpen] = useState<boolean>();
  return (
    <>
      <Button
        aria-label={`Delete ${bot.name}`}
        className="relative w-7 px-0!"
        look="ghost"
        onClick={() => setIsOpen(true)}
        size="small"
      >
        <TrashIcon size={14} />
      </Button>
      {isOpen !== undefined && ( // it stays mounted after the first opening, so that closing it returns the focus
        <DeleteBotDialog bot={bot} onClose={() => setIsOpen(false)} open={isOpen} />
      )}
    </>
  );
}
