import type { Column } from "@/design/Table";

/** The columns that were switched on or off, by name; the others are as the table has them. */
export type ChosenColumns = Record<string, boolean>;

export const NOTHING_CHOSEN: ChosenColumns = {};

/** The columns that are shown. One that was switched on is shown in a narrow table too. */
export function chosenOf<Row>(columns: Column<Row>[], chosen: ChosenColumns): Column<Row>[] {
  return columns
    .filter((column) => isShown(column, chosen))
    .map((column) => (chosen[column.name] ? { ...column, minor: false } : column));
}

function isShown<Row>({ name, always, extra }: Column<Row>, chosen: ChosenColumns): boolean {
  return always || (chosen[name] ?? !extra);
}

type ColumnChoiceProps<Row> = {
  columns: Column<Row>[];
  chosen: ChosenColumns;
  onChoose: (chosen: ChosenColumns) => void;
};

export function ColumnChoice<Row>({ columns, chosen, onChoose }: ColumnChoiceProps<Row>) {
  return (
    <details className="px-4 pb-2 text-small">
      <summary className="w-fit rounded-small text-ink-soft hover:text-ink">Columns</summary>
      <fieldset aria-label="Columns" className="grid gap-x-4 gap-y-1.5 py-2 sm:grid-cols-2">
        {columns
          .filter(({ always }) => !always)
          .map((column) => (
            <label className="flex items-baseline gap-1.5" key={column.name}>
              <input
                checked={isShown(column, chosen)}
                className="size-4 shrink-0 translate-y-0.5 accent-accent"
                onChange={(event) => onChoose({ ...chosen, [column.name]: event.target.checked })}
                type="checkbox"
              />
              <span>
                {column.name}
                {column.hint && <span className="text-ink-faint"> {column.hint}</span>}
              </span>
            </label>
          ))}
      </fieldset>
    </details>
  );
}
