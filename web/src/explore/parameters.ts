/** A parameter as it is typed into the form of a search, and the values it stands for. */
import type { Schemas } from "@/api/client";
import type { Place, Value } from "@/explore/places";

export type Draft = {
  path: string;
  kind: Place["kind"];
  mode: "range" | "values";
  from: string;
  to: string;
  step: string;
  values: string;
};

export const MOST_PARAMETERS = 4;
const MOST_VALUES = 1000;
/** Against the rounding of 0.1 + 0.2. */
const NEARLY = 1e-9;
const DURATIONS = [1, 2, 4];
const UNIT_MINUTES: Record<string, number> = { m: 1, h: 60, d: 1440 };

/** A few values around what the strategy has now. */
export function draftOf(place: Place): Draft {
  const { path, kind, value } = place;
  if (kind === "duration") {
    const values = typeof value === "string" ? DURATIONS.map((times) => longer(value, times)) : ["4h", "12h", "1d"];
    return { path, kind, mode: "values", from: "", to: "", step: "", values: values.join(", ") };
  }
  const { from, to, step } = usualRange(place);
  return { path, kind, mode: "range", from: text(from), to: text(to), step: text(step), values: "" };
}

function usualRange({ path, value }: Place): { from: number; to: number; step: number } {
  const middle = typeof value === "number" ? value : 6;
  const step = roundStep(Math.abs(middle) / 4, isWhole(path));
  const lowest = path.endsWith("multiplier") ? 1 + step : middle > 0 ? step : Number.NEGATIVE_INFINITY;
  const highest = path === "position_percent" ? 100 : Number.POSITIVE_INFINITY;
  return { from: Math.max(lowest, middle - 2 * step), to: Math.min(highest, middle + 2 * step), step };
}

/** Periods and counts. */
function isWhole(path: string): boolean {
  return /(^|\.)(max_entries|count|period|fast|slow|signal|within_candles|offset|smooth\w*|\w*_period)$/.test(path);
}

/** 1, 2 or 5 times a power of ten, at most the given size. */
function roundStep(size: number, whole: boolean): number {
  if (size === 0) return 1;
  const ten = 10 ** Math.floor(Math.log10(size));
  const step = ten * (size / ten >= 5 ? 5 : size / ten >= 2 ? 2 : 1);
  return whole ? Math.max(1, Math.round(step)) : step;
}

function longer(duration: string, times: number): string {
  const minutes = Number.parseInt(duration, 10) * (UNIT_MINUTES[duration.slice(-1)] ?? 1) * times;
  const unit = ["d", "h"].find((each) => minutes % (UNIT_MINUTES[each] ?? 1) === 0) ?? "m";
  return `${minutes / (UNIT_MINUTES[unit] ?? 1)}${unit}`;
}

function text(value: number): string {
  return String(Number(value.toPrecision(10)));
}

/** The values that are typed; null while they make no sense. */
export function valuesOf(draft: Draft): Value[] | null {
  if (draft.mode === "values") return listed(draft);
  const [from, to, step] = [draft.from, draft.to, draft.step].map((typed) =>
    typed.trim() === "" ? Number.NaN : Number(typed),
  ) as [number, number, number];
  if (!(step > 0 && from <= to) || (to - from) / step >= MOST_VALUES) return null;
  const steps = Math.floor((to - from) / step + NEARLY);
  return Array.from({ length: steps + 1 }, (_, i) => Number((from + i * step).toPrecision(12)));
}

function listed({ values, kind }: Draft): Value[] | null {
  const words = [...new Set(values.split(/[\s,;]+/).filter(Boolean))];
  if (words.length === 0 || words.length > MOST_VALUES) return null;
  if (kind === "duration") return words;
  const numbers = words.map(Number);
  return numbers.every(Number.isFinite) ? numbers : null;
}

/** How many combinations all values have; null while one of them makes no sense. */
export function variantsOf(drafts: Draft[]): number | null {
  const counts = drafts.map((draft) => valuesOf(draft)?.length ?? 0);
  return counts.length === 0 || counts.includes(0) ? null : counts.reduce((product, each) => product * each, 1);
}

/** The parameter for the API, as it was typed; the API validates it. */
export function asked(draft: Draft): Schemas["ParameterRequest"] {
  if (draft.mode === "values") return { path: draft.path, values: listed(draft) ?? [] };
  return { path: draft.path, from: typed(draft.from), to: typed(draft.to), step: typed(draft.step) };
}

function typed(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}
