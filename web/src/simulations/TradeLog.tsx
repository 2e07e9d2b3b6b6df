import { useState } from "react";
import type { Schemas } from "@/api/client";
import { paidWords } from "@/backtests/costs";
import { gainTone } from "@/backtests/gainTone";
import { shortAddress, useRunTokenName } from "@/backtests/instrument";
import { Badge, type Tone } from "@/design/Badge";
import { Choice } from "@/design/Field";
import { Empty } from "@/design/States";
import { type Column, Table } from "@/design/Table";
import { Change, Price, Time } from "@/format/Figures";
import { NOTHING, unbroken } from "@/format/numbers";
import { classes } from "@/kit/classes";
import { useSettings } from "@/session/user";
import { MODE_WORDS, type Simulation } from "@/simulations/following";
import { sentencesOf } from "@/simulations/reasons";

type LogEntry = Schemas["LogEntryView"];
type Shown = "trades" | "all";

const TONES: Record<LogEntry["action"], Tone> = { BUY: "up", SELL: "down", HOLD: "neutral" };
const MARKS: Record<LogEntry["action"], string> = { BUY: "▲", SELL: "▼", HOLD: "■" };

/** What it did at every candle, and why; newest first. */
export function TradeLog({ run }: { run: Simulation }) {
  const { trade_log: log } = run;
  const { timezone } = useSettings();
  const name = useRunTokenName(run);
  const [shown, setShown] = useState<Shown>("all");
  const rows = shown === "all" ? log : log.filter(({ action }) => action !== "HOLD");
  return (
    <div className={classes("stack border-t border-line", gainTone(run.costs))}>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-2 px-4 py-2">
        <h2 className="text-body">
          Trade log{" "}
          <span className="text-small font-normal tracking-normal text-ink-soft">
            {MODE_WORDS[run.mode]}, {name} in $, times in {timezone}
          </span>
        </h2>
        <Choice
          label="Entries of the log"
          onChange={setShown}
          options={[
            { value: "all", label: "Every decision" },
            { value: "trades", label: "Only trades" },
          ]}
          value={shown}
        />
      </div>
      {rows.length === 0 ? (
        <Empty title="It has not traded yet.">Every decision, also the one to wait, is listed with its reason.</Empty>
      ) : (
        <Table
          caption="Trade log of the simulation"
          columns={run.tokens ? COLUMNS_OF_MANY : COLUMNS}
          order={{ column: "Candle", descending: true }}
          portion={20}
          rowKey={({ number }) => number}
          rows={rows}
        />
      )}
    </div>
  );
}

/** Which of many tokens it was; a line about the purse has none. */
const TOKEN: Column<LogEntry> = {
  name: "Token",
  sortBy: ({ symbol, token_id }) => symbol ?? token_id ?? null,
  cell: ({ symbol, token_id }) => symbol ?? (token_id ? shortAddress(token_id) : "the purse"),
};

const COLUMNS: Column<LogEntry>[] = [
  {
    name: "Candle",
    sortBy: ({ number }) => number, // one candle may buy and sell
    cell: ({ time }) => (
      <span className="block min-w-20 whitespace-normal">
        <Time at={time} bare />
      </span>
    ),
  },
  {
    name: "Action",
    cell: ({ action, late, price, pnl }) => (
      <>
        <span className="flex gap-1">
          <Badge tone={TONES[action]}>
            <span aria-hidden="true">{MARKS[action]}</span> {action}
          </Badge>
          {late && <Badge tone="warn">late</Badge>}
        </span>
        {/* Where the table is too narrow for their columns. */}
        <span className="stack items-start pt-1 text-tiny @xl:hidden">
          <Price value={price} />
          {pnl !== null && <Change unit="money" value={pnl} />}
        </span>
      </>
    ),
  },
  { name: "Price", numeric: true, minor: true, cell: ({ price }) => <Price value={price} /> },
  { name: "Entry price", numeric: true, minor: true, cell: ({ entry_price }) => <Price value={entry_price} /> },
  {
    name: "P&L",
    numeric: true,
    sortBy: ({ pnl }) => pnl,
    minor: true,
    cell: ({ pnl }) => (pnl === null ? NOTHING : <Change unit="money" value={pnl} />),
  },
  { name: "Reason", cell: (entry) => <Reason entry={entry} /> },
];

const COLUMNS_OF_MANY = COLUMNS.toSpliced(2, 0, TOKEN);

/** The reason in plain words, or else in the engine's own, and what a fill paid. */
function Reason({ entry }: { entry: LogEntry }) {
  const sentences = sentencesOf(entry.reason, entry.reasons);
  const paid = paidWords(entry);
  return (
    <span className="block min-w-36 py-1 whitespace-normal">
      {sentences.map((sentence) => (
        <span className="block" key={sentence}>
          {unbroken(sentence)}
        </span>
      ))}
      {paid && <span className="figures block text-tiny text-ink-soft">Paid: {paid}</span>}
    </span>
  );
}
