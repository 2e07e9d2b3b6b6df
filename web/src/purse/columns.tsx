import type { Schemas } from "@/api/client";
import type { Column } from "@/design/Table";
import { Change } from "@/format/Figures";
import { meaningOf } from "@/format/glossary";
import { count } from "@/format/numbers";

type Row = Pick<Schemas["PurseTokenView"], "trades" | "pnl" | "contribution_percent" | "turned_away">;

/** What a purse did with a token, in a backtest and live. */
export const TRADED: Column<Row>[] = [
  { name: "Trades", numeric: true, sortBy: ({ trades }) => trades ?? null, cell: ({ trades }) => count(trades) },
  {
    name: "Profit",
    numeric: true,
    sortBy: ({ pnl }) => pnl ?? null,
    cell: ({ pnl }) => <Change unit="money" value={pnl} />,
  },
  {
    name: "Contribution",
    hint: meaningOf("contribution"),
    numeric: true,
    minor: true, // the bars of a backtest say it too
    sortBy: (row) => row.contribution_percent ?? null,
    cell: (row) => <Change value={row.contribution_percent} />,
  },
  {
    name: "Turned away",
    hint: meaningOf("turned_away"),
    numeric: true,
    minor: true,
    sortBy: (row) => row.turned_away ?? null,
    cell: (row) => count(row.turned_away),
  },
];
