/** The results of a run's trades: how they are spread, and by month, exit reason and hour. */
import type { ReactNode } from "react";
import type { Schemas } from "@/api/client";
import { byHour, byReason, type Group, histogram, monthly } from "@/backtests/analysis";
import type { Run, Trade } from "@/backtests/runs";
import { Table } from "@/design/Table";
import { Change } from "@/format/Figures";
import { count, percent, quantity } from "@/format/numbers";
import { classes } from "@/kit/classes";
import { useSettings } from "@/session/user";

type AnalysisProps = { run: Run; trades: Trade[]; chart: Schemas["ChartView"] | undefined };

export default function Analysis({ run, trades, chart }: AnalysisProps) {
  const { timezone } = useSettings();
  return (
    <div className="@container">
      <div className="grid gap-x-8 gap-y-6 px-4 py-3 @4xl:grid-cols-2">
        <Part title="Results of the trades">
          <Histogram trades={trades} />
        </Part>
        {chart && (
          <Part title="By month">
            <Months chart={chart} run={run} />
          </Part>
        )}
        <Part title="By exit reason">
          <Groups caption="Results by exit reason" first="Sold because" groups={byReason(trades)} />
        </Part>
        <Part title="By hour of the entry">
          <Groups caption="Results by hour of the entry" first="Bought at" groups={byHour(trades, timezone)} />
        </Part>
      </div>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="stack gap-2">
      <h2 className="text-small font-medium text-ink-soft">{title}</h2>
      {children}
    </section>
  );
}

function Histogram({ trades }: { trades: Trade[] }) {
  const bins = histogram(trades);
  const most = Math.max(...bins.map((bin) => bin.trades));
  return (
    <table className="w-full text-small">
      <caption className="sr-only">Number of trades by result</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Result</th>
          <th scope="col">Trades</th>
        </tr>
      </thead>
      <tbody>
        {bins.map(({ from, to, trades: held }) => (
          <tr key={from}>
            <th className="figures w-px py-px pr-3 text-right font-normal whitespace-nowrap text-ink-soft" scope="row">
              {quantity(from)} to {quantity(to)}%
            </th>
            <td className="py-px">
              <span className="flex items-center gap-2">
                <span
                  aria-hidden="true"
                  className={classes("h-3.5 rounded-small", from >= 0 ? "bg-up" : "bg-down")}
                  style={{ width: `${(85 * held) / most}%` }}
                />
                <span className="figures">{count(held)}</span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Months({ run, chart }: { run: Run; chart: Schemas["ChartView"] }) {
  const months = monthly(chart, run.initial_cash);
  return (
    <Table
      caption="Return by month"
      columns={[
        { name: "Month", cell: ({ month }) => month },
        { name: "Return", numeric: true, cell: (row) => <Change value={row.percent} /> },
      ]}
      rowKey={({ month }) => month}
      rows={months}
    />
  );
}

function Groups({ caption, first, groups }: { caption: string; first: string; groups: Group[] }) {
  return (
    <Table
      caption={caption}
      columns={[
        { name: first, cell: ({ name }) => name },
        { name: "Trades", numeric: true, cell: ({ trades }) => count(trades) },
        { name: "Won", numeric: true, cell: ({ won, trades }) => percent((100 * won) / trades, { digits: 0 }) },
        { name: "Average", numeric: true, cell: ({ average }) => <Change value={average} /> },
        { name: "Money", numeric: true, cell: ({ pnl }) => <Change unit="money" value={pnl} /> },
      ]}
      rowKey={({ name }) => name}
      rows={groups}
    />
  );
}
