import { Link } from "wouter";
import { queries, type Schemas } from "@/api/client";
import { gainTone } from "@/backtests/gainTone";
import { TokenName } from "@/backtests/instrument";
import { type Summary, useAllBacktests, useBacktest } from "@/backtests/runs";
import { Badge } from "@/design/Badge";
import { Button } from "@/design/Button";
import { UndoIcon } from "@/design/icons";
import { Empty, ErrorState, Loading, ProblemNote, Skeleton } from "@/design/States";
import { Change, Time } from "@/format/Figures";
import { period } from "@/format/times";
import { classes } from "@/kit/classes";
import { Diff } from "@/strategy/Diff";
import { HoldoutPart } from "@/strategy/HoldoutPart";
import { useRestore } from "@/strategy/restoring";

type Bot = Schemas["BotView"];
type Revision = Schemas["RevisionView"];

/** All earlier strategies of the bot, each with a button to restore it. */
export function RevisionsTab({ bot }: { bot: Bot }) {
  const { data, error, refetch } = queries.useQuery("get", "/api/bots/{bot_id}/revisions", {
    params: { path: { bot_id: bot.id } },
  });
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (!data) {
    return (
      <Loading className="stack gap-2 p-4" label="Loading the revisions…">
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
      </Loading>
    );
  }
  if (data.revisions.length === 0) {
    return <Empty title="No revision yet.">Each change of the strategy is kept here, so that nothing is lost.</Empty>;
  }
  return (
    <>
      <HoldoutPart bot={bot} />
      <ol className="stack" reversed start={data.total_revisions}>
        {data.revisions.map((revision) => (
          <RevisionEntry bot={bot} key={revision.revision} revision={revision} />
        ))}
      </ol>
    </>
  );
}

/** The run of a revision that made most, with its verdict. */
function BestRun({ bot, revision }: { bot: Bot; revision: number }) {
  const { runs = [] } = useAllBacktests(bot.id);
  const own = runs.filter((run) => run.strategy_revision === revision && run.metrics?.total_return != null);
  const best = own.toSorted((one, other) => returnOf(other) - returnOf(one))[0];
  const { data } = useBacktest(bot.id, best?.run_id ?? null);
  if (!best) return <p className="text-small text-ink-faint">Not tested.</p>;
  return (
    <p className={classes("flex flex-wrap gap-x-3 text-small", gainTone(best.costs))}>
      <Link className="text-accent underline-offset-2 hover:underline" href={`/bots/${bot.id}?run=${best.run_id}`}>
        {own.length === 1 ? "Its run" : `Best of ${own.length} runs`}
      </Link>
      <Change value={best.metrics?.total_return} />
      <span>
        <TokenName {...best} />, {best.kline_interval} candles, {period(best)}
      </span>
      {data?.verdict && <span>Verdict: {data.verdict.headline}</span>}
    </p>
  );
}

function returnOf({ metrics }: Summary): number {
  return metrics?.total_return ?? Number.NEGATIVE_INFINITY;
}

function RevisionEntry({ bot, revision }: { bot: Bot; revision: Revision }) {
  const isCurrent = revision.revision === bot.revision;
  const restore = useRestore(bot);
  return (
    <li className="stack gap-2 border-b border-line px-4 py-3 last:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-body">Revision {revision.revision}</h2>
        {isCurrent && <Badge tone="accent">Now</Badge>}
        <Time at={revision.created_at} className="text-small text-ink-faint" relative />
        {!isCurrent && (
          <Button
            busy={restore.isPending}
            className="ml-auto"
            onClick={() => restore.mutate(revision.revision)}
            size="small"
          >
            <UndoIcon size={14} />
            Restore
          </Button>
        )}
      </div>
      <p className="max-w-3xl text-small text-ink-soft">{revision.strategy_summary ?? "Without a strategy."}</p>
      <BestRun bot={bot} revision={revision.revision} />
      {!isCurrent && (
        <details>
          <summary className="w-fit rounded-small text-small text-accent">What restoring it would change</summary>
          <div className="mt-2 max-w-xl">
            <Diff after={revision.strategy} before={bot.strategy} />
          </div>
        </details>
      )}
      <ProblemNote error={restore.error} />
    </li>
  );
}
