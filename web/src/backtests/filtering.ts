import type { Summary } from "@/backtests/runs";

export type Filter = { starred: boolean; token: string; words: string };
export const NO_FILTER: Filter = { starred: false, token: "", words: "" };

type Traded = Pick<Summary, "token" | "chain"> & { tokens_total?: number };

/** Runs on equally many tokens count as one choice: a list does not say which tokens they had. */
export const tokenId = ({ token, chain, tokens_total = 1 }: Traded) =>
  tokens_total > 1 ? `${tokens_total} tokens` : `${token}-${chain}`;

/** The runs that match all filters; words are searched in names and notes. */
export function filtered(runs: Summary[], { starred, token, words }: Filter): Summary[] {
  const wanted = words.trim().toLowerCase();
  return runs.filter(
    (run) =>
      (!starred || run.starred) &&
      (!token || tokenId(run) === token) &&
      (!wanted || `${run.name ?? ""} ${run.note}`.toLowerCase().includes(wanted)),
  );
}
