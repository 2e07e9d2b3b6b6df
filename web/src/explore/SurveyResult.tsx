import { type ReactNode, useState } from "react";
import type { Schemas } from "@/api/client";
import { paidByRun, paidWords, totalPaid } from "@/backtests/costs";
import { gainTone } from "@/backtests/gainTone";
import { shortAddress } from "@/backtests/instrument";
import { Badge } from "@/design/Badge";
import { Figure } from "@/design/Card";
import { Field, Select } from "@/design/Field";
import { Hint } from "@/design/Hint";
import { Sparkline } from "@/design/Sparkline";
import { type Column, Table } from "@/design/Table";
import type { Survey } from "@/explore/searches";
import { Change, Percent } from "@/format/Figures";
import { meaningOf } from "@/format/glossary";
import { count, money, percent, quantity, unbroken } from "@/format/numbers";
import { Term } from "@/format/Term";
import { classes } from "@/kit/classes";
import { RISK_WORDS, type RiskLevel } from "@/market/risk";

type Row = Schemas["SurveyRow"];
type Combined = Schemas["SurveyCombined"];

const FILTERS = {
  all: { label: "All tokens", fits: () => true },
  gain: { label: "Made money", fits: ({ metrics }: Row) => (metrics?.total_return ?? 0) > 0 },
  loss: { label: "Made no money", fits: ({ metrics }: Row) => metrics !== null && (metrics.total_return ?? 0) <= 0 },
  failed: { label: "Not tested", fits: ({ error }: Row) => error !== null },
};
type Filter = keyof typeof FILTERS;

/** All tokens together, then a row for each. */
export function SurveyResult({ survey, action }: { survey: Survey; action: ReactNode }) {
  const [filter, setFilter] = useState<Filter>("all");
  const rows = survey.rows.filter(FILTERS[filter].fits);
  return (
    <>
      {survey.combined && <Together combined={survey.combined} rows={survey.rows} />}
      {survey.rows.length > 0 && (
        <div className="stack">
          <div className="flex flex-wrap items-end gap-3 px-4 py-2">
            <h2 className="flex-1 text-body max-sm:basis-full">Token by token</h2>
            <FilterSelect onChange={setFilter} rows={survey.rows} value={filter} />
            {action}
          </div>
          <Table caption="Result on each token" columns={COLUMNS} rowKey={(row) => row.token_id} rows={rows} />
        </div>
      )}
    </>
  );
}

type FilterSelectProps = { rows: Row[]; value: Filter; onChange: (filter: Filter) => void };

