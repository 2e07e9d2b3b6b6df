import { type ReactNode, useEffect } from "react";
import type { Schemas } from "@/api/client";
import { samePoolCosts } from "@/backtests/costs";
import { isGoing, useBacktests, useStart } from "@/backtests/runs";
import { Button } from "@/design/Button";
import { Figure } from "@/design/Card";
import { PlayIcon } from "@/design/icons";
import { Note, ProblemNote } from "@/design/States";
import { toast } from "@/design/Toast";
import { count } from "@/format/numbers";
import { Term } from "@/format/Term";
import { sameTokens } from "@/purse/many";
import type { Simulation } from "@/simulations/following";
import { refreshSimulation } from "@/simulations/runs";
import { diff } from "@/strategy/Diff";
import { useEdits } from "@/strategy/edits";
import type { Bot } from "@/strategy/versions";

type Band = Schemas["Band"];

type ExpectedProps = { bot: Bot; run: Simulation; name: string };

/** The simulation compared with what the newest backtest of the same rules, token and candles predicts. */
export function Expected({ bot, run, name }: ExpectedProps) {
  const { expectation } = run;
  if (!expectation) return <NothingExpected bot={bot} name={name} run={run} />;
  const { days, trades, trades_per_week, win_rate, max_drawdown, notes } = expectation;
  const period = Math.round(days) === 1 ? "1 day" : `${count(Math.round(days))} days`;
  return (
    <section aria-label="Beside the backtest" className="stack gap-2">
      <h2 className="text-small text-ink-faint">
        Beside the backtest of {name}, {run.kline_interval} candles, {period} and {count(trades)}{" "}
        {trades === 1 ? "trade" : "trades"}
      </h2>
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-4 gap-y-3.5">
        <Beside band={trades_per_week} name="Trades a week" />
        <Beside band={win_rate} name={<Term name="win_rate" />} unit="%" />
        <Beside band={max_drawdown} name={<Term name="drawdown" />} unit="%" />
      </dl>
      {notes.map((note) => (
        <Note key={note}>{note}</Note>
      ))}
    </section>
  );
}

/** Offers the backtest that is missing. Simulations of older versions are never compared. */
function NothingExpected({ bot, run, name }: ExpectedProps) {
  const { changed } = useEdits(bot);
  const { isRunning, tested } = useTests(bot, run);
  const start = useStart(bot, () => toast("The backtest is running."));
  const { bot_id, run_id } = run;
  useEffect(() => {
    if (tested) void refreshSimulation({ bot_id, run_id });
  }, [tested, bot_id, run_id]);
  if (!run.costs || run.candles_processed === 0) return null;
  const hasSameRules = !changed && diff(run.strategy, bot.strategy).length === 0;
  return (
    <section aria-label="Beside the backtest" className="stack gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <Note>
            There is no finished backtest of these rules on {run.kline_interval} candles of {name} yet, so there is
            nothing to compare this simulation with.
          </Note>
        </div>
        {hasSameRules && (
          <Button busy={start.isPending || isRunning} onClick={() => start.mutate(sameRun(run))} size="small">
            <PlayIcon size={14} />
            Run this backtest
          </Button>
        )}
      </div>
      <ProblemNote error={start.error} />
    </section>
  );
}

/** Whether a backtest of this token, or of as many, and candle length is running, and the newest that is completed. */
function useTests(bot: Bot, { token, chain, tokens, kline_interval }: Simulation) {
  const same = (useBacktests(bot.id).data?.backtests ?? []).filter(
    (test) =>
      test.kline_interval === kline_interval &&
      (tokens ? test.tokens_total > 1 : test.tokens_total === 1 && test.token === token && test.chain === chain),
  );
  return { isRunning: same.some(isGoing), tested: same.find(({ status }) => status === "completed")?.run_id };
}

function sameRun(run: Simulation): Schemas["BacktestRequest"] {
  const { kline_interval, initial_cash, fee_percent, slippage_percent, intrabar } = run;
  const costs = { initial_cash, fee_percent, slippage_percent, ...samePoolCosts(run.costs) };
  return { ...sameTokens(run), kline_interval, intrabar, ...costs };
}

function Beside({ name, band, unit = "" }: { name: ReactNode; band: Band; unit?: string }) {
  const expected =
    band.low === null || band.high === null ? "unknown" : `${short(band.low)} to ${short(band.high)}${unit}`;
  return (
    <Figure name={name} note={`expected ${expected}`}>
      {band.live === null ? "too soon" : `${short(band.live)}${unit}`}
    </Figure>
  );
}

function short(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 1 });
}
