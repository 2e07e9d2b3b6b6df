import type { ReactNode } from "react";
import { classes } from "@/kit/classes";

export type Tone = "neutral" | "accent" | "up" | "down" | "warn";

export const TONES: Record<Tone, string> = {
  neutral: "bg-sunken text-ink-soft",
  accent: "bg-accent-soft text-accent",
  up: "bg-up-soft text-up",
  down: "bg-down-soft text-down",
  warn: "bg-warn-soft text-warn",
};

/** A short label. `live` adds a pulse for something that is happening now. */
export function Badge({
  tone = "neutral",
  live = false,
  children,
}: {
  tone?: Tone;
  live?: boolean;
  children: ReactNode;
}) {
  return (
    <span
      className={classes(
        "inline-flex h-5 shrink-0 items-center gap-1.5 rounded-full px-2 text-tiny font-medium whitespace-nowrap",
        TONES[tone],
      )}
    >
      {live && <span aria-hidden="true" className="size-1.5 animate-pulse rounded-full bg-current" />}
      {children}
    </span>
  );
}
