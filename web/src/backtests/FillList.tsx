import type { Schemas } from "@/api/client";
import { totalPaid } from "@/backtests/costs";
import { type Column, Table } from "@/design/Table";
import { Money, Price, Time } from "@/format/Figures";
import { quantity } from "@/format/numbers";
import { REASONS } from "@/strategy/words";

type Fill = Schemas["FillView"];

/** Every buy and sale of one trade, in order. */
export function FillList({ fills, number }: { fills: Fill[]; number: number }) {
  const places = new Map(fills.map((fill, place) => [fill, place]));
  return (
    // As wide as the window of the table around it, which may scroll sideways.
    <div className="sticky left-0 w-[min(100cqw,44rem)] py-1 pl-2">
      <Table
        caption={`Fills of trade #${number}`}
        columns={COLUMNS}
        portion={50}
        rowKey={(fill) => places.get(fill) ?? 0}
        rows={fills}
      />
    </div>
  );
}

const COLUMNS: Column<Fill>[] = [
  { name: "Time", cell: ({ time }) => <Time at={time} bare /> },
  {
    name: "Fill",
    cell: ({ action }) => (
      <span className={action === "BUY" ? "text-up" : "text-down"}>{action === "BUY" ? "▲ Buy" : "▼ Sell"}</span>
    ),
  },
  { name: "Price", numeric: true, cell: ({ price }) => <Price value={price} /> },
  { name: "Quantity", numeric: true, cell: (fill) => quantity(fill.quantity) },
  { name: "Value", numeric: true, cell: ({ value }) => <Money value={value} /> },
  { name: "Costs", numeric: true, cell: ({ fee, ...rest }) => <Money value={totalPaid({ ...rest, fees: fee })} /> },
  { name: "Why", cell: ({ reason }) => REASONS[reason] },
];
