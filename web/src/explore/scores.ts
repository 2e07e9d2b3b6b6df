/** A score as text and as a colour that text can be read on, in both themes. */
import type { Cell, Objective } from "@/explore/grid";
import { NOTHING, percent, quantity } from "@/format/numbers";

export const OBJECTIVES: { value: Objective; label: string }[] = [
  { value: "return", label: "Return" },
  { value: "return_over_drawdown", label: "Return over drawdown" },
  { value: "win_rate", label: "Win rate" },
];
/** Percent of the colour in the strongest cell: more would leave too little contrast to the figures. */
const STRONGEST = 45;
const WEAKEST = 6;
/** Percent of the colour in a line: nothing is read on lines, so they may be stronger than cells. */
const STRONGEST_LINE = 100;
const WEAKEST_LINE = 30;
/** Lines of one colour are drawn as one shape, so there are few colours. */
const LINE_SHADES = 5;

export function scoreText(score: number | null, objective: Objective): string {
  if (score === null) return NOTHING;
  if (objective === "return_over_drawdown") return `${score > 0 ? "+" : ""}${quantity(score, 3)}`;
  return percent(score, { sign: objective === "return", digits: 1 });
}

type ColourOf = (cell: Cell, objective: Objective, strongest: number) => string;

export const colourOf: ColourOf = ({ score, counts }, objective, strongest) => {
  if (score === null || !counts) return "var(--sunken)";
  const share = strongest > 0 ? Math.abs(score) / strongest : 0;
  return mixed(score, objective, WEAKEST + (STRONGEST - WEAKEST) * share);
};

export const lineColourOf: ColourOf = ({ score, counts }, objective, strongest) => {
  if (score === null || !counts) return "var(--line-strong)";
  const shade = strongest > 0 ? Math.round((LINE_SHADES * Math.abs(score)) / strongest) / LINE_SHADES : 0;
  return mixed(score, objective, WEAKEST_LINE + (STRONGEST_LINE - WEAKEST_LINE) * shade);
};

function mixed(score: number, objective: Objective, percent: number): string {
  const tone = objective === "win_rate" ? "var(--accent)" : score < 0 ? "var(--down)" : "var(--up)";
  return `color-mix(in oklab, ${tone} ${percent.toFixed(0)}%, var(--surface))`;
}
