/** The fields that say which candles a run sees and what it costs: shared by backtests, simulations, searches and surveys. */
import { type ReactNode, useState } from "react";
import type { Schemas } from "@/api/client";
import type { Problem } from "@/api/problem";
import { type Choices, choicesOf, INTRABAR, type Interval, NO_CHOICES, PERIODS, span } from "@/backtests/choices";
import { type Instrument, instrumentOf } from "@/backtests/instrument";
import type { Summary } from "@/backtests/runs";
import { Choice, Field, Input, Labelled } from "@/design/Field";
import { useSettings } from "@/session/user";
import { intervalOptions, misfit } from "@/strategy/resolution";

type Bot = Schemas["BotView"];

const INTERVALS: Interval[] = ["1m", "5m", "15m", "1h", "4h", "1d"];

export function useFormDefaults(bot: Bot, last: Pick<Summary, "token" | "chain"> | undefined): Instrument | null {
  const { default_chain } = useSettings();
  if (bot.token) return instrumentOf(bot.token, bot.chain, default_chain);
  return last ? { address: last.token, chain: last.chain } : null;
}

/** The state of the form. `shown` is the selected run: the form starts with its parameters. */
export function useRunFields(bot: Bot, shown: Summary | undefined) {
  const settings = useSettings();
  const usual = useFormDefaults(bot, shown);
  const [choices, setChoices] = useState<Choices>(() => (shown ? choicesOf(shown) : NO_CHOICES));
  const set = (part: Partial<Choices>) => setChoices((before) => ({ ...before, ...part }));
  const instrument = choices.instrument === undefined ? usual : choices.instrument;
  const usualInterval = bot.recommended_kline_interval ?? settings.default_kline_interval;
  const interval = choices.interval && !misfit(bot.strategy, choices.interval) ? choices.interval : usualInterval;
  /** Candles, dates and costs, for the API. */
  const request = {
    kline_interval: interval,
    ...span(choices),
    ...costsOf(choices),
  };
  return { choices, set, instrument, interval, request };
}

/** Cash and costs, for the API; empty fields have the values of the settings. */
export function costsOf({ cash, fee, slippage }: Choices) {
  return { initial_cash: number(cash), fee_percent: number(fee), slippage_percent: number(slippage) };
}

type CandlesProps = {
  bot: Bot;
  choices: Choices;
  interval: Interval;
  onChange: (part: Partial<Choices>) => void;
};

export function CandlesAndTime({ bot, choices, interval, onChange }: CandlesProps) {
  return (
    <>
      <Labelled label="Candles">
        <Choice
          label="Candles"
          onChange={(interval) => onChange({ interval })}
          options={intervalOptions(bot.strategy, INTERVALS)}
          value={interval}
        />
      </Labelled>
      <Labelled label="Time">
        <Choice label="Time" onChange={(period) => onChange({ period })} options={PERIODS} value={choices.period} />
      </Labelled>
    </>
  );
}

type PartProps = { choices: Choices; onChange: (part: Partial<Choices>) => void; problem: Problem | null };

export function Dates({ choices, onChange, problem }: PartProps) {
  if (choices.period !== "custom") return null;
  return (
    <div className="grid max-w-md grid-cols-2 gap-3">
      <Field error={problem?.field("start_time")} hint="Midnight UTC; 30 days before the end by default" label="From">
        {(control) => (
          <Input
            {...control}
            onChange={(event) => onChange({ start: event.target.value })}
            type="date"
            value={choices.start.slice(0, 10)}
          />
        )}
      </Field>
      <Field error={problem?.field("end_time")} hint="Midnight UTC; now by default" label="To">
        {(control) => (
          <Input
            {...control}
            onChange={(event) => onChange({ end: event.target.value })}
            type="date"
            value={choices.end.slice(0, 10)}
          />
        )}
      </Field>
    </div>
  );
}

/** `children` are shown below the costs. */
export function Costs({ choices, onChange, problem, children }: PartProps & { children?: ReactNode }) {
  const settings = useSettings();
  const wrong = ["initial_cash", "fee_percent", "slippage_percent"].some((name) => problem?.field(name));
  return (
    <details className="group" open={wrong || undefined}>
      <summary className="w-fit rounded-small text-small text-ink-soft hover:text-ink">Cash and costs</summary>
      <div className="mt-2 grid max-w-xl grid-cols-3 gap-3 max-sm:grid-cols-1">
        <Field error={problem?.field("initial_cash")} label="Cash, $">
          {(control) => (
            <Input
              {...control}
              onChange={(event) => onChange({ cash: event.target.value })}
              step="any"
              type="number"
              value={choices.cash ?? settings.initial_cash}
            />
          )}
        </Field>
        <Field error={problem?.field("fee_percent")} label="Fee, %">
          {(control) => (
            <Input
              {...control}
              onChange={(event) => onChange({ fee: event.target.value })}
              step="any"
              type="number"
              value={choices.fee ?? settings.fee_percent}
            />
          )}
        </Field>
        <Field error={problem?.field("slippage_percent")} label="Slippage, %">
          {(control) => (
            <Input
              {...control}
              onChange={(event) => onChange({ slippage: event.target.value })}
              step="any"
              type="number"
              value={choices.slippage ?? settings.slippage_percent}
            />
          )}
        </Field>
      </div>
      {children}
    </details>
  );
}

export function IntrabarChoice({ choices, onChange }: Pick<PartProps, "choices" | "onChange">) {
  return (
    <div className="mt-3 w-fit max-w-full">
      <Labelled label="Stop and target inside one candle">
        <Choice
          label="Stop and target inside one candle"
          onChange={(intrabar) => onChange({ intrabar })}
          options={INTRABAR}
          value={choices.intrabar ?? "auto"}
        />
      </Labelled>
    </div>
  );
}

function number(typed: string | undefined): number | undefined {
  return typed?.trim() ? Number(typed) : undefined;
}
