/** Numbers as people read them: tabular, with a real minus, and never an exponent. */
import { kept } from "@/format/kept";

export const NOTHING = "–";

type Amount = number | null | undefined;

const formatOf = kept((options: Intl.NumberFormatOptions) => new Intl.NumberFormat("en-US", options));

function format(value: number, options: Intl.NumberFormatOptions): string {
  return formatOf(options).format(value).replace("-", "−");
}

function isNumber(value: Amount): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** A price: two decimals for large ones, five significant digits for small ones, however small: 0.000000012346. */
export function price(value: Amount): string {
  if (!isNumber(value)) return NOTHING;
  return format(value, priceDigits(value));
}

/** The digits a price needs, for axes too. */
export function priceDigits(value: number): { minimumFractionDigits: number; maximumFractionDigits: number } {
  const size = Math.abs(value);
  if (size === 0 || size >= 100) return { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  if (size >= 1) return { minimumFractionDigits: 2, maximumFractionDigits: 4 };
  const digits = Math.min(20, 4 - Math.floor(Math.log10(size)));
  return { minimumFractionDigits: Math.min(4, digits), maximumFractionDigits: digits };
}

export function money(value: Amount, options: { sign?: boolean } = {}): string {
  if (!isNumber(value)) return NOTHING;
  return format(value, { style: "currency", currency: "USD", signDisplay: options.sign ? "exceptZero" : "negative" });
}

/** A large sum in few characters: $1.2M. */
export function roundMoney(value: Amount): string {
  if (!isNumber(value)) return NOTHING;
  const digits = Math.abs(value) >= 1000 ? 1 : 0;
  return format(value, {
    style: "currency",
    currency: "USD",
    notation: "compact",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** `value` is in plain percent: 5 means 5 %. */
export function percent(value: Amount, options: { sign?: boolean; digits?: number } = {}): string {
  if (!isNumber(value)) return NOTHING;
  const digits = options.digits ?? 2;
  return format(value / 100, {
    style: "percent",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: options.sign ? "exceptZero" : "negative",
  });
}

/** A text in which no percent sign begins a line. */
export function unbroken(text: string): string {
  return text.replaceAll(" %", "\u00a0%");
}

export function count(value: Amount): string {
  return isNumber(value) ? format(value, { maximumFractionDigits: 0 }) : NOTHING;
}

export function roundCount(value: Amount): string {
  return isNumber(value) ? format(value, { notation: "compact", maximumFractionDigits: 1 }) : NOTHING;
}

/** A quantity of tokens or any ratio: up to `digits` significant ones. */
export function quantity(value: Amount, digits = 6): string {
  return isNumber(value) ? format(value, { maximumSignificantDigits: digits }) : NOTHING;
}
