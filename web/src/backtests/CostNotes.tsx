import type { Costs } from "@/backtests/costs";
import { unbroken } from "@/format/numbers";
import { classes } from "@/kit/classes";

type CostNotesProps = { costs: Costs; notes: string[]; className?: string };

/** The server's sentences about the costs of a run, in its order: first what is missing in the result. */
export function CostNotes({ costs, notes, className }: CostNotesProps) {
  if (notes.length === 0) return null;
  const cannotBeSold = costs?.can_be_sold === false;
  return (
    <ul aria-label="Costs" className={classes("stack gap-1 text-small text-ink-soft", className)}>
      {notes.map((note, place) => (
        <li className={classes(cannotBeSold && place === 0 && "font-medium text-down")} key={note}>
          {unbroken(note)}
        </li>
      ))}
    </ul>
  );
}
