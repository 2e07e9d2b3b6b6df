/** The result of a purse: its tokens, and the view of the run on one of them. */
import type { Schemas } from "@/api/client";
import { shortAddress } from "@/backtests/instrument";
import type { Run, Trade, Trades } from "@/backtests/runs";

export type TokenRow = Schemas["PortfolioToken"];
/** What the result of a purse has in the workbench and on the page of a share. */
export type Purse = Pick<
  Schemas["SharedBacktest"],
  | "tokens"
  | "portfolio_notes"
  | "turned_away"
  | "places_used"
  | "correlation"
  | "benchmarks"
  | "strategy"
  | "initial_cash"
  | "costs"
  | "metrics"
>;

/** The symbol of a token, or its shortened address. */
export function nameOf({ symbol, token }: { symbol: string | null; token: string }): string {
  return symbol || shortAddress(token);
}

type Named = { token_id: string; symbol: string | null; token: string };

/** Finds the name of a token by its id; null is the purse itself. */
export function namesOf(tokens: Named[] | null | undefined): (tokenId: string | null | undefined) => string {
  const names = new Map((tokens ?? []).map((row) => [row.token_id, nameOf(row)]));
  return (tokenId) => (tokenId ? (names.get(tokenId) ?? shortAddress(tokenId)) : "");
}

/** A run as its chart shows it: on the only token, or on one of many. */
export type OnToken<R = Run> = R & { token_id?: string };
type Drawn = Pick<Run, "token" | "chain" | "token_symbol" | "tokens_total" | "costs" | "open_position">;

/** The run as if it were about this token alone; its equity is still that of the purse. */
export function onToken<R extends Drawn>(run: R, row: TokenRow): OnToken<R> {
  return {
    ...run,
    token_id: row.token_id,
    token: row.token,
    chain: row.chain,
    token_symbol: nameOf(row),
    tokens_total: 1,
    costs: row.costs ?? null,
    open_position: row.open_position ?? null,
  };
}

/** The trades of one token, which keep the numbers that they have among all. */
export function tradesOn({ trades }: Trades, row: TokenRow): Trades {
  return { trades: trades.filter(({ token_id }) => token_id === row.token_id), total: row.trades ?? 0 };
}

/** The place of a trade among all trades of its token, from 1 on; behind them is the open position. */
export function placeOf({ trades, total }: { trades: Trade[]; total: number }, number: number): number {
  const fromNewest = trades.findIndex((trade) => trade.number === number);
  return fromNewest < 0 ? total + 1 : total - fromNewest;
}

export type Bar = { row: TokenRow; share: number };

/** What each token added to the return, largest first; `share` is its length beside the longest bar, 0 to 1. */
export function contributionBars(tokens: TokenRow[]): Bar[] {
  const known = tokens.filter((row) => row.contribution_percent != null && row.trades != null);
  const longest = Math.max(...known.map(addedBy).map(Math.abs), Number.MIN_VALUE);
  return known
    .toSorted((one, other) => addedBy(other) - addedBy(one))
    .map((row) => ({ row, share: Math.abs(addedBy(row)) / longest }));
}

function addedBy({ contribution_percent }: TokenRow): number {
  return contribution_percent ?? 0;
}

/** The corners of a step line through a box: each value lasts until the next one. */
export function stepPoints(places: Schemas["PlacesUsed"][], most: number, width: number, height: number): string {
  const [first, last] = [places[0], places.at(-1)];
  if (!first || !last) return "";
  const x = (time: number) => ((width * (time - first.time)) / (last.time - first.time || 1)).toFixed(1);
  const y = (used: number) => (height - 1 - ((height - 2) * used) / Math.max(1, most)).toFixed(1);
  return places
    .flatMap(({ time, used }, place) => {
      const next = places[place + 1];
      return next ? [`${x(time)},${y(used)}`, `${x(next.time)},${y(used)}`] : [`${x(time)},${y(used)}`];
    })
    .join(" ");
}

/** How many places were used on average, each counted for as long as it lasted. */
export function meanPlaces(places: Schemas["PlacesUsed"][]): number | null {
  const [first, last] = [places[0], places.at(-1)];
  if (!first || !last || last.time <= first.time) return null;
  const sum = places.reduce(
    (held, { time, used }, place) => held + used * ((places[place + 1]?.time ?? time) - time),
    0,
  );
  return sum / (last.time - first.time);
}
