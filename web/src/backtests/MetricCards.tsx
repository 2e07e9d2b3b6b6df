import {
  definition,
  doubtOf,
  KEY_METRICS,
  type Metric,
  type Metrics,
  MORE_METRICS,
  note,
  written,
} from "@/backtests/metrics";
import { Figure } from "@/design/Card";
import { Hint } from "@/design/Hint";
import { Loading, Skeleton } from "@/design/States";
import { Change } from "@/format/Figures";
import { count } from "@/format/numbers";
import { classes } from "@/kit/classes";
import { REASONS } from "@/strategy/words";

type Notes = Record<string, string> | null;

const GRID = "grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-4 gap-y-3.5";

/** The six that tell the most. */
export function KeyMetrics({ metrics, notes }: { metrics: Metrics; notes: Notes }) {
  return <Tiles list={KEY_METRICS} metrics={metrics} notes={notes} />;
}

/** All of them, and why the trades ended. */
export function AllMetrics({ metrics, notes }: { metrics: Metrics; notes: Notes }) {
  return (
    <div className="stack gap-4">
      <Tiles list={[...KEY_METRICS, ...MORE_METRICS]} metrics={metrics} notes={notes} />
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
              <MetricValue metric={metric} value={value} />
            </span>
          </Figure>
        );
      })}
    </dl>
  );
}

export function MetricTerm({ metric }: { metric: Metric }) {
  return <Hint term={metric.label}>{definition(metric.name)}</Hint>;
}

export function MetricValue({ metric, value }: { metric: Metric; value: number | null }) {
  return metric.unit === "gain" && value !== null ? <Change value={value} /> : written(metric, value);
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
