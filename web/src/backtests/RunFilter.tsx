import { type Filter, tokenId } from "@/backtests/filtering";
import { TokenName } from "@/backtests/instrument";
import type { Summary } from "@/backtests/runs";
import { Choice, Input, Select } from "@/design/Field";

type RunFilterProps = { runs: Summary[]; filter: Filter; onChange: (filter: Filter) => void };

/** Filters the list of runs. */
export function RunFilter({ runs, filter, onChange }: RunFilterProps) {
  const tokens = new Map(runs.map((run) => [tokenId(run), run]));
  return (
    <search className="flex flex-wrap items-center gap-2 px-4 pb-3">
      <Choice
        label="Which runs"
        onChange={(which) => onChange({ ...filter, starred: which === "starred" })}
        options={[
          { value: "all", label: "All" },
          { value: "starred", label: "★ Starred" },
        ]}
        value={filter.starred ? "starred" : "all"}
      />
      <Select
        aria-label="Token"
        className="w-auto! max-w-48"
        onChange={(event) => onChange({ ...filter, token: event.target.value })}
        value={filter.token}
      >
        <option value="">Every token</option>
        {[...tokens].map(([id, run]) => (
          <option key={id} value={id}>
            <TokenName {...run} />
          </option>
        ))}
      </Select>
      <Input
        aria-label="Search names and notes"
        className="max-w-56 flex-1 basis-40"
        onChange={(event) => onChange({ ...filter, words: event.target.value })}
        placeholder="Search names and notes"
        type="search"
        value={filter.words}
      />
    </search>
  );
}
