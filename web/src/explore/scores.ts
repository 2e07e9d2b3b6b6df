/** A score as text and as a colour that text can be read on, in both themes. */
import type { Cell, Objective } from "@/explore/grid";
import { NOTHING, percent, quantity } from "@/format/numbers";

/** Percent of the colour in the strongest cell: more would leave too little contrast to the figures. */
const STRONGEST = 45;
const WEAKEST = 6;

export function scoreText(score: number | null, objective: Objective): string {
  if (score === null) return NOTHING;
  if (objective === "return_over_drawdown") return `${score > 0 ? "+" : ""}${quantity(score, 3)}`;
  return percent(score, { sign: objective === "return", digits: 1 });
}

export function colourOf({ score, counts }: Cell, objective: Objective, strongest: number): string {
  if (score === null || !counts) return "var(--sunken)";
  const tone = objective === "win_rate" ? "var(--accent)" : score < 0 ? "var(--down)" : "var(--up)";
  const share = WEAKEST + (STRONGEST - WEAKEST) * (strongest > 0 ? Math.abs(score) / strongest : 0);
  return `color-mix(in oklab, ${tone} ${share.toFixed(0)}%, var(--surface))`;
}
