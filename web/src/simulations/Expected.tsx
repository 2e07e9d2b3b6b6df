import type { Schemas } from "@/api/client";
import { Figure } from "@/design/Card";
import { Note } from "@/design/States";
import { count } from "@/format/numbers";
import type { Simulation } from "@/simulations/following";

type Band = Schemas["Band"];

/** The simulation compared with what the newest backtest of the same rules predicts. */
export function Expected({ run: { expectation } }: { run: Simulation }) {
  if (!expectation) return null;
  const { days, trades, trades_per_week, win_rate, max_drawdown, notes } = expectation;
  return (
    <section aria-label="Beside the backtest" className="stack gap-2">
      <h2 className="text-small text-ink-faint">
        Beside the backtest of {count(Math.round(days))} days and {count(trades)} trades
      </h2>
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-4 gap-y-3.5">
        <Beside band={trades_per_week} name="Trades a week" />
        <Beside band={win_rate} name="Win rate" unit="%" />
        <Beside band={max_drawdown} name="Drawdown" unit="%" />
      </dl>
      {notes.map((note) => (
        <Note key={note}>{note}</Note>
      ))}
    </section>
  );
}

function Beside({ name, band, unit = "" }: { name: string; band: Band; unit?: string }) {
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
