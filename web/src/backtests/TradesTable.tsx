import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { api, type Schemas } from "@/api/client";
import { heldSeconds } from "@/backtests/analysis";
import { PARTS, totalPaid } from "@/backtests/costs";
import { FillList } from "@/backtests/FillList";
import { gainTone } from "@/backtests/gainTone";
import { MOST_TRADES, type Run, type Trade, type Trades } from "@/backtests/runs";
import { Button } from "@/design/Button";
import { ChevronDownIcon, DownloadIcon } from "@/design/icons";
import { Empty, Note, ProblemNote } from "@/design/States";
import { type Column, Table } from "@/design/Table";
import { Change, Money, Price, Time } from "@/format/Figures";
import { labelOf, meaningOf } from "@/format/glossary";
import { count, percent, unbroken } from "@/format/numbers";
import { duration } from "@/format/times";
import { classes } from "@/kit/classes";
import { saveFile } from "@/kit/saving";
import { namesOf } from "@/purse/result";
import { useSettings } from "@/session/user";
import { REASONS } from "@/strategy/words";

type TradesTableProps = {
  run: Pick<Run, "open_position" | "no_trade_reason" | "costs" | "tokens">;
  trades: Trades;
  chosen: number | null;
  /** Shows a trade on the chart; undefined where no chart has it. */
  onChoose: ((trade: Trade) => void) | undefined;
  /** Buttons for all trades. */
  action?: ReactNode;
  /** How far each trade rose and fell while it was held, if known. */
  courses?: Course[];
};

type Course = Schemas["TradeCourse"];

/** The trades as a table, newest first; each links to its place on the chart. */
export function TradesTable({ run, trades, chosen, onChoose, action, courses }: TradesTableProps) {
  const { timezone } = useSettings();
  const [opened, setOpened] = useState<readonly number[]>([]);
  const shown = useMemo(() => {
    const toggle = (number: number) =>
      setOpened((all) => (all.includes(number) ? all.filter((each) => each !== number) : [...all, number]));
    return columns(onChoose, courses, { opened, toggle }, run.tokens);
  }, [onChoose, courses, opened, run.tokens]);
  if (trades.total === 0) {
    return (
      <Empty title={unbroken(run.no_trade_reason ?? "No trade was closed.")}>
        {run.open_position
          ? "Add a stop loss or a take profit, so that it sells too."
          : "Change its conditions, or test a longer time."}
      </Empty>
    );
  }
  return (
    <div className={classes("stack", gainTone(run.costs))}>
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 py-2">
        <p className="text-small text-ink-soft">
          {count(trades.total)} {trades.total === 1 ? "trade" : "trades"}, newest first.
          {onChoose && " Choose one to see it on the chart."} Times in {timezone}.
        </p>
        {action}
      </div>
      {trades.total > trades.trades.length && (
        <div className="px-4 pb-2">
          <Note>
            These are the newest {count(MOST_TRADES)}.{action ? " The CSV file has them all." : ""}
          </Note>
        </div>
      )}
      <Table
        caption="Closed trades of the backtest"
        choice="trades"
        columns={shown}
        detail={(trade) =>
          opened.includes(trade.number) && <FillList fills={trade.fills ?? []} number={trade.number} />
        }
        isMarked={(trade) => trade.number === chosen}
        order={{ column: "Trade", descending: true }}
        portion={50}
        rowKey={(trade) => trade.number}
        rows={trades.trades}
      />
    </div>
  );
}

function courseColumns(courses: Course[]): Column<Trade>[] {
  const known = new Map(courses.map((course) => [course.number, course]));
  const up = ({ number }: Trade) => known.get(number)?.run_up_percent ?? null;
  const down = ({ number }: Trade) => known.get(number)?.drawdown_percent ?? null;
  return [
    {
      name: labelOf("run_up"),
      hint: meaningOf("run_up"),
      numeric: true,
      extra: true,
      sortBy: up,
      cell: (trade) => percent(up(trade), { sign: true }),
    },
    {
      name: labelOf("trade_drawdown"),
      hint: meaningOf("trade_drawdown"),
      numeric: true,
      extra: true,
      sortBy: down,
      cell: (trade) => percent(down(trade)),
    },
  ];
}

/** What a trade paid, together and in its parts. */
const PAID: Column<Trade>[] = [
  { name: "Costs", numeric: true, sortBy: totalPaid, cell: (trade) => <Money value={totalPaid(trade)} /> },
  ...PARTS.map(({ part, label, term }) => ({
    name: label,
    hint: meaningOf(term),
    numeric: true,
    extra: true,
    sortBy: (trade: Trade) => trade[part],
    cell: (trade: Trade) => <Money value={trade[part]} />,
  })),
];

