/** A list of small rows of fields, such as the steps of a ladder, that can be extended and shortened. */
import { type ReactNode, useRef } from "react";
import { Button } from "@/design/Button";
import { CloseIcon, PlusIcon } from "@/design/icons";

type RowListProps<Row extends { key: number }> = {
  /** What one row is called: `Target`. */
  name: string;
  rows: Row[];
  most: number;
  /** What the API says about the list as a whole. */
  error: string | undefined;
  add: string;
  onAdd: () => void;
  onRemove: (index: number) => void;
  fields: (row: Row, index: number) => ReactNode;
};

export function RowList<Row extends { key: number }>(props: RowListProps<Row>) {
  const { name, rows, most, error, add, onAdd, onRemove, fields } = props;
  const adding = useRef<HTMLButtonElement>(null);
  function remove(index: number) {
    onRemove(index);
    adding.current?.focus(); // the button that was pressed is gone
  }
  return (
    <div className="stack gap-2">
      {rows.map((row, index) => (
        <fieldset className="flex items-start gap-1.5" key={row.key}>
          <legend className="sr-only">
            {name} {index + 1}
          </legend>
          <div className="grid min-w-0 flex-1 grid-cols-2 gap-2.5">{fields(row, index)}</div>
          <button
            aria-label={`Remove ${name.toLowerCase()} ${index + 1}`}
            className="mt-6 grid size-9 shrink-0 place-items-center rounded-control text-ink-faint hover:bg-hover hover:text-ink"
            onClick={() => remove(index)}
            type="button"
          >
            <CloseIcon size={12} />
          </button>
        </fieldset>
      ))}
      {error && (
        <p className="text-small text-down" role="alert">
          {error.charAt(0).toUpperCase()}
          {error.slice(1)}.
        </p>
      )}
      <Button className="w-fit" disabled={rows.length >= most} look="ghost" onClick={onAdd} ref={adding} size="small">
        <PlusIcon size={14} />
        {add}
      </Button>
    </div>
  );
}