function FilterSelect({ rows, value, onChange }: FilterSelectProps) {
  return (
    <Field className="w-44" label="Show">
      {(control) => (
        <Select {...control} onChange={(event) => onChange(event.target.value as Filter)} value={value}>
          {Object.entries(FILTERS).map(([each, { label, fits }]) => (
            <option key={each} value={each}>
              {label} ({count(rows.filter(fits).length)})
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function Together({ combined, rows }: { combined: Combined; rows: Row[] }) {
  const { best, worst } = combined;
  const tested = combined.tokens - combined.failed;
  return (
    <section aria-label="All tokens together" className="stack gap-3 px-4">
      <p className="text-lead font-medium">
        {tested === 1 ? "On the one tested token" : `The same cash in each of ${count(tested)} tokens`}:{" "}
        <Change value={combined.mean_return} />
      </p>
      <Sparkline height={96} values={known(combined.equity_curve)} />
      <dl className="grid grid-cols-5 gap-3 max-md:grid-cols-2">
        <Figure name="Made money on">{percent(combined.profitable_percent, { digits: 0 })}</Figure>
        <Figure name="Trades">{count(combined.trades)}</Figure>
        <Figure
          name={<Term name="evidence" />}
          note={
            combined.pooled_p !== null &&
            `Looks this good without a pattern in ${percent(100 * combined.pooled_p, { digits: 0 })} of cases`
          }
        >
          {quantity(combined.pooled_t, 3)}
        </Figure>
        {best && (
          <Figure name="Best" note={nameIn(rows, best.token_id)}>
            <Change className={toneIn(rows, best.token_id)} value={best.total_return} />
          </Figure>
        )}
        {worst && (
          <Figure name="Worst" note={nameIn(rows, worst.token_id)}>
            <Change className={toneIn(rows, worst.token_id)} value={worst.total_return} />
          </Figure>
        )}
      </dl>
      {combined.failed > 0 && (
        <p className="text-small text-ink-soft">
          {combined.failed === 1
            ? "1 token could not be tested; its row says why."
            : `${count(combined.failed)} tokens could not be tested; their rows say why.`}
        </p>
      )}
    </section>
  );
}

function known(points: Schemas["EquityPoint"][]): number[] {
  return points.flatMap(({ equity }) => equity ?? []);
}

function nameIn(rows: Row[], tokenId: string): string {
  const row = rows.find(({ token_id }) => token_id === tokenId);
  return row ? nameOf(row) : shortAddress(tokenId);
}

function toneIn(rows: Row[], tokenId: string): string | undefined {
  return gainTone(rows.find(({ token_id }) => token_id === tokenId)?.costs);
}

function nameOf({ symbol, token }: Row): string {
  return symbol || shortAddress(token);
}

function riskOf({ risk_level }: Row): RiskLevel {
  return risk_level !== null && risk_level in RISK_WORDS ? (risk_level as RiskLevel) : "unknown";
}

/** What the trades on a token paid; its parts and the server's notes on hover, focus or tap. */
function RowCosts({ metrics, notes }: { metrics: Schemas["MetricsView"]; notes: string[] }) {
  const paid = paidByRun(metrics);
  return (
    <Hint term={money(totalPaid(paid))}>
      <span className="stack gap-1 whitespace-normal">
        <span>Paid: {paidWords(paid)}.</span>
        {notes.map((note) => (
          <span key={note}>{unbroken(note)}</span>
        ))}
      </span>
    </Hint>
  );
}

const COLUMNS: Column<Row>[] = [
  { name: "Token", sortBy: nameOf, cell: (row) => <strong className="font-medium">{nameOf(row)}</strong> },
  {
    name: "Return",
    numeric: true,
    sortBy: (row) => row.metrics?.total_return ?? null,
    cell: (row) =>
      row.error ? (
        <span className="inline-block max-w-60 text-left whitespace-normal text-down">{row.error}</span>
      ) : (
        <Change className={gainTone(row.costs)} value={row.metrics?.total_return} />
      ),
  },
  {
    name: "Equity",
    minor: true,
    cell: (row) => (
      <div className={classes("w-24", gainTone(row.costs))}>
        <Sparkline height={28} values={known(row.sparkline)} />
      </div>
    ),
  },
  { name: "Trades", numeric: true, sortBy: (row) => row.trades, cell: (row) => count(row.trades) },
  {
    name: "Costs",
    numeric: true,
    minor: true,
    sortBy: (row) => row.metrics && totalPaid(paidByRun(row.metrics)),
    cell: (row) => row.metrics && <RowCosts metrics={row.metrics} notes={row.cost_notes ?? []} />,
  },
  {
    name: "Drawdown",
    numeric: true,
    minor: true,
    sortBy: (row) => row.metrics?.max_drawdown ?? null,
    cell: (row) => <Percent value={row.metrics?.max_drawdown} />,
  },
  {
    name: "Evidence",
    hint: meaningOf("evidence"),
    numeric: true,
    minor: true,
    sortBy: (row) => row.t,
    cell: (row) => quantity(row.t, 3),
  },
  {
    name: "Beats holding that share",
    minor: true,
    cell: (row) =>
      row.good !== null &&
      row.costs?.can_be_sold !== false && <Badge tone={row.good ? "up" : "neutral"}>{row.good ? "Yes" : "No"}</Badge>,
  },
  {
    name: "Risk",
    cell: (row) => <Badge tone={RISK_WORDS[riskOf(row)].tone}>{RISK_WORDS[riskOf(row)].text}</Badge>,
  },
];
