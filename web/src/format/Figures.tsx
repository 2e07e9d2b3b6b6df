/** Numbers and times as elements: aligned, and with a sign and an arrow in addition to a colour. */

import { money, NOTHING, percent, price } from "@/format/numbers";
import { ago, dateOf, dateTime, day, type Moment, zoneName } from "@/format/times";
import { classes } from "@/kit/classes";
import { useSettings } from "@/session/user";

type Amount = number | null | undefined;

export function Price({ value, className }: { value: Amount; className?: string }) {
  return <span className={classes("figures", className)}>{value == null ? NOTHING : `$${price(value)}`}</span>;
}

export function Money({ value, className }: { value: Amount; className?: string }) {
  return <span className={classes("figures", className)}>{money(value)}</span>;
}

export function Percent({ value, className }: { value: Amount; className?: string }) {
  return <span className={classes("figures", className)}>{percent(value)}</span>;
}

/** A gain or a loss: colour, arrow and sign all say which. `unit` is a percent unless it is money. */
export function Change({
  value,
  unit = "percent",
  className,
}: {
  value: Amount;
  unit?: "percent" | "money";
  className?: string;
}) {
  if (value == null) return <span className={classes("text-ink-faint", className)}>{NOTHING}</span>;
  const text = unit === "money" ? money(value, { sign: true }) : percent(value, { sign: true });
  const tone = value > 0 ? "text-up" : value < 0 ? "text-down" : "text-ink-soft";
  return (
    <span className={classes("figures whitespace-nowrap", tone, className)}>
      <span aria-hidden="true" className="mr-1 inline-block text-[0.7em]">
        {value > 0 ? "▲" : value < 0 ? "▼" : "■"}
      </span>
      {text}
    </span>
  );
}

export function Day({ at }: { at: Moment }) {
  const { timezone } = useSettings();
  return <span className="figures">{day(at, timezone)}</span>;
}

type TimeProps = { at: Moment; relative?: boolean; bare?: boolean; className?: string };

/**
 * A moment in the user's zone, which is named; `bare` leaves the name out where a line above says it, as in tables.
 * `relative` shows how long ago, with the moment itself on hover.
 */
export function Time({ at, relative = false, bare = false, className }: TimeProps) {
  const { timezone } = useSettings();
  const date = dateOf(at);
  if (!date) return <span className={className}>{NOTHING}</span>;
  const exact = dateTime(at, timezone);
  return (
    <time dateTime={date.toISOString()} title={`${exact} (${timezone})`} className={classes("figures", className)}>
      {relative ? ago(at) : bare ? exact : `${exact}\u00a0${zoneName(at, timezone)}`}
    </time>
  );
}
