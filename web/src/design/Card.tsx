import { type ReactNode, useId } from "react";
import { classes } from "@/kit/classes";

type CardProps = { title?: ReactNode; actions?: ReactNode; className?: string; padded?: boolean; children: ReactNode };

/** A part of a screen with its own surface. With a title it is an ARIA region. */
export function Card({ title, actions, className, padded = true, children }: CardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={title ? id : undefined}
      className={classes("stack rounded-card border border-line bg-surface", className)}
    >
      {title && (
        <header className="flex min-h-11 items-center justify-between gap-3 border-b border-line px-4 py-2">
          <h2 className="text-body" id={id}>
            {title}
          </h2>
          {actions}
        </header>
      )}
      <div className={classes("stack flex-1", padded && "p-4")}>{children}</div>
    </section>
  );
}

type FigureProps = { name: ReactNode; children: ReactNode; note?: ReactNode; className?: string };

/** A number with its name, as one tile of a row of figures. */
export function Figure({ name, children, note, className }: FigureProps) {
  return (
    <div className={classes("stack gap-0.5", className)}>
      <dt className="text-small text-ink-faint">{name}</dt>
      <dd className="figures text-lead font-medium">{children}</dd>
      {note && <dd className="text-small text-ink-faint">{note}</dd>}
    </div>
  );
}
