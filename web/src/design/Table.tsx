import { Fragment, type ReactNode, useMemo, useState } from "react";
import { Button } from "@/design/Button";
import { type ChosenColumns, ColumnChoice, chosenOf, NOTHING_CHOSEN } from "@/design/ColumnChoice";
import { classes } from "@/kit/classes";
import { usePreference } from "@/kit/preference";

export type Column<Row> = {
  name: string;
  cell: (row: Row) => ReactNode;
  numeric?: boolean;
  /** If present, the table can be sorted by this column. Null comes last. */
  sortBy?: (row: Row) => number | string | null;
  /** Left out if the table is narrow, as on phones. */
  minor?: boolean;
  /** Shown only where it is chosen. */
  extra?: boolean;
  /** What its name means, on hover and where columns are chosen. */
  hint?: string;
  /** Cannot be left out, where columns are chosen. */
  always?: boolean;
};

type Order = { column: string; descending: boolean };

type TableProps<Row> = {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string | number;
  order?: Order;
  isMarked?: (row: Row) => boolean;
  /** The number of rows that are shown at first, and added by each click on the button. */
  portion?: number;
  /** More about a row, shown below it; null for rows that are closed. */
  detail?: (row: Row) => ReactNode;
  /** Columns can be chosen, and are remembered under this name. */
  choice?: string;
};

/** A table that scrolls sideways within the page. Its caption is for screen readers. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, rows, rowKey, order: first, isMarked, portion, detail, choice } = props;
  const [chosen, choose] = usePreference<ChosenColumns>(`columns.${choice ?? "all"}`, NOTHING_CHOSEN);
  const columns = useMemo(
    () => (choice === undefined ? props.columns : chosenOf(props.columns, chosen)),
    [props.columns, choice, chosen],
  );
  const [order, setOrder] = useState<Order | undefined>(first);
  const [shown, setShown] = useState(portion ?? Number.POSITIVE_INFINITY);
  const sorted = useMemo(() => sort(rows, columns, order), [rows, columns, order]);
  const table = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section aria-label={caption} className="@container relative min-w-0 overflow-x-auto" tabIndex={0}>
      <table className="w-full border-collapse text-small">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line">
            {columns.map((column) => (
              <Heading
                column={column}
                key={column.name}
                onSort={() => setOrder(nextOrder(order, column.name))}
                order={order?.column === column.name ? order : undefined}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, shown).map((row) => (
            <Fragment key={rowKey(row)}>
              <tr
                className={classes(
                  "border-b border-line last:border-0 hover:bg-hover",
                  isMarked?.(row) && "bg-accent-soft",
                )}
              >
                {columns.map((column) => (
                  <td className={cellClass(column, "h-10 py-1.5")} key={column.name}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
              <Detail span={columns.length}>{detail?.(row)}</Detail>
            </Fragment>
          ))}
        </tbody>
      </table>
      {shown < rows.length && (
        <Button className="m-3" onClick={() => setShown(shown + (portion ?? 0))} size="small">
          Show {Math.min(portion ?? 0, rows.length - shown)} more of {rows.length - shown}
        </Button>
      )}
    </section>
  );
  if (choice === undefined) return table;
  return (
    <>
      <ColumnChoice chosen={chosen} columns={props.columns} onChoose={choose} />
      {table}
    </>
  );
}

function Detail({ span, children }: { span: number; children: ReactNode }) {
  if (!children) return null;
  return (
    <tr className="border-b border-line bg-sunken last:border-0">
      <td colSpan={span}>{children}</td>
    </tr>
  );
}

function Heading<Row>({
  column,
  order,
  onSort,
}: {
  column: Column<Row>;
  order: Order | undefined;
  onSort: () => void;
}) {
  const direction = order ? (order.descending ? "descending" : "ascending") : undefined;
  return (
    <th
      aria-sort={direction}
      className={cellClass(column, "h-9 font-medium text-ink-faint")}
      scope="col"
      title={column.hint}
    >
      {column.sortBy ? (
        <button className="rounded-small hover:text-ink" onClick={onSort} type="button">
          {!column.numeric && column.name}
          {/* On the side away from the edge, so that the name stands over its figures. */}
          <span aria-hidden="true" className={classes("inline-block w-4 text-center", !order && "invisible")}>
            {order && !order.descending ? "↑" : "↓"}
          </span>
          {column.numeric && column.name}
        </button>
      ) : (
        column.name
      )}
    </th>
  );
}

function cellClass<Row>(column: Column<Row>, more: string): string {
  return classes(
    "px-3 whitespace-nowrap @max-4xl:px-2 first:pl-4 last:pr-4",
    column.numeric ? "figures text-right" : "text-left",
    column.minor && "@max-xl:hidden",
    more,
  );
}

function nextOrder(order: Order | undefined, column: string): Order {
  return order?.column === column ? { column, descending: !order.descending } : { column, descending: true };
}

/** Sorts by the column's value, in either direction; rows without one come last. */
export function sort<Row>(rows: Row[], columns: Column<Row>[], order: Order | undefined): Row[] {
  const value = columns.find((column) => column.name === order?.column)?.sortBy;
  if (!value || !order) return rows;
  const sign = order.descending ? -1 : 1;
  return rows.toSorted((left, right) => {
    const [a, b] = [value(left), value(right)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return a === b ? 0 : sign * (a < b ? -1 : 1);
  });
}
