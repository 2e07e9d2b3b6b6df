import { useState } from "react";
import { StatusBadge } from "@/backtests/BacktestTable";
import { RunTable } from "@/backtests/RunTable";
import { isGoing, type Run } from "@/backtests/runs";
import { Empty, ErrorState, Note, ProblemNote } from "@/design/States";
import type { Column } from "@/design/Table";
import type { Search } from "@/explore/grid";
import { LoadingRuns, UnderWay } from "@/explore/Pieces";
import { SearchForm } from "@/explore/SearchForm";
import { SearchResult } from "@/explore/SearchResult";
import { type SearchSummary, useSearch, useSearches, useStopSearch } from "@/explore/searches";
import { count } from "@/format/numbers";
import type { Bot, Strategy } from "@/strategy/versions";

type SearchPartProps = { bot: Bot; strategy: Strategy; run: Run | undefined; onTest: () => void };

/** The form of a new search, the search that is shown, and the list of all searches. */
export function SearchPart({ bot, strategy, run, onTest }: SearchPartProps) {
  const { data, error, refetch } = useSearches(bot.id);
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = chosen ?? data?.optimisations[0]?.run_id ?? null;
  const search = useSearch(bot.id, shown);
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (!data) return <LoadingRuns label="Loading the searches…" />;
  return (
    <>
      <div className="px-4">
        <SearchForm bot={bot} key={run?.run_id} onStart={setChosen} shown={run} strategy={strategy} />
      </div>
      {data.optimisations.length === 0 && !shown && (
        <Empty title="No search yet.">
          A search tries many values of your rules, and says what they would have made on time they had not seen.
        </Empty>
      )}
      {search.error ? <ErrorState error={search.error} onRetry={search.refetch} /> : null}
      {search.data && (
        <section aria-label="Search" className="stack gap-4 border-t border-line px-4 pt-4">
          <OneSearch bot={bot} key={search.data.run_id} onTest={onTest} search={search.data} />
        </section>
      )}
      {data.optimisations.length > 1 && (
        <div className="stack border-t border-line">
          <h2 className="px-4 pt-3 text-body">All searches</h2>
          <RunTable
            caption="Searches of this bot"
            columns={COLUMNS}
            onShow={setChosen}
            runs={data.optimisations}
            shown={shown}
          />
        </div>
      )}
    </>
  );
}

function OneSearch({ bot, search, onTest }: { bot: Bot; search: Search; onTest: () => void }) {
  const stop = useStopSearch(search);
  if (isGoing(search)) {
    const words =
      search.status === "pending" ? "Waiting for its turn…" : `Trying ${count(search.variants_total)} variants…`;
    return <UnderWay label="Progress of the search" percent={search.progress} stop={stop} words={words} />;
  }
  if (search.status === "failed") return <ProblemNote error={new Error(search.error ?? "The search failed.")} />;
  return (
    <>
      {search.variants_done < search.variants_total && (
        <Note>
          {search.error ?? "You stopped this search."} {count(search.variants_done)} of {count(search.variants_total)}{" "}
          variants were run.
        </Note>
      )}
      <SearchResult bot={bot} onTest={onTest} search={search} />
    </>
  );
}

const COLUMNS: Column<SearchSummary>[] = [
  { name: "State", cell: (run) => <StatusBadge run={run} /> },
  { name: "Candles", cell: (run) => run.kline_interval, minor: true },
  { name: "Parameters", numeric: true, cell: (run) => count(run.parameters.length), minor: true },
  { name: "Variants", numeric: true, sortBy: (run) => run.variants_total, cell: (run) => count(run.variants_total) },
];
