import { type FormEvent, useRef, useState } from "react";
import type { Schemas } from "@/api/client";
import { type Problem, problemOf } from "@/api/problem";
import { type Choices, choicesOf, INTRABAR, type Interval, NO_CHOICES, PERIODS, span } from "@/backtests/choices";
import { useDryCount } from "@/backtests/dryCount";
import { type Instrument, instrumentOf } from "@/backtests/instrument";
import { NeverBuys } from "@/backtests/NeverBuys";
import { type Summary, useStart } from "@/backtests/runs";
import { TokenField } from "@/backtests/TokenField";
import { Button } from "@/design/Button";
import { Choice, Field, Input, Labelled } from "@/design/Field";
import { PlayIcon } from "@/design/icons";
import { ProblemNote } from "@/design/States";
import { useSettings } from "@/session/user";
import { toDraft, toStrategy } from "@/strategy/draft";
import { edit, useEdits } from "@/strategy/edits";
import { intervalOptions, misfit } from "@/strategy/resolution";
import { SavedFirst } from "@/strategy/StrategyEditor";

type Bot = Schemas["BotView"];

const INTERVALS: Interval[] = ["1m", "5m", "15m", "1h", "4h", "1d"];

export function useFormDefaults(bot: Bot, last: Pick<Summary, "token" | "chain"> | undefined): Instrument | null {
  const { default_chain } = useSettings();
  if (bot.token) return instrumentOf(bot.token, bot.chain, default_chain);
  return last ? { address: last.token, chain: last.chain } : null;
}

/** `shown` is the run that is looked at: the form begins with what it was asked for. */
type BacktestFormProps = { bot: Bot; shown: Summary | undefined; onStart: () => void };

export function BacktestForm({ bot, shown, onStart }: BacktestFormProps) {
  const settings = useSettings();
  const usual = useFormDefaults(bot, shown);
  const [choices, setChoices] = useState<Choices>(() => (shown ? choicesOf(shown) : NO_CHOICES));
  const start = useStart(bot, onStart);
  const problem = start.error ? problemOf(start.error) : null;
  const set = (part: Partial<Choices>) => setChoices((before) => ({ ...before, ...part }));
  const instrument = choices.instrument === undefined ? usual : choices.instrument;
  const usualInterval = bot.recommended_kline_interval ?? settings.default_kline_interval;
  const interval = choices.interval && !misfit(bot.strategy, choices.interval) ? choices.interval : usualInterval;

  const request = {
    token: instrument?.address,
    chain: instrument?.chain,
    kline_interval: interval,
    ...span(choices),
    initial_cash: number(choices.cash),
    fee_percent: number(choices.fee),
    slippage_percent: number(choices.slippage),
    intrabar: choices.intrabar,
  };
  const { edits } = useEdits(bot);
  const strategy = edits ? toStrategy(edits.draft) : bot.strategy;
  const preview = useDryCount(bot.id, instrument && strategy ? { ...request, strategy } : null);
  const isWasted = preview?.total_entries === 0;
  const form = useRef<HTMLFormElement>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    start.mutate(request);
  }

  return (
    <form aria-label="New backtest" className="stack gap-3" noValidate onSubmit={submit} ref={form}>
      {isWasted && (
        <NeverBuys
          onEasier={(easier) => edit(bot, toDraft(easier))}
          onLonger={choices.period === "7" || choices.period === "30" ? () => set({ period: "90" }) : undefined}
          onToken={() => form.current?.querySelector<HTMLElement>("[data-token-change]")?.click()}
          preview={preview}
        />
      )}
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <TokenField
            error={problem?.field("token")}
            onChange={(instrument) => set({ instrument })}
            value={instrument}
          />
        </div>
        <Labelled label="Candles">
          <Choice
            label="Candles"
            onChange={(interval) => set({ interval })}
            options={intervalOptions(bot.strategy, INTERVALS)}
            value={interval}
          />
        </Labelled>
        <Labelled label="Time">
          <Choice label="Time" onChange={(period) => set({ period })} options={PERIODS} value={choices.period} />
        </Labelled>
        <Button busy={start.isPending} className="max-sm:w-full" look="primary" type="submit">
          <PlayIcon />
          {isWasted ? "Run anyway" : "Run backtest"}
        </Button>
      </div>
      {choices.period === "custom" && <Dates choices={choices} onChange={set} problem={problem} />}
      <Costs choices={choices} onChange={set} problem={problem} />
      <SavedFirst bot={bot} />
      <ProblemNote error={start.error} />
    </form>
  );
}

type PartProps = { choices: Choices; onChange: (part: Partial<Choices>) => void; problem: Problem | null };

function Dates({ choices, onChange, problem }: PartProps) {
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

function Costs({ choices, onChange, problem }: PartProps) {
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
    </details>
  );
}

function number(typed: string | undefined): number | undefined {
  return typed?.trim() ? Number(typed) : undefined;
}
