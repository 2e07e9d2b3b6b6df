/** What a run pays: the parts of it, and how to ask for the same again. */
import type { Schemas } from "@/api/client";
import type { TermName } from "@/format/glossary";
import { money } from "@/format/numbers";

export type Costs = Schemas["RunCosts"] | null | undefined;
type PoolRequest = Pick<
  Schemas["BacktestRequest"],
  "pool_costs" | "liquidity_usd" | "buy_tax_percent" | "sell_tax_percent"
>;
type Part = "fees" | "slippage" | "tax" | "impact";
/** Null is not known: runs of older versions, or a number that is beyond any float. */
export type Paid = { [part in Part]?: number | null };

export const PARTS: { part: Part; label: string; term: TermName }[] = [
  { part: "fees", label: "Fees", term: "fee" },
  { part: "slippage", label: "Slippage", term: "slippage" },
  { part: "tax", label: "Tax", term: "tax" },
  { part: "impact", label: "Impact", term: "impact" },
];

/** All known parts together. */
export function totalPaid(paid: Paid): number {
  return PARTS.reduce((sum, { part }) => sum + (paid[part] ?? 0), 0);
}

/** “fees $1.00, slippage $0.50, tax $40.00, impact $2.31”; empty if nothing is known, as where nothing was traded. */
export function paidWords(paid: Paid): string {
  return PARTS.flatMap(({ part, label }) => {
    const amount = paid[part];
    return amount == null ? [] : `${label.toLowerCase()} ${money(amount)}`;
  }).join(", ");
}

/** Money paid by a whole run, as its metrics have it. */
export function paidByRun(metrics: Schemas["MetricsView"]): Paid {
  const { fees_paid: fees, slippage_paid: slippage, tax_paid: tax, impact_paid: impact } = metrics;
  return { fees, slippage, tax, impact };
}

/** Whether tax and price impact are in the result, as far as they are known. */
export function countsPool(costs: Costs): boolean {
  return costs != null && costs.pool_costs !== "off";
}

/** The same in a word, for a column or a row of a table. */
export function poolWord(costs: Costs): string {
  if (!costs) return "not counted";
  return costs.pool_costs === "off" ? "off" : "counted";
}

/** The fields of a request for the same pool costs. What the market said then, it is asked again. */
export function samePoolCosts(costs: Costs): PoolRequest {
  if (!costs) return {};
  const { pool_costs, sources } = costs;
  return {
    pool_costs,
    ...(sources?.liquidity === "request" && { liquidity_usd: costs.liquidity_usd }),
    ...(sources?.tax === "request" && {
      buy_tax_percent: costs.buy_tax_percent,
      sell_tax_percent: costs.sell_tax_percent,
    }),
  };
}
