import { type FormEvent, useState } from "react";
import type { Schemas } from "@/api/client";
import { problemOf } from "@/api/problem";
import { costsOf, NO_CHOICES } from "@/backtests/choices";
import type { Instrument } from "@/backtests/instrument";
import { Costs, IntrabarChoice, useFormDefaults } from "@/backtests/RunFields";
import { TokenField } from "@/backtests/TokenField";
import { Button } from "@/design/Button";
import { Choice, Labelled } from "@/design/Field";
import { PlayIcon } from "@/design/icons";
import { Note, ProblemNote } from "@/design/States";
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

const MODES: { value: Mode; label: string }[] = [
  { value: "replay", label: "Replay the last hour" },
  { value: "live", label: "Follow the market" },
];
const CHECKS: { value: CheckInterval; label: string }[] = [10, 30, 60].map((value) => ({
  value: value as CheckInterval,
  label: `${value} s`,
}));
const INTERVALS: KlineInterval[] = ["1m", "5m", "15m", "1h"];
const STEPS: Record<KlineInterval, number> = { "1m": 60, "5m": 12, "15m": 4, "1h": 1 };
const FEW_STEPS = 10;

type SimulationFormProps = {
  bot: Schemas["BotView"];
  last: Pick<Schemas["SimulationSummary"], "token" | "chain" | "status"> | undefined;
  onStart: (run: Simulation) => void;
};

export function SimulationForm({ bot, last, onStart }: SimulationFormProps) {
  const { default_check_interval } = useSettings();
  const starts = useMe().data?.rates.simulation_starts;
  const usual = useFormDefaults(bot, last);
  const [chosen, setChosen] = useState<Instrument | null | undefined>(undefined);
  const [mode, setMode] = useState<Mode>("replay");
  const [check, setCheck] = useState<CheckInterval | undefined>(undefined);
  const [chosenInterval, setInterval] = useState<KlineInterval | undefined>(undefined);
  const [costs, setCosts] = useState(NO_CHOICES);
  const misfit = useMisfit(bot.strategy);
  const start = useStart(bot, onStart);
  const problem = start.error ? problemOf(start.error) : null;
  const choose = (part: Partial<typeof costs>) => setCosts((before) => ({ ...before, ...part }));
  const instrument = chosen === undefined ? usual : chosen;
  const interval = chosenInterval && !misfit(chosenInterval) ? chosenInterval : usualInterval(bot);
  const check_interval = check ?? default_check_interval;

  function submit(event: FormEvent) {
    event.preventDefault();
    start.mutate({
      token: instrument?.address,
      chain: instrument?.chain,
      mode,
      check_interval,
      kline_interval: interval,
      ...costsOf(costs),
      intrabar: costs.intrabar,
    });
  }

  return (
    <form aria-label="New simulation" className="stack gap-3" noValidate onSubmit={submit}>
      {starts && <NearLimit max={starts.count} used={starts.used} what="simulation starts of this hour" />}
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <TokenField error={problem?.field("token")} onChange={setChosen} value={instrument} />
        </div>
        <Labelled label="Mode">
          <Choice label="Mode" onChange={setMode} options={MODES} value={mode} />
        </Labelled>
        <Labelled label="Check every">
          <Choice label="Check every" onChange={setCheck} options={CHECKS} value={check_interval} />
        </Labelled>
        <Labelled label="Candles">
          <Choice
            label="Candles"
            onChange={setInterval}
            options={INTERVALS.map((value) => ({ value, label: value, unusable: misfit(value) }))}
            value={interval}
          />
        </Labelled>
        <Button busy={start.isPending} className="max-sm:w-full" look="primary" type="submit">
          <PlayIcon />
          Start simulation
        </Button>
      </div>
      {mode === "replay" && STEPS[interval] < FEW_STEPS && (
        <Note>
          {`An hour of ${interval} candles is ${STEPS[interval]} ${STEPS[interval] === 1 ? "step" : "steps"}. `}
          Choose shorter candles to watch more, or follow the market.
        </Note>
      )}
      {last && last.status !== "stopped" && <Note>One is {last.status}. To start another one stops it.</Note>}
      <Costs choices={costs} onChange={choose} problem={problem}>
        <IntrabarChoice choices={costs} onChange={choose} />
      </Costs>
      <SavedFirst bot={bot} />
      <ProblemNote error={start.error} />
    </form>
  );
}

/** The bot's recommended candles, or the longest ones that a simulation can have. */
function usualInterval(bot: Schemas["BotView"]): KlineInterval {
  const recommended = bot.recommended_kline_interval;
  return INTERVALS.find((interval) => interval === recommended) ?? (recommended ? "1h" : "1m");
}
