import type { Summary } from "@/backtests/runs";

export type Filter = { starred: boolean; token: string; words: string };
export const NO_FILTER: Filter = { starred: false, token: "", words: "" };

export const tokenId = ({ token, chain }: Pick<Summary, "token" | "chain">) => `${token}-${chain}`;

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
