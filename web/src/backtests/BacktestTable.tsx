import { MOST_COMPARED } from "@/backtests/Compare";
import { poolWord } from "@/backtests/costs";
import { gainTone } from "@/backtests/gainTone";
import { StarButton } from "@/backtests/RunNotes";
import { RunTable } from "@/backtests/RunTable";
import { isGoing, type Summary } from "@/backtests/runs";
import { Badge, type Tone } from "@/design/Badge";
import type { Column } from "@/design/Table";
import { Change, Day, Percent } from "@/format/Figures";
import { meaningOf } from "@/format/glossary";
import { count, NOTHING } from "@/format/numbers";
import { period } from "@/format/times";

type BacktestTableProps = {
  runs: Summary[];
  shown: string | null;
  onShow: (runId: string) => void;
  compared: string[];
  onCompare: (runId: string, wanted: boolean) => void;
};

/** All backtests of the bot: choose one to see it, mark several to compare them. */
export function BacktestTable({ compared, onCompare, ...table }: BacktestTableProps) {
  const mark: Column<Summary> = {
    name: "Compare",
    always: true,
    cell: (run) => (
      <input
        aria-label={`Compare the run of ${run.token_symbol ?? run.token} over ${period(run)}`}
        checked={compared.includes(run.run_id)}
        className="size-4 accent-accent align-middle"
        disabled={run.metrics === null || (compared.length >= MOST_COMPARED && !compared.includes(run.run_id))}
        onChange={(event) => onCompare(run.run_id, event.target.checked)}
        type="checkbox"
      />
    ),
  };
  return (
    <RunTable
      caption="Backtests of this bot"
      choice="backtests"
      columns={COLUMNS}
      first={[mark, STAR]}
      nameOf={(run) => run.name}
      {...table}
    />
  );
}

const STAR: Column<Summary> = {
  name: "Star",
  minor: true,
  sortBy: (run) => Number(run.starred),
  cell: (run) => <StarButton run={run} />,
};

const COLUMNS: Column<Summary>[] = [
  { name: "Candles", minor: true, cell: (run) => run.kline_interval },
  {
    name: "Return",
    hint: meaningOf("total_return"),
    numeric: true,
    sortBy: (run) => run.metrics?.total_return ?? null,
    cell: (run) =>
      run.metrics ? (
        <Change className={gainTone(run.costs)} value={run.metrics.total_return} />
      ) : (
        <StatusBadge run={run} />
      ),
  },
  {
    name: "Trades",
    numeric: true,
    sortBy: (run) => run.metrics?.total_trades ?? null,
    cell: (run) => count(run.metrics?.total_trades),
  },
  {
    name: "Tax and impact",
    extra: true,
    sortBy: (run) => poolWord(run.costs),
    cell: (run) => poolWord(run.costs),
  },
  {
    name: "Buy and hold",
    hint: meaningOf("buy_and_hold_return"),
    numeric: true,
    extra: true,
    sortBy: (run) => run.metrics?.buy_and_hold_return ?? null,
    cell: (run) =>
      run.metrics ? <Change className={gainTone(run.costs)} value={run.metrics.buy_and_hold_return} /> : NOTHING,
  },
  {
    name: "Drawdown",
    hint: meaningOf("max_drawdown"),
    numeric: true,
    extra: true,
    sortBy: (run) => run.metrics?.max_drawdown ?? null,
    cell: (run) => <Percent value={run.metrics?.max_drawdown} />,
  },
  {
    name: "Dates",
    minor: true,
    sortBy: (run) => run.start_time,
    cell: (run) => (
      <>
        <Day at={run.start_time} /> – <Day at={run.end_time} />
      </>
    ),
  },
  {
    name: "Revision",
    hint: meaningOf("revision"),
    numeric: true,
    extra: true,
    sortBy: (run) => run.strategy_revision,
    cell: (run) => count(run.strategy_revision),
  },
  {
    name: "Fee and slippage",
    numeric: true,
    extra: true,
    sortBy: (run) => run.fee_percent + run.slippage_percent,
    cell: (run) => `${Number((run.fee_percent + run.slippage_percent).toPrecision(6))}%`,
  },
];

const STATUS: Record<Summary["status"], { tone: Tone; word: string }> = {
  pending: { tone: "accent", word: "Waiting" },
  running: { tone: "accent", word: "Running" },
  completed: { tone: "neutral", word: "Done" },
  failed: { tone: "down", word: "Failed" },
  stopped: { tone: "warn", word: "Stopped" },
};

export function StatusBadge({ run }: { run: Pick<Summary, "status"> }) {
  const { tone, word } = STATUS[run.status];
  return (
    <Badge live={isGoing(run)} tone={tone}>
      {word}
    </Badge>
  );
}
