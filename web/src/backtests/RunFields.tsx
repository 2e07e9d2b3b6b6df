/** The fields that say which candles a run sees and what it costs: shared by backtests, simulations, searches and surveys. */
import { type ReactNode, useState } from "react";
import { queries, type Schemas } from "@/api/client";
import type { Problem } from "@/api/problem";
import {
  type Choices,
  choicesOf,
  costsOf,
  fittingPeriod,
  INTRABAR,
  type Interval,
  NO_CHOICES,
  POOL_COSTS,
  periodsFor,
  span,
} from "@/backtests/choices";
import { type Instrument, instrumentOf } from "@/backtests/instrument";
import type { Summary } from "@/backtests/runs";
import { Choice, Field, Input, Labelled } from "@/design/Field";
import { WhyNot } from "@/design/WhyNot";
import { meaningOf, type TermName } from "@/format/glossary";
import { money } from "@/format/numbers";
import { useSession } from "@/session/store";
import { useMe, useSettings } from "@/session/user";
import { useMisfit } from "@/strategy/description";

type Bot = Schemas["BotView"];

/** What a form says that was sent without a token. */
export const NO_TOKEN = "Choose a token.";
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
  const misfit = useMisfit(bot.strategy);
  const most = useMostCandles();
  const [chosen, setChoices] = useState<Choices>(() => (shown ? choicesOf(shown) : NO_CHOICES));
  const set = (part: Partial<Choices>) => setChoices((before) => ({ ...before, ...part }));
  const instrument = chosen.instrument === undefined ? usual : chosen.instrument;
  const usualInterval = bot.recommended_kline_interval ?? settings.default_kline_interval;
  const interval = chosen.interval && !misfit(chosen.interval) ? chosen.interval : usualInterval;
  const choices = { ...chosen, period: fittingPeriod(chosen.period, interval, most) };
  /** Candles, dates and costs, for the API. */
  const request = {
    kline_interval: interval,
    ...span(choices, interval),
    ...costsOf(choices),
  };
  return { choices, set, instrument, interval, request };
}

/** How many candles a run of the user or visitor can have; unknown until it is loaded. */
function useMostCandles(): number | undefined {
  const { accessToken } = useSession();
  const { data: me } = useMe();
  const { data: info } = queries.useQuery("get", "/api/info", {}, { staleTime: Number.POSITIVE_INFINITY });
  return accessToken ? me?.limits.candles_per_backtest : info?.visitor_candles;
}

type CandlesProps = {
  bot: Bot;
  choices: Choices;
  interval: Interval;
  onChange: (part: Partial<Choices>) => void;
};

export function CandlesAndTime({ bot, choices, interval, onChange }: CandlesProps) {
  const misfit = useMisfit(bot.strategy);
  const intervals = INTERVALS.map((value) => ({ value, label: value, unusable: misfit(value) }));
  const periods = periodsFor(interval, useMostCandles());
  return (
    <>
      <Labelled label="Candles">
        <Choice label="Candles" onChange={(interval) => onChange({ interval })} options={intervals} value={interval} />
      </Labelled>
      <Labelled label="Time">
        <Choice label="Time" onChange={(period) => onChange({ period })} options={periods} value={choices.period} />
      </Labelled>
      <WhyNot options={[...intervals, ...periods]} />
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

type Typed = "cash" | "fee" | "slippage" | "liquidity" | "buyTax" | "sellTax";
type CostField = { choice: Typed; field: string; label: string; term?: TermName };

const COST_FIELDS: CostField[] = [
  { choice: "cash", field: "initial_cash", label: "Cash, $" },
  { choice: "fee", field: "fee_percent", label: "Fee, %", term: "fee" },
  { choice: "slippage", field: "slippage_percent", label: "Slippage, %", term: "slippage" },
];
const POOL_FIELDS: CostField[] = [
  { choice: "liquidity", field: "liquidity_usd", label: "Liquidity of the pool, $", term: "liquidity" },
  { choice: "buyTax", field: "buy_tax_percent", label: "Buy tax, %", term: "tax" },
  { choice: "sellTax", field: "sell_tax_percent", label: "Sell tax, %" },
];
const ALL_COST_FIELDS = [...[...COST_FIELDS, ...POOL_FIELDS].map(({ field }) => field), "dead_token_loss_percent"];

/** Whether a refusal of the API is about one of the fields of `Costs`, where it is shown. */
export function isOfCosts(field: string): boolean {
  return ALL_COST_FIELDS.includes(field);
}

/** `children` are shown below the costs. */
export function Costs({ choices, onChange, problem, children }: PartProps & { children?: ReactNode }) {
  const { initial_cash, fee_percent, slippage_percent } = useSettings();
  const usual = { cash: initial_cash, fee: fee_percent, slippage: slippage_percent };
  const wrong = problem?.fields.some(({ field }) => isOfCosts(field));
  const pool = choices.pool ?? "auto";
  const cash = Number(choices.cash?.trim() || initial_cash);
  return (
    <details className="group" open={wrong || undefined}>
      <summary className="w-fit rounded-small text-small text-ink-soft hover:text-ink">
        Cash and costs{cash !== initial_cash && `, with ${money(cash)} instead of ${money(initial_cash)}`}
        {pool === "off" && ", without token tax and price impact"}
      </summary>
      <div className="stack mt-2 gap-3">
        <CostRow choices={{ ...usual, ...choices }} fields={COST_FIELDS} onChange={onChange} problem={problem} />
        <div className="w-fit max-w-full">
          <Labelled label="Token tax and price impact">
            <Choice
              label="Token tax and price impact"
              onChange={(pool) => onChange({ pool })}
              options={POOL_COSTS}
              value={pool}
            />
          </Labelled>
        </div>
        {pool === "auto" && (
          <CostRow
            choices={choices}
            fields={POOL_FIELDS}
            onChange={onChange}
            placeholder="as the market says"
            problem={problem}
          />
        )}
        {children}
      </div>
    </details>
  );
}

type CostRowProps = {
  fields: CostField[];
  choices: { [choice in Typed]?: string | number | undefined };
  onChange: (part: Partial<Choices>) => void;
  problem: Problem | null;
  placeholder?: string;
};

function CostRow({ fields, choices, onChange, problem, placeholder }: CostRowProps) {
  return (
    <div className="grid max-w-xl grid-cols-3 gap-3 max-sm:grid-cols-1">
      {fields.map(({ choice, field, label, term }) => (
        <Field error={problem?.field(field)} hint={term && meaningOf(term)} key={field} label={label}>
          {(control) => (
            <Input
              {...control}
              onChange={(event) => onChange({ [choice]: event.target.value })}
              placeholder={placeholder}
              step="any"
              type="number"
              value={choices[choice] ?? ""}
            />
          )}
        </Field>
      ))}
    </div>
  );
}

export function IntrabarChoice({ choices, onChange }: Pick<PartProps, "choices" | "onChange">) {
  return (
    <div className="w-fit max-w-full">
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
