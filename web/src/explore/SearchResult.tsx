import { useState } from "react";
import { CostNotes } from "@/backtests/CostNotes";
import { gainTone } from "@/backtests/gainTone";
import { OldResult } from "@/backtests/OldResult";
import { VerdictDetail } from "@/backtests/Verdict";
import { ErrorState, Loading, Note, Skeleton } from "@/design/States";
import { GridView } from "@/explore/GridView";
import { numberOf, recommendedOf, type Search } from "@/explore/grid";
import { labelOf, type Value, withValues } from "@/explore/places";
import { useVariants } from "@/explore/searches";
import { type Chosen, VariantPanel } from "@/explore/VariantPanel";
import { Change, Time } from "@/format/Figures";
import { count, percent, unbroken } from "@/format/numbers";
import { Term } from "@/format/Term";
import { classes } from "@/kit/classes";
import type { Bot } from "@/strategy/versions";

type SearchResultProps = { bot: Bot; search: Search; onTest: () => void };

export function SearchResult({ bot, search, onTest }: SearchResultProps) {
  const variants = useVariants(search);
  // Also where nothing is recommended: the verdict is about these values.
  const [number, setNumber] = useState<number | null>(numberOf(search, search.recommended?.parameters));
  const isRecommended = number !== null && number === recommendedOf(search);
  const chosen = chosenOf(search, variants.data?.[number ?? -1], isRecommended);
  return (
    <OldResult bot={bot} className={classes("*:gap-4", gainTone(search.costs))} run={search}>
      <Headline search={search} />
      {search.not_recommended && <p className="font-medium">{unbroken(search.not_recommended)}</p>}
      <CostNotes className="max-w-3xl" costs={search.costs} notes={search.cost_notes} />
      {search.verdict && search.recommended && (
        <p className="text-small text-ink-soft">
          The verdict is about the values that the search would choose:{" "}
          {valuesText(search, search.recommended.parameters)}.
        </p>
      )}
      {search.verdict && (
        <VerdictDetail
          run={{
            status: "completed",
            verdict: search.verdict,
            verdict_error: null,
            pool: null,
            holdout: search.holdout,
          }}
        />
      )}
      {!search.recommended && (
        <Note>
          No variant made {count(search.minimum_trades)} trades or more, so none is recommended. Try a longer time,
          easier rules or fewer trades.
        </Note>
      )}
      {!search.details_kept && <Note>This search is old: its variants were deleted, its result is kept.</Note>}
      {variants.error ? <ErrorState error={variants.error} onRetry={variants.refetch} /> : null}
      {variants.isLoading && (
        <Loading label="Loading the variants…">
          <Skeleton className="h-60" />
        </Loading>
      )}
      {variants.data && <GridView chosen={number} onChoose={setNumber} search={search} variants={variants.data} />}
      {chosen && <VariantPanel bot={bot} chosen={chosen} onTest={onTest} search={search} />}
      <WalkForward search={search} />
    </OldResult>
  );
}

/** The walk-forward return in large type; the best return in hindsight is small and grey. */
function Headline({ search }: { search: Search }) {
  const { walk_forward: walk, best } = search;
  return (
    <div className="stack gap-1">
      <div className="text-lead font-medium">
        <Term name="unseen" />:{" "}
        {walk && walk.total_return !== null ? (
          <>
            <Change className="text-title" value={walk.total_return} /> in {count(walk.trades)}{" "}
            {walk.trades === 1 ? "trade" : "trades"}
          </>
        ) : (
          "unknown, because no variant had enough trades to be chosen"
        )}
      </div>
      {best && (
        <div className="text-small text-ink-faint">
          Best in hindsight: {percent(best.metrics.total_return, { sign: true })} with{" "}
          {valuesText(search, best.parameters)}. It was chosen after the fact, so expect less.
          {search.p_loss !== null && (
            <>
              {" "}
              With the time split into two <Term name="halves" />, the best values of one half lost in the other in{" "}
              {percent(100 * search.p_loss, { digits: 0 })} of cases.
            </>
          )}
        </div>
      )}
    </div>
  );
}

export function valuesText(search: Search, values: Record<string, Value>): string {
  return Object.entries(values)
    .map(([path, value]) => `${labelOf(search.strategy, path)}: ${value}`)
    .join(", ");
}

function chosenOf(search: Search, variant: Chosen["variant"] | undefined, isRecommended: boolean): Chosen | null {
  if (!variant) return null;
  const strategy = withValues(search.strategy, variant.parameters);
  return { variant, strategy, name: valuesText(search, variant.parameters), isRecommended };
}

function WalkForward({ search }: { search: Search }) {
  const blocks = search.walk_forward?.blocks ?? [];
  if (blocks.length === 0) return null;
  return (
    <details>
      <summary className="w-fit rounded-small text-small text-ink-soft hover:text-ink">How that was measured</summary>
      <p className="mt-2 max-w-3xl text-small text-ink-soft">
        The time is cut into blocks. In each block the values are traded that were best on all time before it.
      </p>
      <ul className="mt-2 stack text-small">
        {blocks.map((block) => (
          <li className="border-b border-line py-1.5 last:border-0" key={block.start_time}>
            <Time at={block.start_time} />: <Change value={block.total_return} /> in {count(block.trades)}{" "}
            {block.trades === 1 ? "trade" : "trades"}
            {block.parameters ? ` with ${valuesText(search, block.parameters)}` : ", no values could be chosen"}
          </li>
        ))}
      </ul>
    </details>
  );
}
