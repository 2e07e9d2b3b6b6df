import { type FormEvent, useRef, useState } from "react";
import type { Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import { costsOf, NO_CHOICES } from "@/backtests/choices";
import { gainTone } from "@/backtests/gainTone";
import { type Instrument, TokenName } from "@/backtests/instrument";
import { Costs, IntrabarChoice, NO_TOKEN, useFormDefaults } from "@/backtests/RunFields";
import type { Summary } from "@/backtests/runs";
import { TokenField } from "@/backtests/TokenField";
import { Button } from "@/design/Button";
import { Confirm } from "@/design/Confirm";
import { Choice, Labelled } from "@/design/Field";
import { PlayIcon } from "@/design/icons";
import { Note, ProblemNote } from "@/design/States";
import { WhyNot } from "@/design/WhyNot";
import { Change, Time } from "@/format/Figures";
import type { OfMany } from "@/purse/many";
import { DeadLossField, OneOrMany, PurseFields } from "@/purse/TokenFields";
import { useChoice } from "@/purse/useChoice";
import { NearLimit } from "@/session/NearLimit";
import { useMe, useSettings } from "@/session/user";
import type { Simulation } from "@/simulations/following";
import { useStart } from "@/simulations/runs";
import { useMisfit } from "@/strategy/description";
import { SavedFirst } from "@/strategy/StrategyEditor";

type Request = Schemas["SimulationRequest"];
type Mode = NonNullable<Request["mode"]>;
type CheckInterval = NonNullable<Request["check_interval"]>;
type KlineInterval = NonNullable<Request["kline_interval"]>;
type Wanted = { mode: Mode; interval: KlineInterval };
/** A backtest whose tokens and candles the form begins with. */
export type Tested = Pick<Summary, "token" | "chain" | "kline_interval"> & OfMany;

const MODES: { value: Mode; label: string }[] = [
  { value: "live", label: "Follow the market live" },
  { value: "replay", label: "Replay the last hour" },
];
const CHECKS: { value: CheckInterval; label: string }[] = [10, 30, 60].map((value) => ({
  value: value as CheckInterval,
  label: `${value} s`,
}));
const INTERVALS: KlineInterval[] = ["1m", "5m", "15m", "1h"];
const CANDLES: Record<KlineInterval, number> = { "1m": 60, "5m": 12, "15m": 4, "1h": 1 };
/** A replay of fewer candles is over before it shows anything. */
const FEW_CANDLES = 20;

type SimulationFormProps = {
  bot: Schemas["BotView"];
  tested: Tested | undefined;
  last: Schemas["SimulationSummary"] | undefined;
  onStart: (run: Simulation) => void;
};

export function SimulationForm({ bot, tested, last, onStart }: SimulationFormProps) {
  const { default_check_interval } = useSettings();
  const starts = useMe().data?.rates.simulation_starts;
  const usual = useFormDefaults(bot, last);
  const [chosen, setChosen] = useState<Instrument | null | undefined>(undefined);
  const [mode, setMode] = useState<Mode>("live");
  const [check, setCheck] = useState<CheckInterval | undefined>(undefined);
  const [chosenInterval, setInterval] = useState<KlineInterval | undefined>(undefined);
  const [costs, setCosts] = useState(NO_CHOICES);
  const [isAsking, setIsAsking] = useState(false);
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [isMissing, setIsMissing] = useState(false);
  const misfit = useMisfit(bot.strategy);
  const start = useStart(bot, onStart);
  const problem = start.error ? problemOf(start.error) : null;
  const choose = (part: Partial<typeof costs>) => setCosts((before) => ({ ...before, ...part }));
  const instrument = chosen === undefined ? (tested ? { ...tested, address: tested.token } : usual) : chosen;
  const tokens = useChoice(bot, tested);
  const interval = chosenInterval && !misfit(chosenInterval) ? chosenInterval : usualInterval(bot, tested);
  const intervals = INTERVALS.map((value) => ({ value, label: value, unusable: misfit(value) }));
  const isReplay = mode === "replay" && !tokens.isMany;
  // Somebody watches a replay, and it asks nobody for prices: it steps as fast as it may.
  const check_interval = check ?? (isReplay ? 10 : default_check_interval);

  function begin(mode: Mode, interval: KlineInterval) {
    const wanted = { mode, interval };
    if (last && last.status !== "stopped") setWanted(wanted);
    else launch(wanted);
  }

  function launch({ mode, interval: kline_interval }: Wanted) {
    setWanted(null);
    setIsAsking(false);
    button.current?.focus({ preventScroll: true });
    const traded = tokens.asked ?? { token: instrument?.address, chain: instrument?.chain };
    const { intrabar } = costs;
    start.mutate({ ...traded, mode, check_interval, kline_interval, ...costsOf(costs), intrabar });
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const isReady = tokens.isMany ? !tokens.isEmpty : instrument !== null;
    setIsMissing(!isReady);
    if (!isReady) return;
    if (tokens.isMany) begin("live", interval);
    else if (mode === "replay" && CANDLES[interval] < FEW_CANDLES) setIsAsking(true);
    else begin(mode, interval);
  }

  return (
    <form aria-label="New simulation" className="stack gap-3" noValidate onSubmit={submit}>
      {starts && <NearLimit max={starts.count} used={starts.used} what="simulation starts of this hour" />}
      <OneOrMany choice={tokens} />
      {tokens.isMany && <PurseFields bot={bot} choice={tokens} days="live" isMissing={isMissing} problem={problem} />}
      <div className="flex flex-wrap items-end gap-3">
        {!tokens.isMany && (
          <>
            <div className="min-w-0 flex-1 basis-56">
              <TokenField
                error={isMissing && !instrument ? NO_TOKEN : problem?.field("token")}
                onChange={setChosen}
                value={instrument}
              />
            </div>
            <Labelled label="Mode">
              <Choice label="Mode" onChange={setMode} options={MODES} value={mode} />
            </Labelled>
          </>
        )}
        <Labelled label={isReplay ? "A candle every" : "Check every"}>
          <Choice
            label={isReplay ? "A candle every" : "Check every"}
            onChange={setCheck}
            options={CHECKS}
            value={check_interval}
          />
        </Labelled>
        <Labelled label="Candles">
          <Choice label="Candles" onChange={setInterval} options={intervals} value={interval} />
        </Labelled>
        <Button busy={start.isPending} className="max-sm:w-full" look="primary" ref={button} type="submit">
          <PlayIcon />
          Start simulation
        </Button>
        <WhyNot options={intervals} />
      </div>
      {isAsking && !tokens.isMany && mode === "replay" && (
        <FewCandles interval={interval} misfit={misfit} onBegin={begin} />
      )}
      {tested && interval !== tested.kline_interval && (
        <Note>
          It was tested on {tested.kline_interval} candles, and is simulated on {interval} candles.
        </Note>
      )}
      {last && (
        <Confirm
          no="Keep it"
          onClose={() => setWanted(null)}
          onYes={() => wanted && launch(wanted)}
          open={wanted !== null}
          title="End the current simulation?"
          yes="End it and start this one"
        >
          <Ended run={last} />
        </Confirm>
      )}
      <Costs choices={costs} onChange={choose} problem={problem}>
        <IntrabarChoice choices={costs} onChange={choose} />
        <DeadLossField choice={tokens} problem={problem} />
      </Costs>
      <SavedFirst bot={bot} />
      <ProblemNote error={start.error} />
    </form>
  );
}

/** What ends when a bot that simulates starts another simulation. */
export function Ended({ run }: { run: Schemas["SimulationSummary"] }) {
  const { status, mode, created_at, portfolio } = run;
  return (
    <p>
      A bot has one simulation at a time. The {mode === "live" ? "live one" : "replay"} of <TokenName {...run} />,{" "}
      {status}, started <Time at={created_at} relative />, has made{" "}
      <Change className={gainTone(run.costs)} value={portfolio.pnl_percent} /> so far. It ends for good and sells
      nothing; what it did stays in the list.
    </p>
  );
}

type FewCandlesProps = {
  interval: KlineInterval;
  misfit: (interval: KlineInterval) => string | undefined;
  onBegin: (mode: Mode, interval: KlineInterval) => void;
};

/** Asks before a replay that would be over at once. */
function FewCandles({ interval, misfit, onBegin }: FewCandlesProps) {
  const words = CANDLES[interval] === 1 ? "1 candle" : `${CANDLES[interval]} candles`;
  return (
    <div className="stack gap-2 rounded-control bg-accent-soft px-3 py-2 text-small" role="alert">
      <p>
        An hour of {interval} candles is {words}: this replay is over at once. What shall it be?
      </p>
      <div className="flex flex-wrap gap-2">
        <Button look="primary" onClick={() => onBegin("live", interval)} size="small">
          Follow it live
        </Button>
        {!misfit("1m") && (
          <Button onClick={() => onBegin("replay", "1m")} size="small">
            Replay {CANDLES["1m"]} candles of 1m
          </Button>
        )}
        <Button onClick={() => onBegin("replay", interval)} size="small">
          Replay {words}
        </Button>
      </div>
    </div>
  );
}

/** The candles of the test or the recommended ones, or the longest ones that a simulation can have. */
function usualInterval(bot: Schemas["BotView"], tested: Tested | undefined): KlineInterval {
  const wanted = tested?.kline_interval ?? bot.recommended_kline_interval;
  return INTERVALS.find((interval) => interval === wanted) ?? (wanted ? "1h" : "1m");
}
