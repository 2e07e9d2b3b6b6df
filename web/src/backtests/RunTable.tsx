/** The runs of a bot, backtests or simulations, newest first: choose one to see it. */
import { TokenName } from "@/backtests/instrument";
import { type Column, Table } from "@/design/Table";
import { Time } from "@/format/Figures";

type AnyRun = {
  run_id: string;
  created_at: string;
  token: string;
  chain: string;
  token_symbol: string | null;
  tokens_total?: number;
};

type RunTableProps<Run extends AnyRun> = {
  caption: string;
  runs: Run[];
  shown: string | null;
  onShow: (runId: string) => void;
  /** Before the run's own, and after its token. */
  first?: Column<Run>[];
  columns: Column<Run>[];
  /** What its owner calls it. */
  nameOf?: (run: Run) => string | null;
  /** Columns can be chosen, and are remembered under this name. */
  choice?: string;
};

const STARTED = "Started";

export function RunTable<Run extends AnyRun>({
  caption,
  runs,
  shown,
  onShow,
  first = [],
  columns,
  nameOf,
  choice,
}: RunTableProps<Run>) {
  const own: Column<Run>[] = [
    {
      name: STARTED,
      always: true,
      sortBy: (run) => run.created_at,
      cell: (run) => (
        <button
          aria-pressed={run.run_id === shown}
          className="rounded-small font-medium text-accent underline-offset-2 hover:underline"
          onClick={() => onShow(run.run_id)}
          type="button"
        >
          {nameOf?.(run) ?? <Time at={run.created_at} relative />}
        </button>
      ),
    },
    { name: "Token", cell: (run) => <TokenName {...run} /> },
  ];
  return (
    <Table
      caption={caption}
      choice={choice}
      columns={[...first, ...own, ...columns]}
      isMarked={(run) => run.run_id === shown}
      order={{ column: STARTED, descending: true }}
      portion={10}
      rowKey={(run) => run.run_id}
      rows={runs}
    />
  );
}
