/** Be told when the entry conditions become true, and trade nothing. */
import { type FormEvent, useState } from "react";
import type { Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import { type Instrument, TokenName } from "@/backtests/instrument";
import { useFormDefaults } from "@/backtests/RunFields";
import { TokenList } from "@/backtests/TokenList";
import { Badge } from "@/design/Badge";
import { Button } from "@/design/Button";
import { Confirm } from "@/design/Confirm";
import { Choice, Labelled } from "@/design/Field";
import { PlayIcon, StopIcon } from "@/design/icons";
import { Empty, ErrorState, Loading, Note, ProblemNote, Skeleton } from "@/design/States";
import { type Column, Table } from "@/design/Table";
import { WhyNot } from "@/design/WhyNot";
import { Price, Time } from "@/format/Figures";
import { count } from "@/format/numbers";
import { useSession } from "@/session/store";
import { useMe } from "@/session/user";
import { useMisfit } from "@/strategy/description";
import { SavedFirst } from "@/strategy/StrategyEditor";
import type { Bot } from "@/strategy/versions";
import { useStartWatch, useStopWatch, useWatch, useWatches, type Watch, type WatchSummary } from "@/watches/watches";

type Interval = NonNullable<Schemas["WatchRequest"]["kline_interval"]>;
type Watched = Schemas["WatchedToken"];
type Signal = Schemas["WatchSignal"];

const INTERVALS: Interval[] = ["1m", "5m", "15m", "1h", "4h", "1d"];

export default function WatchTab({ bot }: { bot: Bot }) {
  const { accessToken } = useSession();
  if (!accessToken) {
    return <Empty title="Watches need an account.">They go on while you are away, and tell you by the bell.</Empty>;
  }
  if (!bot.strategy) {
    return (
      <div className="p-4">
        <Note>A watch needs a strategy: describe one in the chat, or write its first condition.</Note>
      </div>
    );
  }
  return <Watches bot={bot} />;
}

function Watches({ bot }: { bot: Bot }) {
  const { data, error, refetch } = useWatches(bot.id);
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = chosen ?? data?.watches[0]?.run_id ?? null;
  const watch = useWatch(bot.id, shown);
  const isRunning = watch.data?.status === "running";
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (!data) {
    return (
      <Loading className="stack gap-3 p-4" label="Loading the watches…">
        <Skeleton className="h-16" />
        <Skeleton className="h-40" />
      </Loading>
    );
  }
  return (
    <div className="stack gap-4 py-4">
      {isRunning && <OneWatch key={watch.data?.run_id} watch={watch.data as Watch} />}
      <div className="px-4">
        <WatchForm bot={bot} last={data.watches[0]} onStart={setChosen} />
      </div>
      {data.watches.length === 0 && (
        <Empty title="No watch yet.">
          A watch follows tokens and notifies you, with the reason, when the entry conditions become true. It buys
          nothing, not even on paper.
        </Empty>
      )}
      {watch.error ? <ErrorState error={watch.error} onRetry={watch.refetch} /> : null}
      {watch.data && !isRunning && <OneWatch key={watch.data.run_id} watch={watch.data} />}
      {data.watches.length > 1 && (
        <div className="stack border-t border-line">
          <h2 className="px-4 pt-3 text-body">All watches</h2>
          <Table
            caption="Watches of this bot"
            columns={watchColumns(shown, setChosen)}
            isMarked={(each) => each.run_id === shown}
            portion={10}
            rowKey={(each) => each.run_id}
            rows={data.watches}
          />
        </div>
      )}
    </div>
  );
}

type WatchFormProps = { bot: Bot; last: WatchSummary | undefined; onStart: (runId: string) => void };

function WatchForm({ bot, last, onStart }: WatchFormProps) {
  const most = useMe().data?.limits.watch_tokens;
  const usual = useFormDefaults(bot, undefined);
  const [chosen, setTokens] = useState<Instrument[]>();
  const [interval, setInterval] = useState<Interval>();
  const [asks, setAsks] = useState(false);
  const misfit = useMisfit(bot.strategy);
  const intervals = INTERVALS.map((value) => ({ value, label: value, unusable: misfit(value) }));
  const start = useStartWatch(bot.id, onStart);
  const problem = start.error ? problemOf(start.error) : null;
  const tokens = chosen ?? (usual ? [usual] : []);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (last?.status === "running") setAsks(true);
    else begin();
  }

  function begin() {
    setAsks(false);
    const listed = tokens.map(({ address, chain }) => ({ token: address, chain }));
    start.mutate({ tokens: listed, kline_interval: interval ?? bot.recommended_kline_interval });
  }

  return (
    <form aria-label="New watch" className="stack gap-3" noValidate onSubmit={submit}>
      <TokenList error={problem?.field("tokens")} onChange={setTokens} tokens={tokens} />
      <div className="flex flex-wrap items-end gap-3">
        <Labelled label="Candles">
          <Choice
            label="Candles"
            onChange={setInterval}
            options={intervals}
            value={interval ?? bot.recommended_kline_interval ?? "1m"}
          />
        </Labelled>
        <Button
          busy={start.isPending}
          className="max-sm:w-full"
          disabled={tokens.length === 0}
          look="primary"
          type="submit"
        >
          <PlayIcon />
          Start watch
        </Button>
        <WhyNot options={intervals} />
        {most !== undefined && <p className="text-small text-ink-soft">Your tier has up to {count(most)} tokens.</p>}
      </div>
      {last && (
        <Confirm
          no="Keep it"
          onClose={() => setAsks(false)}
          onYes={begin}
          open={asks}
          title="End the running watch?"
          yes="End it and start this one"
        >
          <p>
            A bot has one watch at a time. The running one of{" "}
            {last.tokens.length === 1 ? "1 token" : `${count(last.tokens.length)} tokens`} on {last.kline_interval}{" "}
            candles, started <Time at={last.created_at} relative />, ends for good and notifies you no more. Its signals
            stay in the list.
          </p>
        </Confirm>
      )}
      <SavedFirst bot={bot} />
      <ProblemNote error={start.error} />
    </form>
  );
}

