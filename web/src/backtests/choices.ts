/** The state of the form of a new backtest. With a selected run, it starts with the parameters of that run. */
import { INTERVALS } from "@/backtests/chart";
import { samePoolCosts } from "@/backtests/costs";
import type { Instrument } from "@/backtests/instrument";
import type { Summary } from "@/backtests/runs";
import { count } from "@/format/numbers";
import { type OfMany, sameTokens } from "@/purse/many";
import type { Bot } from "@/strategy/versions";

export type Interval = Summary["kline_interval"];
export type Intrabar = Summary["intrabar"];
export type PoolCosts = "auto" | "off";
export type Period = "7" | "30" | "90" | "365" | "custom";
/** What has been chosen; the rest is as the bot or the settings have it. Dates are days, or moments of an earlier run. */
export type Choices = {
  instrument?: Instrument | null;
  interval?: Interval;
  period: Period;
  start: string;
  end: string;
  cash?: string;
  fee?: string;
  slippage?: string;
  pool?: PoolCosts;
  liquidity?: string;
  buyTax?: string;
  sellTax?: string;
  intrabar?: Intrabar;
};

type Asked = Pick<
  Summary,
  | "token"
  | "chain"
  | "kline_interval"
  | "created_at"
  | "start_time"
  | "end_time"
  | "initial_cash"
  | "fee_percent"
  | "slippage_percent"
  | "costs"
  | "intrabar"
> &
  OfMany;

export const PERIODS: { value: Period; label: string }[] = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "custom", label: "Dates" },
];
/** How a candle is read whose prices reach both the stop and the target. */
export const INTRABAR: { value: Intrabar; label: string }[] = [
  { value: "auto", label: "1-minute candles decide" },
  { value: "off", label: "Stop first" },
];
export const POOL_COSTS: { value: PoolCosts; label: string }[] = [
  { value: "auto", label: "As the market says" },
  { value: "off", label: "Off" },
];
export const NO_CHOICES: Choices = { period: "30", start: "", end: "" };
const DAY = 86_400;
const CANDLES_APART = 2;
const DAYS_OF_MINUTES = 6;

/** The times on offer, of which those with more candles than the tier has cannot be chosen. */
export function periodsFor(interval: Interval, most = Number.POSITIVE_INFINITY) {
  return PERIODS.map((period) => {
    const candles = (Number(period.value) * DAY) / INTERVALS[interval];
    const unusable = `${count(candles)} candles of ${interval}: your tier has up to ${count(most)} in one run.`;
    return candles > most ? { ...period, unusable } : period;
  });
}

/** The chosen time, or the longest one that the tier has with these candles. */
export function fittingPeriod(period: Period, interval: Interval, most: number | undefined): Period {
  const usable = periodsFor(interval, most).filter((each) => !("unusable" in each) && each.value !== "custom");
  const isUsable = period === "custom" || usable.some(({ value }) => value === period);
  return isUsable ? period : (usable.at(-1)?.value ?? "custom");
}

export function choicesOf(run: Asked): Choices {
  const period = periodOf(run);
  return {
    instrument: { address: run.token, chain: run.chain },
    interval: run.kline_interval,
    period,
    start: period === "custom" ? run.start_time : "",
    end: period === "custom" ? run.end_time : "",
    cash: String(run.initial_cash),
    fee: String(run.fee_percent),
    slippage: String(run.slippage_percent),
    ...poolChoices(run.costs),
    intrabar: run.intrabar,
  };
}

/** The request that runs it again: the same number of days up to now, or the same dates. */
export function againOf(run: Asked) {
  const { kline_interval, intrabar } = run;
  const choices = choicesOf(run);
  return { ...sameTokens(run), kline_interval, intrabar, ...span(choices, kline_interval), ...costsOf(choices) };
}

/** The first test of a bot: 30 days, or fewer where those are more candles than a visitor may have. */
export function firstRequest(
  { recommended_kline_interval }: Pick<Bot, "recommended_kline_interval">,
  isVisitor: boolean,
  now = Date.now(),
) {
  if (!isVisitor || recommended_kline_interval !== "1m") return {};
  return { start_time: Math.floor(now / 1000) - DAYS_OF_MINUTES * DAY };
}

function poolChoices(costs: Asked["costs"]): Partial<Choices> {
  const { pool_costs, liquidity_usd, buy_tax_percent, sell_tax_percent } = samePoolCosts(costs);
  return {
    pool: pool_costs,
    liquidity: liquidity_usd?.toString(),
    buyTax: buy_tax_percent?.toString(),
    sellTax: sell_tax_percent?.toString(),
  };
}

/** Cash and costs, for the API. Empty fields have the values of the settings, those of the pool what the market says. */
export function costsOf({ cash, fee, slippage, pool, liquidity, buyTax, sellTax }: Choices) {
  const own = { initial_cash: number(cash), fee_percent: number(fee), slippage_percent: number(slippage) };
  if (pool === "off") return { ...own, pool_costs: pool };
  return {
    ...own,
    pool_costs: pool,
    liquidity_usd: number(liquidity),
    buy_tax_percent: number(buyTax),
    sell_tax_percent: number(sellTax),
  };
}

function number(typed: string | undefined): number | undefined {
  return typed?.trim() ? Number(typed) : undefined;
}

/** The number of days, or else the dates. A run starts and ends at candles, so a difference of a few candles is ignored. */
function periodOf(run: Asked): Period {
  const [start, end, created] = [run.start_time, run.end_time, run.created_at].map((time) => Date.parse(time) / 1000);
  const near = CANDLES_APART * INTERVALS[run.kline_interval];
  if (start === undefined || end === undefined || created === undefined || created - end > near) return "custom";
  const fits = ({ value }: { value: Period }) => Math.abs(end - start - Number(value) * DAY) <= near;
  return PERIODS.find(fits)?.value ?? "custom";
}

/** The time of the run, for the API. A number of days is counted from the last closed candle, as the API and the chat do: the same choice is the same run. */
export function span(
  { period, start, end }: Pick<Choices, "period" | "start" | "end">,
  interval: Interval,
  now = Date.now(),
) {
  if (period !== "custom") {
    const seconds = INTERVALS[interval];
    return { start_time: Math.floor(now / 1000 / seconds) * seconds - Number(period) * DAY };
  }
  return { start_time: moment(start), end_time: moment(end) };
}

function moment(date: string): string | undefined {
  if (!date) return undefined;
  return date.includes("T") ? date : `${date}T00:00:00Z`;
}
