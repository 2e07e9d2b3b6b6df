import {
  definition,
  doubtOf,
  errorOf,
  KEY_METRICS,
  type Metric,
  type Metrics,
  MORE_METRICS,
  note,
  written,
} from "@/backtests/metrics";
import { Figure } from "@/design/Card";
import { Loading, Skeleton } from "@/design/States";
import { Change } from "@/format/Figures";
import { count, quantity } from "@/format/numbers";
import { Term } from "@/format/Term";
import { classes } from "@/kit/classes";
import { REASONS } from "@/strategy/words";

type Notes = Record<string, string> | null;

const GRID = "grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-4 gap-y-3.5";

/** The six that tell the most. */
export function KeyMetrics({ metrics, notes }: { metrics: Metrics; notes: Notes }) {
  return <Tiles list={KEY_METRICS} metrics={metrics} notes={notes} />;
}

type AllMetricsProps = {
  metrics: Metrics;
  notes: Notes;
  /** Whether the six stand beside it on wide screens. */
  isBeside?: boolean;
};

/** All of them, and why the trades ended. */
export function AllMetrics({ metrics, notes, isBeside = false }: AllMetricsProps) {
  return (
    <div className="stack gap-4">
      <div className={classes(isBeside && "lg:hidden")}>
        <Tiles list={KEY_METRICS} metrics={metrics} notes={notes} />
      </div>
      <Tiles list={MORE_METRICS} metrics={metrics} notes={notes} />
      <ExitReasons reasons={metrics.exit_reasons} />
    </div>
  );
}

export function KeyMetricsSkeleton() {
  return (
    <Loading className={GRID} label="Loading the metrics…">
      {KEY_METRICS.map(({ name }) => (
        <Skeleton className="h-11" key={name} />
      ))}
    </Loading>
  );
}

function Tiles({ list, metrics, notes }: { list: Metric[]; metrics: Metrics; notes: Notes }) {
  return (
    <dl className={GRID}>
      {list.map((metric) => {
        const value = metrics[metric.name] ?? null;
        const doubt = doubtOf(metric.name, metrics);
        return (
          <Figure
            key={metric.name}
            name={<MetricTerm metric={metric} />}
            note={note(metric.name, value, notes) ?? doubt}
          >
            <span className={classes(doubt && "text-ink-faint")}>
              <MetricValue metric={metric} metrics={metrics} />
            </span>
          </Figure>
        );
      })}
    </dl>
  );
}

export function MetricTerm({ metric }: { metric: Metric }) {
  return (
    <Term name={metric.name}>
      <span className="mt-1 block text-ink-faint">Exactly: {definition(metric.name)}</span>
    </Term>
  );
}

export function MetricValue({ metric, metrics }: { metric: Metric; metrics: Metrics | null }) {
  const value = metrics?.[metric.name] ?? null;
  if (metric.unit === "gain" && value !== null) return <Change value={value} />;
  const error = metrics && value !== null ? errorOf(metric.name, metrics) : null;
  return (
    <>
      {written(metric, value)}
      {error !== null && <span className="text-small text-ink-faint"> ± {quantity(error, 2)}</span>}
    </>
  );
}

function ExitReasons({ reasons }: { reasons: Metrics["exit_reasons"] }) {
  const known = Object.entries(reasons).filter(([, trades]) => trades > 0);
  if (known.length === 0) return null;
  return (
    <p className="text-small text-ink-soft">
      Exits: {known.map(([reason, trades]) => `${exitReason(reason)} ${count(trades)}`).join(" · ")}
    </p>
  );
}

function exitReason(reason: string): string {
  return reason in REASONS ? REASONS[reason as keyof typeof REASONS] : reason;
}