function OneWatch({ watch }: { watch: Watch }) {
  const stop = useStopWatch(watch);
  return (
    <section aria-label="Watch" className="stack gap-3 border-t border-line pt-4">
      <div className="flex flex-wrap items-center gap-3 px-4">
        <StateBadge watch={watch} />
        <p className="min-w-0 flex-1 text-small text-ink-soft">
          {watch.kline_interval} candles. {watch.strategy_summary}
        </p>
        {watch.status === "running" && (
          <Button busy={stop.isPending} look="danger" onClick={() => stop.mutate()} size="small">
            <StopIcon size={14} />
            Stop
          </Button>
        )}
      </div>
      <ProblemNote error={stop.error} />
      <Table
        caption="Watched tokens"
        columns={TOKENS}
        portion={50}
        rowKey={({ token, chain }) => `${token}-${chain}`}
        rows={watch.tokens}
      />
      {watch.signals.length > 0 ? (
        <Table
          caption="When the entry conditions became true"
          columns={SIGNALS}
          portion={20}
          rowKey={(signal) => String(signal.number)}
          rows={watch.signals}
        />
      ) : (
        <p className="px-4 text-small text-ink-soft">The entry conditions have not become true yet.</p>
      )}
    </section>
  );
}

function StateBadge({ watch }: { watch: WatchSummary }) {
  return (
    <Badge live={watch.status === "running"} tone={watch.status === "running" ? "accent" : "neutral"}>
      {watch.status}
    </Badge>
  );
}

const TOKENS: Column<Watched>[] = [
  {
    name: "Token",
    cell: ({ token, chain, symbol }) => <TokenName chain={chain} token={token} token_symbol={symbol} />,
  },
  {
    name: "Conditions",
    cell: ({ met, waiting }) => waiting ?? (met === null ? "not read yet" : met ? "true" : "not true"),
  },
  { name: "Price", numeric: true, cell: ({ price }) => <Price value={price} /> },
  { name: "Signals", numeric: true, cell: ({ signals }) => count(signals) },
];

const SIGNALS: Column<Signal>[] = [
  { name: "Candle", cell: ({ time }) => <Time at={new Date(time * 1000).toISOString()} /> },
  {
    name: "Token",
    cell: ({ token, chain, symbol }) => <TokenName chain={chain} token={token} token_symbol={symbol} />,
  },
  { name: "Price", numeric: true, cell: ({ price }) => <Price value={price} /> },
  { name: "Reason", cell: ({ reason }) => reason },
];

function watchColumns(shown: string | null, onShow: (runId: string) => void): Column<WatchSummary>[] {
  return [
    {
      name: "Started",
      cell: (each) => (
        <button
          aria-pressed={each.run_id === shown}
          className="rounded-small font-medium text-accent underline-offset-2 hover:underline"
          onClick={() => onShow(each.run_id)}
          type="button"
        >
          <Time at={each.created_at} relative />
        </button>
      ),
    },
    { name: "State", cell: (each) => <StateBadge watch={each} /> },
    { name: "Tokens", numeric: true, cell: (each) => count(each.tokens.length), minor: true },
    { name: "Signals", numeric: true, cell: (each) => count(each.total_signals) },
  ];
}