type Opening = { opened: readonly number[]; toggle: (number: number) => void };

/** Which of many tokens it was. */
function tokenColumn(tokens: NonNullable<Run["tokens"]>): Column<Trade> {
  const name = namesOf(tokens);
  return { name: "Token", sortBy: ({ token_id }) => name(token_id), cell: ({ token_id }) => name(token_id) };
}

function columns(
  onChoose: TradesTableProps["onChoose"],
  courses: Course[] | undefined,
  opening: Opening,
  tokens: Run["tokens"],
): Column<Trade>[] {
  return [
    {
      name: "Trade",
      always: true,
      sortBy: (trade) => trade.number,
      cell: (trade) => (
        <span className="flex items-center gap-1.5">
          {onChoose ? (
            <button
              className="figures rounded-small font-medium text-accent underline-offset-2 hover:underline"
              onClick={() => onChoose(trade)}
              type="button"
            >
              <span className="sr-only">Show trade </span>#{trade.number}
              <span className="sr-only"> on the chart</span>
            </button>
          ) : (
            <span className="figures font-medium">#{trade.number}</span>
          )}
          <FillsButton {...opening} trade={trade} />
        </span>
      ),
    },
    ...(tokens ? [tokenColumn(tokens)] : []),
    {
      name: "Profit",
      numeric: true,
      sortBy: (trade) => trade.pnl_percent,
      cell: (trade) => <Change value={trade.pnl_percent} />,
    },
    {
      name: "Money",
      numeric: true,
      sortBy: (trade) => trade.pnl,
      cell: (trade) => <Change unit="money" value={trade.pnl} />,
    },
    { name: "Bought", cell: (trade) => <Time at={trade.entry_time} bare />, sortBy: (trade) => trade.entry_time },
    { name: "At", numeric: true, extra: true, cell: (trade) => <Price value={trade.entry_price} /> },
    { name: "Sold", cell: (trade) => <Time at={trade.exit_time} bare />, sortBy: (trade) => trade.exit_time },
    { name: "For", numeric: true, extra: true, cell: (trade) => <Price value={trade.exit_price} /> },
    { name: "Held", numeric: true, cell: heldWords, sortBy: heldSeconds },
    ...(courses ? courseColumns(courses) : []),
    ...PAID,
    { name: "Sold because", cell: (trade) => REASONS[trade.exit_reason], sortBy: (trade) => trade.exit_reason },
    {
      name: "Bought because",
      extra: true,
      cell: (trade) => (
        <span className="block max-w-80 truncate" title={trade.entry_reason}>
          {trade.entry_reason}
        </span>
      ),
    },
  ];
}

/** Fills have the time of their candle: nobody knows how long a trade inside one was held. */
function heldWords(trade: Trade): string {
  return heldSeconds(trade) === 0 ? "within one candle" : duration(heldSeconds(trade));
}

/** Opens the list of the fills of a trade that was bought or sold in parts. */
function FillsButton({ trade, opened, toggle }: Opening & { trade: Trade }) {
  const { number, fills = [] } = trade;
  if (fills.length <= 2) return null;
  const isOpen = opened.includes(number);
  return (
    <Button
      aria-expanded={isOpen}
      aria-label={`${fills.length} fills of trade #${number}`}
      className="h-6! px-1.5!"
      look="ghost"
      onClick={() => toggle(number)}
      size="small"
    >
      {fills.length} fills
      <span aria-hidden="true" className={isOpen ? "rotate-180" : undefined}>
        <ChevronDownIcon size={12} />
      </span>
    </Button>
  );
}

/** The request needs the token in a header, so a plain link would not work. */
export function CsvButton({ run }: { run: Run }) {
  const download = useMutation({ mutationFn: () => saveCsv(run) });
  return (
    <div className="stack gap-2">
      <Button busy={download.isPending} onClick={() => download.mutate()} size="small">
        <DownloadIcon size={14} />
        CSV
      </Button>
      <ProblemNote error={download.error} />
    </div>
  );
}

async function saveCsv({ bot_id, run_id, data_source }: Run): Promise<void> {
  const { data } = await api.GET("/api/bots/{bot_id}/backtest/{run_id}/trades.csv", {
    params: { path: { bot_id, run_id } },
    parseAs: "blob",
  });
  saveFile(data as Blob, `${data_source === "demo" ? "demo-" : ""}trades-${run_id}.csv`);
}
