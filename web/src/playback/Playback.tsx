/** Plays a finished backtest: its candles, decisions, stops and equity unfold, and the future stays hidden. */
import { type KeyboardEvent, type ReactNode, useEffect, useMemo } from "react";
import { hasSeries, INTERVALS } from "@/backtests/chart";
import { type Run, seconds, type Trades, useEveryTrade } from "@/backtests/runs";
import { Chart } from "@/chart/Chart";
import { localTime } from "@/chart/zone";
import { Button } from "@/design/Button";
import { Input, Select } from "@/design/Field";
import { PauseIcon, PlayIcon } from "@/design/icons";
import { ErrorState } from "@/design/States";
import { Money, Time } from "@/format/Figures";
import { dateTime } from "@/format/times";
import { type Course, lastOf, SPEEDS, type Speed } from "@/playback/clock";
import { usePages, useRulesAround } from "@/playback/pages";
import { played } from "@/playback/played";
import { happened, happenings, nextDecision, sceneAt, soFarAt } from "@/playback/scene";
import { useClock } from "@/playback/useClock";
import { useSettings } from "@/session/user";

/** The number of candles in view; fewer on a phone. */
const IN_VIEW = window.matchMedia("(min-width: 40rem)").matches ? 220 : 90;
const TOLD = 4;

type PlaybackProps = {
  run: Run;
  trades: Trades;
  firstOpen: number | undefined;
  className: string;
  onClose: () => void;
};

export default function Playback({ run, trades: newest, firstOpen, className, onClose }: PlaybackProps) {
  const trades = useEveryTrade(run, newest);
  const course = useMemo<Course>(() => courseOf(run), [run]);
  const player = useClock(course);
  const { clock } = player;
  const { loaded, reaches, error, retry } = usePages(run, course, clock, hasSeries(run.strategy));
  useEffect(() => player.allow(reaches));
  const all = useMemo(() => happenings(run, trades.trades, course.interval), [run, trades, course]);
  const current = trades.trades.findLast((trade) => seconds(trade.exit_time) >= clock)?.number ?? null;
  const rules = useRulesAround(run, current);
  const data = useMemo(
    () => sceneAt({ run, trades: trades.trades, rules, firstOpen }, loaded, clock, IN_VIEW),
    [run, trades, rules, firstOpen, loaded, clock],
  );
  const jump = (by: 1 | -1) => {
    const moment = nextDecision(all, clock, by);
    if (moment !== undefined) player.goTo(moment);
  };
  const { timezone } = useSettings();
  const local = useMemo(() => localTime(timezone), [timezone]);
  const goToDay = (date: string) => {
    const midnight = Date.parse(date) / 1000;
    player.goTo(2 * midnight - local(midnight));
  };
  const told = all.slice(0, happened(all, clock)).slice(-TOLD).reverse();
  const soFar = useMemo(() => soFarAt({ run, trades: trades.trades }, loaded, clock), [run, trades, loaded, clock]);
  const { atEnd } = player;
  useEffect(() => {
    played.set({ ...soFar, runId: run.run_id, clock, atEnd });
  }, [soFar, run, clock, atEnd]);
  useEffect(() => () => played.set(null), []);
  if (error) return <ErrorState error={error} onRetry={retry} />;

  const onKeyDown = ({ key, target }: KeyboardEvent) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
    if (key === "ArrowLeft") player.step(-1);
    if (key === "ArrowRight") player.step(1);
  };

  return (
    <section aria-label="Playback" onKeyDown={onKeyDown}>
      <div className="border-b border-line px-4 py-2">
        <fieldset aria-label="Player" className="flex flex-wrap items-center gap-1.5">
          <Button look="primary" onClick={player.toggle} size="small">
            {player.isPlaying ? <PauseIcon size={14} /> : <PlayIcon size={14} />}
            {player.isPlaying ? "Pause" : "Play"}
          </Button>
          <Button onClick={() => player.step(-1)} size="small">
            ‹ Step back
          </Button>
          <Button onClick={() => player.step(1)} size="small">
            Step ›
          </Button>
          <Button disabled={nextDecision(all, clock, -1) === undefined} onClick={() => jump(-1)} size="small">
            « Trade before
          </Button>
          <Button disabled={nextDecision(all, clock, 1) === undefined} onClick={() => jump(1)} size="small">
            Next trade »
          </Button>
          <Small label="Candles a second">
            <Select
              className="h-8! w-24!"
              onChange={({ target }) => player.setSpeed(Number(target.value) as Speed)}
              value={player.speed}
            >
              {SPEEDS.map((speed) => (
                <option key={speed} value={speed}>
                  {speed}
                </option>
              ))}
            </Select>
          </Small>
          <Small label="From">
            <Input
              className="h-8! w-36!"
              max={isoDay(local(lastOf(course)))}
              min={isoDay(local(course.start))}
              onChange={({ target }) => target.value && goToDay(target.value)}
              type="date"
              value={isoDay(local(clock))}
            />
          </Small>
          <Button className="ml-auto" look="ghost" onClick={onClose} size="small">
            Close playback
          </Button>
        </fieldset>
      </div>
      <Chart
        caption={
          <span className="flex flex-wrap gap-x-4 gap-y-1">
            <span>
              <span className="text-ink-faint">Played up to</span>{" "}
              <strong className="figures font-medium text-ink">
                <Time at={clock} />
              </strong>
            </span>
            <span>
              <span className="text-ink-faint">Equity</span> <Money value={soFar.equity} />
            </span>
            {player.atEnd && <span>The run ends here.</span>}
            {!player.atEnd && reaches <= clock && <span>Loading candles…</span>}
          </span>
        }
        className={className}
        data={data}
        isDemo={run.data_source === "demo"}
        name={`${run.run_id}-playback`}
      />
      <div className="stack gap-2 px-4 pb-3">
        <input
          aria-label="Place in the run"
          aria-valuetext={dateTime(clock, timezone)}
          className="w-full accent-[var(--accent)]"
          max={lastOf(course)}
          min={course.start}
          onChange={({ target }) => player.goTo(Number(target.value))}
          step={course.interval}
          type="range"
          value={clock}
        />
        <ol aria-label="What has happened" className="stack min-h-20 gap-0.5 text-small text-ink-soft">
          {told.length === 0 && <li>Nothing has been decided yet.</li>}
          {told.map(({ time, what, why }) => (
            <li className="truncate" key={`${time} ${what}`}>
              <span className="text-ink-faint">
                <Time at={time} bare />
              </span>{" "}
              <strong className="font-medium text-ink">{what}</strong>: {why}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

/** From the first candle that begins within the run. */
function courseOf({ start_time, end_time, kline_interval }: Run): Course {
  const interval = INTERVALS[kline_interval];
  return { start: Math.ceil(seconds(start_time) / interval) * interval, end: seconds(end_time), interval };
}

/** The day on the zone's calendar, as a date field has it. */
const isoDay = (local: number) => new Date(local * 1000).toISOString().slice(0, 10);

function Small({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is its child
    <label className="flex items-center gap-1.5 text-small text-ink-soft">
      {label}
      {children}
    </label>
  );
}
