/** Two or more runs side by side. */
import { useQueries } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { queries } from "@/api/client";
import { COMPARED_COLOURS, CompareCurves } from "@/backtests/CompareCurves";
import { CostNotes } from "@/backtests/CostNotes";
import { tokenId } from "@/backtests/filtering";
import { gainTone } from "@/backtests/gainTone";
import { TokenName } from "@/backtests/instrument";
import { MetricTerm, MetricValue } from "@/backtests/MetricCards";
import { areComparable, best, doubtOf, KEY_METRICS, type Metric, MORE_METRICS } from "@/backtests/metrics";
import { RunIdentity, Source } from "@/backtests/RunIdentity";
import type { Run } from "@/backtests/runs";
import { Button } from "@/design/Button";
import { CloseIcon } from "@/design/icons";
import { ErrorState, Loading, Skeleton } from "@/design/States";
import { Day, Time } from "@/format/Figures";
import { money } from "@/format/numbers";
import { Term } from "@/format/Term";
import { classes } from "@/kit/classes";
import { Diff, diff } from "@/strategy/Diff";

type CompareProps = { botId: string; runIds: string[]; onClose: () => void };

/** As many as there are colours for their curves. */
export const MOST_COMPARED = COMPARED_COLOURS.length;

/** It comes into view when it is opened. */
export function Compare({ botId, runIds, onClose }: CompareProps) {
  const place = useRef<HTMLElement>(null);
  const found = useQueries({
    queries: runIds.map((runId) =>
      queries.queryOptions("get", "/api/bots/{bot_id}/backtest/{run_id}", {
        params: { path: { bot_id: botId, run_id: runId } },
      }),
    ),
  });
  const failed = found.find(({ error }) => error);
  // Their differences run forward in time.
  const runs = found.flatMap(({ data }) => data ?? []).sort((a, b) => a.created_at.localeCompare(b.created_at));
  const isReady = runs.length === runIds.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: its height changes once it is loaded
  useEffect(() => {
    place.current?.scrollIntoView({ block: "start" });
  }, [isReady]);
  return (
    <section
      aria-label="Comparison"
      className="stack scroll-mt-2 gap-3 rounded-card border border-line bg-raised"
      ref={place}
    >
      <header className="flex items-center justify-between gap-3 px-4 pt-3">
        <h2 className="text-body">Side by side</h2>
        <Button aria-label="Close the comparison" look="ghost" onClick={onClose} size="small">
          <CloseIcon size={14} />
        </Button>
      </header>
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => failed.refetch()} />
      ) : !isReady ? (
        <Loading className="px-4 pb-4">
          <Skeleton className="h-96" />
        </Loading>
      ) : (
        <>
          {!areComparable(runs) && (
            <p className="px-4 text-small text-ink-soft">
              These runs are about different tokens, times or kinds of costs, so none of them is marked as better.
            </p>
          )}
          <CompareCurves runs={runs} />
          <Sides runs={runs} />
        </>
      )}
    </section>
  );
}

