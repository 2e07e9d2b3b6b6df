import { useState } from "react";
import type { Schemas } from "@/api/client";
import { BacktestForm } from "@/backtests/BacktestForm";
import { BacktestTable } from "@/backtests/BacktestTable";
import { Compare, MOST_COMPARED } from "@/backtests/Compare";
import { filtered, NO_FILTER } from "@/backtests/filtering";
import { RunDetail } from "@/backtests/RunDetail";
import { RunFilter } from "@/backtests/RunFilter";
import { RunNotes } from "@/backtests/RunNotes";
import { type Run, useAllBacktests } from "@/backtests/runs";
import { Button } from "@/design/Button";
import { Empty, ErrorState, Loading, Note, Skeleton } from "@/design/States";
import { count } from "@/format/numbers";
import { useKeptFocus } from "@/kit/useKeptFocus";
import { useHiddenRun } from "@/playback/played";

type BacktestsTabProps = {
  bot: Schemas["BotView"];
  run: Run | undefined;
  onShow: (runId: string) => void;
  onStart: () => void;
  /** Of many tokens, the one whose chart is shown. */
  shownToken: string | null;
  onToken: (tokenId: string) => void;
};

export function BacktestsTab({ bot, run, onShow, onStart, shownToken, onToken }: BacktestsTabProps) {
  const { runs: all, total, error, refetch } = useAllBacktests(bot.id);
  const [marked, setMarked] = useState<string[]>([]);
  const [comparing, setComparing] = useState(false);
  const [filter, setFilter] = useState(NO_FILTER);
  const hidden = useHiddenRun();
  // Each run has a form of its own: that of a new run takes the focus of the one that started it.
  const form = useKeptFocus(run?.run_id, "[type=submit]");
  if (error && !all) return <ErrorState error={error} onRetry={refetch} />;
  if (!all) {
    return (
      <Loading className="stack gap-3 p-4" label="Loading the backtests…">
        <Skeleton className="h-16" />
        <Skeleton className="h-40" />
      </Loading>
    );
  }
  const runs = all.map((each) => (each.run_id === hidden ? { ...each, metrics: null } : each));
  const mark = (runId: string, wanted: boolean) =>
    setMarked(wanted ? [...marked, runId] : marked.filter((other) => other !== runId));
  return (
    <div className="stack gap-4 py-4">
      {/* Before the answer: the new run may be heard of earlier. */}
      <div className="px-4" onSubmit={form.keep} ref={form.place}>
        {bot.strategy ? (
          <BacktestForm bot={bot} key={run?.run_id} onStart={onStart} shown={run} />
        ) : (
          <Note>A backtest needs a strategy: describe one in the chat, or write its first condition.</Note>
        )}
      </div>
      {run && (
        <div className="stack gap-4 border-t border-line px-4 pt-3">
          <RunNotes onDelete={onStart} run={run} />
          {run.run_id === hidden ? (
            <Note>The result stays hidden until the playback reaches the end.</Note>
          ) : (
            <RunDetail bot={bot} onToken={onToken} run={run} shownToken={shownToken} />
          )}
        </div>
      )}
      {runs.length === 0 && bot.strategy && (
        <Empty title="No backtest yet.">
          A backtest trades the strategy through the past and shows what came of it.
        </Empty>
      )}
      {runs.length > 0 && (
        <div className="stack border-t border-line">
          <div className="flex min-h-11 items-center justify-between gap-3 px-4 py-2">
            <h2 className="text-body">
              All runs{total > runs.length && ` (${count(runs.length)} of ${count(total)} are here)`}
            </h2>
            <Button disabled={marked.length < 2} onClick={() => setComparing(true)} size="small">
              {marked.length < 2 ? `Mark 2 to ${MOST_COMPARED} runs to compare` : `Compare ${marked.length} runs`}
            </Button>
          </div>
          {error && <ErrorState error={error} onRetry={refetch} />}
          {runs.length > 1 && <RunFilter filter={filter} onChange={setFilter} runs={runs} />}
          <BacktestTable
            compared={marked}
            onCompare={mark}
            onShow={onShow}
            runs={filtered(runs, filter)}
            shown={run?.run_id ?? null}
          />
        </div>
      )}
      {comparing && marked.length >= 2 && !marked.includes(hidden ?? "") && (
        <div className="px-4">
          <Compare botId={bot.id} onClose={() => setComparing(false)} runIds={marked} />
        </div>
      )}
    </div>
  );
}