function Sides({ runs }: { runs: Run[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section aria-label="Runs side by side" className="relative min-w-0 overflow-x-auto pb-2" tabIndex={0}>
      <table className="w-full border-collapse text-small">
        <caption className="sr-only">Backtests side by side; a star marks the better value</caption>
        <thead>
          <tr className="align-bottom">
            <td className="sticky left-0 bg-raised" />
            {runs.map((run, place) => (
              <th
                className={classes("min-w-36 px-3 pb-2 text-left font-medium", gainTone(run.costs))}
                key={run.run_id}
                scope="col"
              >
                <span
                  aria-hidden="true"
                  className="mb-1 block h-1 w-8 rounded-full"
                  style={{ background: `var(--${COMPARED_COLOURS[place]})` }}
                />
                {run.name}
                {run.strategy_revision !== null && (
                  <span className="block">
                    <Term name="revision" /> {run.strategy_revision}
                  </span>
                )}
                <RunIdentity brief className="font-normal" run={run} />
                <Time at={run.created_at} className="block font-normal text-ink-faint" relative />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DIFFERENCES.map((difference) => (
            <DifferenceRow difference={difference} key={difference.name} runs={runs} />
          ))}
          <StrategyRow runs={runs} />
          <VerdictRow runs={runs} />
          <CostsRow runs={runs} />
          {[...KEY_METRICS, ...MORE_METRICS].map((metric) => (
            <MetricRow key={metric.name} metric={metric} runs={runs} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const NAME = "sticky left-0 bg-raised py-1.5 pr-2 pl-4 text-left font-normal whitespace-nowrap text-ink-soft";

type Difference = { name: string; value: (run: Run) => ReactNode; key: (run: Run) => unknown };

/** What may differ between runs besides their results. Only what does is shown, above the results. */
const DIFFERENCES: Difference[] = [
  { name: "Token", key: tokenId, value: (run) => <TokenName {...run} /> },
  { name: "Candles", key: (run) => run.kline_interval, value: (run) => run.kline_interval },
  {
    name: "Dates",
    key: (run) => `${run.start_time.slice(0, 10)} ${run.end_time.slice(0, 10)}`,
    value: (run) => (
      <>
        <Day at={run.start_time} /> – <Day at={run.end_time} />
      </>
    ),
  },
  { name: "Cash", key: (run) => run.initial_cash, value: (run) => money(run.initial_cash) },
  { name: "Fee", key: (run) => run.fee_percent, value: (run) => `${run.fee_percent}%` },
  { name: "Slippage", key: (run) => run.slippage_percent, value: (run) => `${run.slippage_percent}%` },
  {
    name: "Inside a candle",
    key: (run) => run.intrabar,
    value: (run) => (run.intrabar === "auto" ? "1-minute candles decide" : "stop first"),
  },
  { name: "Prices", key: (run) => run.data_source, value: (run) => <Source name={run.data_source} /> },
];

function DifferenceRow({ difference, runs }: { difference: Difference; runs: Run[] }) {
  if (new Set(runs.map(difference.key)).size < 2) return null;
  return (
    <tr className="border-t border-line">
      <th className={NAME} scope="row">
        {difference.name}
      </th>
      {runs.map((run) => (
        <td className="px-3 py-1.5 font-medium" key={run.run_id}>
          {difference.value(run)}
        </td>
      ))}
    </tr>
  );
}

function MetricRow({ metric, runs }: { metric: Metric; runs: Run[] }) {
  const stars = best(metric, runs);
  return (
    <tr className="border-t border-line">
      <th className={NAME} scope="row">
        <MetricTerm metric={metric} />
      </th>
      {runs.map((run, place) => {
        const doubt = run.metrics ? doubtOf(metric.name, run.metrics) : undefined;
        return (
          <td
            className={classes(
              "figures px-3 py-1.5",
              stars.has(place) && "font-semibold",
              doubt && "text-ink-faint",
              gainTone(run.costs),
            )}
            key={run.run_id}
          >
            <MetricValue metric={metric} metrics={run.metrics} />
            {doubt && <span className="ml-2 text-tiny">{doubt}</span>}
            {stars.has(place) && (
              <span className="ml-1 text-accent">
                <span aria-hidden="true">★</span>
                <span className="sr-only">better</span>
              </span>
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** How far each result can be trusted, in the verdict's own words. */
function VerdictRow({ runs }: { runs: Run[] }) {
  if (runs.every(({ verdict }) => !verdict)) return null;
  return (
    <tr className="border-t border-line">
      <th className={NAME} scope="row">
        Verdict
      </th>
      {runs.map(({ run_id, verdict }) => (
        <td className="px-3 py-1.5" key={run_id}>
          {verdict?.headline ?? "–"}
        </td>
      ))}
    </tr>
  );
}

/** What is and what is not in each result, in the server's words; once if it is the same for all. */
function CostsRow({ runs }: { runs: Run[] }) {
  const [first, ...others] = runs;
  const isCommon = (note: string) => others.every(({ cost_notes }) => cost_notes.includes(note));
  const common = first?.cost_notes.filter(isCommon) ?? [];
  const own = runs.map(({ cost_notes }) => cost_notes.filter((note) => !common.includes(note)));
  const hasOwn = own.some((notes) => notes.length > 0);
  return (
    <>
      {common.length > 0 && (
        <tr className="border-t border-line align-top">
          <th className={NAME} scope="row">
            Costs
          </th>
          <td className="px-3 py-1.5" colSpan={runs.length}>
            <CostNotes costs={first?.cost_notes[0] === common[0] ? (first?.costs ?? null) : null} notes={common} />
          </td>
        </tr>
      )}
      {hasOwn && (
        <tr className="border-t border-line align-top">
          <th className={NAME} scope="row">
            {common.length > 0 ? "Also" : "Costs"}
          </th>
          {runs.map((run, place) => (
            <td className="max-w-64 px-3 py-1.5" key={run.run_id}>
              <CostNotes costs={run.costs} notes={own[place] ?? []} />
            </td>
          ))}
        </tr>
      )}
    </>
  );
}

/** How each strategy differs from that of the oldest run, which is the first. */
function StrategyRow({ runs: [first, ...others] }: { runs: Run[] }) {
  if (!first) return null;
  return (
    <tr className="border-t border-line align-top">
      <th className={NAME} scope="row">
        Strategy
      </th>
      <td className="px-3 py-1.5 text-ink-soft">The first</td>
      {others.map((run) => (
        <td className="max-w-64 px-3 py-1.5" key={run.run_id}>
          {diff(first.strategy, run.strategy).length === 0 ? (
            <span className="text-ink-soft">The same</span>
          ) : (
            <Diff after={run.strategy} before={first.strategy} />
          )}
        </td>
      ))}
    </tr>
  );
}
